#include "flag.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace unroll::cli {
namespace {

struct Spelling {
  std::string_view option;
  char letter;
  std::string_view alias;
  std::string_view placeholder;
};
constexpr std::array kSpellings{
    Spelling{"method", 'm', "", "METHOD"},   Spelling{"methods", 'm', "", "A,B,..."},
    Spelling{"n_components", 'd', "", ""},   Spelling{"n_neighbors", 'k', "", ""},
    Spelling{"n_samples", 'n', "", ""},      Spelling{"n_eigenvalues", 'n', "", ""},
    Spelling{"random_state", 0, "seed", ""}, Spelling{"output", 'o', "", "FILE"},
    Spelling{"save", 0, "", "MODEL"},        Spelling{"truth", 0, "", "FILE"},
    Spelling{"labels", 0, "", "FILE"},       Spelling{"values", 0, "", "FILE"},
    Spelling{"label_column", 0, "", "NAME"}, Spelling{"delimiter", 0, "", "CHAR"},
    Spelling{"columns", 0, "", "LIST"},      Spelling{"drop", 0, "", "LIST"},
    Spelling{"id_column", 0, "", "NAME"},    Spelling{"na_values", 0, "", "LIST"},
    Spelling{"decimal", 0, "", "CHAR"},      Spelling{"axes", 0, "", "FILE"},
    Spelling{"color_by", 0, "", "FILE|COL"}, Spelling{"init", 0, "", "START"},
    Spelling{"resume", 0, "", "MODEL"},      Spelling{"frames", 0, "", "DIR"},
    Spelling{"target", 0, "", "FILE"},       Spelling{"pair_weights", 0, "", "FILE"},
    Spelling{"threads", 'j', "", ""},        Spelling{"memory_budget", 0, "", "SIZE"},
    Spelling{"progress", 0, "", "STYLE"},    Spelling{"color", 0, "", "WHEN"},
    Spelling{"quiet", 'q', "", ""},          Spelling{"help", 'h', "", ""},
    Spelling{"model", 0, "", "MODEL"},       Spelling{"probabilities", 0, "", "FILE"},
    Spelling{"plot", 0, "", "FILE"},         Spelling{"size", 0, "", "WxH"},
    Spelling{"shepard", 0, "", "FILE"},
};

/// The choices themselves if they are few and short; otherwise a word for the type.
std::string default_placeholder(const OptionInfo& info) {
  constexpr std::size_t kLongestChoices = 24;
  switch (info.type) {
    case OptionType::Bool: return info.list ? "BOOL,..." : "";
    case OptionType::Integer: return info.list ? "N,..." : "N";
    case OptionType::Real: return info.list ? "X,..." : "X";
    case OptionType::Text: return info.list ? "TEXT,..." : "TEXT";
    case OptionType::Choice: break;
  }
  std::string choices;
  for (const auto& choice : info.choices) choices += (choices.empty() ? "" : "|") + choice;
  return choices.size() <= kLongestChoices && !info.list ? choices : "NAME";
}

std::string with_replaced(std::string_view name, char from, char to) {
  std::string text(name);
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

}  // namespace

std::string Flag::shortest() const {
  if (letter != 0) return {'-', letter};
  return alias.empty() ? name() : "--" + alias;
}

std::string Flag::name() const { return "--" + to_kebab(info.name); }

Flag make_flag(OptionInfo info) {
  Flag flag{.info = std::move(info)};
  flag.placeholder = default_placeholder(flag.info);
  const auto spelling = std::find_if(kSpellings.begin(), kSpellings.end(),
                                     [&](const Spelling& entry) { return entry.option == flag.info.name; });
  if (spelling == kSpellings.end()) return flag;
  flag.letter = spelling->letter;
  flag.alias = spelling->alias;
  if (!spelling->placeholder.empty()) flag.placeholder = spelling->placeholder;
  return flag;
}

std::vector<Flag> make_flags(const std::vector<OptionInfo>& infos) {
  std::vector<Flag> flags;
  for (const auto& info : infos) flags.push_back(make_flag(info));
  return flags;
}

std::vector<Flag> make_algorithm_flags(const std::vector<OptionInfo>& infos) {
  std::vector<Flag> flags = make_flags(infos);
  for (auto& flag : flags) flag.negatable = flag.is_switch();
  return flags;
}

std::string_view option_of_letter(char letter) {
  for (const auto& spelling : kSpellings)
    if (spelling.letter == letter) return spelling.option;
  return {};
}

std::string to_kebab(std::string_view name) { return with_replaced(name, '_', '-'); }
std::string to_snake(std::string_view name) { return with_replaced(name, '-', '_'); }

}  // namespace unroll::cli
