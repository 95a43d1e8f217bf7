#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "wording.h"

/// What people see: colors, the terminal's width, messages.
namespace unroll::cli {

enum class ColorMode { Auto, Always, Never };
constexpr auto enum_names(ColorMode) {
  return std::array{Named{ColorMode::Auto, "auto"}, Named{ColorMode::Always, "always"},
                    Named{ColorMode::Never, "never"}};
}

/// Escape sequences around text, or nothing.
class Style {
 public:
  explicit Style(bool colored) : colored_(colored) {}
  bool is_colored() const { return colored_; }
  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string red(std::string_view text) const { return wrapped("1;31", text); }
  std::string yellow(std::string_view text) const { return wrapped("1;33", text); }

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;
  bool colored_;
};

/// Standard output carries data and requested text; standard error carries messages.
class Console {
 public:
  /// Searches the words for --color, since errors in the words themselves are colored, too.
  explicit Console(const std::vector<std::string>& words);

  /// From now on messages speak of this command's flags.
  void speak_of(const Command& command) { wording_ = Wording(command); }
  /// A message of the library in the words of the command.
  std::string worded(std::string_view text, std::string_view method = {}) const { return wording_(text, method); }
  Warning worded(const Warning& warning, std::string_view method = {}) const;
  Error worded(const Error& error) const;

  const Style& out() const { return out_; }
  const Style& err() const { return err_; }

  /// Worded here; the others come in words.
  void warn(const Warning& warning) const;
  void note(std::string_view text) const;
  void error(std::string_view message, std::string_view hint) const;

 private:
  Style out_;
  Style err_;
  Wording wording_ = {};
};

/// True when the descriptor is a terminal that understands escape sequences.
bool is_smart_terminal(int descriptor);
/// The width of text on standard output: the terminal's, within limits, or 80.
std::size_t text_width();

/// Writes all of the text to standard output; throws Io when the system refuses.
void print(std::string_view text);
/// Writes to standard error; a failure is ignored.
void print_message(std::string_view text);

}  // namespace unroll::cli
