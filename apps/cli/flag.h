#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/options.h"

/// Options of the library as flags of a command line.
namespace unroll::cli {

/// One flag: an option with what a terminal adds to it.
struct Flag {
  OptionInfo info = {};          ///< its name, in snake_case, is the flag's in kebab-case
  char letter = 0;               ///< 'd': the flag has the short form -d
  std::string alias = {};        ///< "seed": the flag has the second name --seed
  std::string placeholder = {};  ///< what stands for the value in help; empty: the flag is a switch
  bool negatable = false;        ///< help shows the switch's opposite, --no-...

  bool is_switch() const { return info.type == OptionType::Bool && !info.list; }
  bool takes_file() const { return placeholder == "FILE" || placeholder == "MODEL"; }
  /// "--n-components"
  std::string name() const;
};

/// The flag of an option. Short forms, second names and placeholders stand in one table in flag.cpp, so that they are
/// the same for every method.
Flag make_flag(OptionInfo info);
std::vector<Flag> make_flags(const std::vector<OptionInfo>& infos);
template <class Options>
std::vector<Flag> make_flags() {
  return make_flags(describe_options<Options>());
}
/// Flags of a method or a generator: their switches can be negated.
std::vector<Flag> make_algorithm_flags(const std::vector<OptionInfo>& infos);

/// "n_neighbors" for 'k', or nothing when no option has that short form.
std::string_view option_of_letter(char letter);

/// "swiss_roll" as "swiss-roll", and back.
std::string to_kebab(std::string_view name);
std::string to_snake(std::string_view name);

}  // namespace unroll::cli
