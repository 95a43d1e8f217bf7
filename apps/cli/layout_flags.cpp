#include "layout_flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "ground_truth.h"
#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

const OptionInfo* init_of(const Method& method) {
  const auto found = std::find_if(method.options.begin(), method.options.end(),
                                  [](const OptionInfo& info) { return info.name == "init"; });
  return found == method.options.end() ? nullptr : &*found;
}

bool names_start_file(const Arguments& arguments, const Method& method) {
  const OptionInfo* init = init_of(method);
  if (init == nullptr || !arguments.has("init")) return false;
  return std::find(init->choices.begin(), init->choices.end(), arguments.text("init")) == init->choices.end();
}

void check_layout(const Method& method, std::string_view flag) {
  if (!is_layout(method))
    throw Error(
        ErrorKind::Unsupported,
        {.who = method.name,
         .problem = fmt::format("--{} is for methods that optimise a map, which {} does not", flag, method.name),
         .advice = "leave it out",
         .option = std::string(flag)});
}

}  // namespace

bool is_layout(const Method& method) { return method.is_optimized; }

void Beginning::give_to(Input& input) const {
  if (init) input.init = init->view();
  if (resume) input.resume = &*resume;
  if (pair_weights) input.pair_weights = pair_weights->view();
  input.labels = labels;
  input.targets = targets;
}

OptionValues layout_values(const Arguments& arguments, const Method& method) {
  std::vector<OptionInfo> infos = method.options;
  if (names_start_file(arguments, method))
    std::erase_if(infos, [](const OptionInfo& info) { return info.name == "init"; });
  return arguments.values(infos, method.name);
}

Beginning read_beginning(Job& job, const Arguments& arguments, const Method& method, const std::string& resume,
                         OptionValues& values) {
  Beginning beginning;
  if (names_start_file(arguments, method)) beginning.init = job.read_beside(arguments.text("init"));
  if (resume.empty()) return beginning;
  check_layout(method, "resume");
  beginning.resume = load_model(resume);
  for (const NamedValue& own : beginning.resume->options())
    if (std::none_of(values.begin(), values.end(), [&](const NamedValue& given) { return given.name == own.name; }))
      values.push_back(own);
  return beginning;
}

void read_target(Job& job, const std::string& path, const Method& method, const std::string& input_path, Index rows,
                 Beginning& beginning) {
  if (path.empty()) return;
  const bool is_read = std::any_of(method.options.begin(), method.options.end(),
                                   [](const OptionInfo& info) { return info.name == "target_weight"; });
  if (!is_read)
    throw Error(ErrorKind::Unsupported,
                {.who = method.name,
                 .problem = fmt::format("--target is for methods that look at classes, which {} does not", method.name),
                 .advice = "leave it out, or use -m umap",
                 .option = "target"});
  const std::vector<std::string> words = job.read_words(path, rows);
  check_same_rows("embed", input_path, rows, path, std::ssize(words));
  if (auto numbers = measured_labels(words)) {
    beginning.targets = std::move(*numbers);
    return;
  }
  beginning.labels = numbered_words(words);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].empty() || words[i] == "-1") beginning.labels[i] = -1;
}

void write_frames(Job& job, const std::string& folder, const Method& method) {
  constexpr double kFrames = 40;
  if (folder.empty()) return;
  check_layout(method, "frames");
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw Error(ErrorKind::Io, fmt::format("cannot make the folder '{}': {}", folder, failure.message()));
  job.watch_frames([folder, prefix = method.name, written = 0, reached = -1.0](const Progress& progress) mutable {
    const double part = std::floor(progress.fraction * kFrames);
    if (part <= reached) return;
    reached = part;
    const Array2<double>& map = *progress.frame;
    write_table(fmt::format("{}/frame-{:03}.csv", folder, written++), map, {.columns = numbered(prefix, map.cols())});
  });
}

}  // namespace unroll::cli
