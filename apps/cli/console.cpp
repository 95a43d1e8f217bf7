#include "console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace unroll::cli {
namespace {

/// The last value given to --color; "auto" when there is none. The parser reports a wrong value.
std::string_view color_word(const std::vector<std::string>& words) {
  constexpr std::string_view kFlag = "--color";
  std::string_view value = "auto";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kFlag && i + 1 < words.size()) value = words[i + 1];
    if (words[i].starts_with("--color=")) value = std::string_view(words[i]).substr(kFlag.size() + 1);
  }
  return value;
}

bool is_colored(std::string_view mode, int descriptor) {
  if (mode == "always") return true;
  if (mode == "never") return false;
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && is_smart_terminal(descriptor);
}

/// Returns 0 or the error number.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string Style::wrapped(std::string_view code, std::string_view text) const {
  return colored_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

Console::Console(const std::vector<std::string>& words)
    : out_(is_colored(color_word(words), STDOUT_FILENO)), err_(is_colored(color_word(words), STDERR_FILENO)) {}

Warning Console::worded(const Warning& warning, std::string_view method) const {
  return {warning.code, worded(warning.message, method), worded(warning.hint, method)};
}

Error Console::worded(const Error& error) const {
  return Error(error.kind(), {.who = error.who(),
                              .problem = worded(error.problem()),
                              .advice = worded(error.advice()),
                              .option = wording_.option(error.option()),
                              .row = error.row()});
}

void Console::warn(const Warning& warning) const {
  const std::string title = fmt::format("warning[{}]:", warning.code);
  std::string text = fmt::format("{} {}\n", err_.yellow(title), worded(warning.message));
  if (!warning.hint.empty()) text += fmt::format("  hint: {}\n", worded(warning.hint));
  print_message(text);
}

void Console::note(std::string_view text) const { print_message(fmt::format("{} {}\n", err_.bold("note:"), text)); }

void Console::error(std::string_view message, std::string_view hint) const {
  std::string text = fmt::format("unroll: {} {}\n", err_.red("error:"), message);
  if (!hint.empty()) text += fmt::format("  {}\n", hint);
  print_message(text);
}

bool is_smart_terminal(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

std::size_t text_width() {
  constexpr std::size_t kUsual = 80, kNarrowest = 60, kWidest = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
}

void print(std::string_view text) {
  if (const int error = write_all(STDOUT_FILENO, text); error != 0)
    throw Error(ErrorKind::Io, fmt::format("cannot write to standard output: {}", std::strerror(error)));
}

void print_message(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

}  // namespace unroll::cli
