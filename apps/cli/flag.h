#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/options.h"

/// Options of the library as flags of a command line.
namespace unroll::cli {

/// One flag: an option and its forms on the command line.
struct Flag {
  OptionInfo info = {};          ///< its name is in snake_case, the flag's in kebab-case
  char letter = 0;               ///< 'd': the flag has the short form -d
  std::string alias = {};        ///< "seed": the flag has the second name --seed
  std::string placeholder = {};  ///< what stands for the value in help; empty: the flag is a switch
  bool negatable = false;        ///< help shows the switch's opposite, --no-...
  std::string sets = {};         ///< "n_components": the option of a method that the verb sets by this flag

  bool is_switch() const { return info.type == OptionType::Bool && !info.list; }
  bool takes_file() const { return placeholder == "FILE" || placeholder == "MODEL" || placeholder == "FILE|COL"; }
  /// "--n-components"
  std::string name() const;
  /// "-d", "--seed", or the name of a flag without a short form.
  std::string shortest() const;
};

/// The flag of an option. One table in flag.cpp has the short forms, second names and placeholders, so that they are
/// the same for every method.
Flag make_flag(OptionInfo info);
std::vector<Flag> make_flags(const std::vector<OptionInfo>& infos);
template <class Options>
std::vector<Flag> make_flags() {
  return make_flags(describe_options<Options>());
}
/// Flags of a method or a generator: their switches can be negated.
std::vector<Flag> make_algorithm_flags(const std::vector<OptionInfo>& infos);

/// "n_neighbors" for 'k'; empty if no option has that short form.
std::string_view option_of_letter(char letter);

/// "swiss_roll" to "swiss-roll", and the reverse.
std::string to_kebab(std::string_view name);
std::string to_snake(std::string_view name);

}  // namespace unroll::cli
