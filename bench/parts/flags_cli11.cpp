// What apps/cli/command_line.cpp does of itself, by CLI11: flags and values told apart, the rest in order. It is
// compiled to see how long that takes, and not run.
#include <CLI/CLI.hpp>
#include <map>

namespace unroll::cli {

/// Values of flags, and words that belong to none.
struct Words {
  std::map<std::string, std::string> texts;
  std::vector<std::string> positional;
};

Words told_apart(const std::vector<std::pair<std::string, bool>>& flags, std::vector<std::string> words) {
  Words result;
  CLI::App app;
  app.set_help_flag();
  for (const auto& [name, has_value] : flags) {
    if (has_value) {
      app.add_option("--" + name, result.texts[name]);
    } else {
      app.add_flag("--" + name);
    }
  }
  app.add_option("words", result.positional);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return result;
}

}  // namespace unroll::cli
