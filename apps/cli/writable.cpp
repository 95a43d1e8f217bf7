#include "writable.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

struct NamedFile {
  std::string name;  ///< "-o", or "INPUT"
  std::string path;
  std::string option = {};  ///< "output"; empty: a positional argument
};

/// Whether two paths name one regular file, which need not exist yet.
bool are_one_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code ignored;
  const auto is_special = [&](const std::string& path) {
    return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  };
  if (is_special(a) || is_special(b)) return false;  // a device or a pipe keeps nothing
  return fs::equivalent(a, b, ignored) ||
         fs::weakly_canonical(fs::absolute(a), ignored) == fs::weakly_canonical(fs::absolute(b), ignored);
}

}  // namespace

void check_outputs(const Command& command, const Arguments& arguments) {
  std::vector<NamedFile> inputs, outputs;
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    if (command.arguments[i].choices.empty()) inputs.push_back({command.arguments[i].name, arguments.positional(i)});
  for (const FlagGroup& group : command.groups)
    for (const Flag& flag : group.flags) {
      if (!flag.takes_file() || !arguments.has(flag.info.name)) continue;
      const auto& written = command.outputs;
      const bool is_output = std::find(written.begin(), written.end(), flag.info.name) != written.end();
      (is_output ? outputs : inputs).push_back({flag.shortest(), arguments.text(flag.info.name), flag.info.name});
    }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedFile& input : inputs)
      if (are_one_file(outputs[i].path, input.path))
        throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{} {} would overwrite {}, {}", outputs[i].name,
                                                                      outputs[i].path, input.name, input.path),
                                               .advice = fmt::format("give {} another file", outputs[i].name),
                                               .option = outputs[i].option});
    for (std::size_t j = 0; j < i; ++j)
      if (are_one_file(outputs[i].path, outputs[j].path))
        throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{} and {} both name '{}'", outputs[j].name,
                                                                      outputs[i].name, outputs[i].path),
                                               .advice = "give them different files",
                                               .option = outputs[i].option});
  }
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  const auto refuse = [&](int error) {
    throw Error(ErrorKind::Io, fmt::format("cannot write {}: {}", path, std::strerror(error)),
                error == ENOENT ? "make the folder first" : "");
  };
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse(EISDIR);
    if (!S_ISREG(status.st_mode)) return;  // a device or a pipe is written in place
  }
  // A file is replaced as a whole, so that its folder must be writable, not the file.
  if (access(folder_of(path).c_str(), W_OK | X_OK) != 0) refuse(errno);
}

}  // namespace unroll::cli
