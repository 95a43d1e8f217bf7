#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

namespace unroll::cli {

/// The content of the command line, still as text.
class Arguments {
 public:
  bool has(std::string_view option) const { return texts_.find(option) != texts_.end(); }
  /// The text given for an option; empty when there is none.
  std::string text(std::string_view option) const;
  const std::vector<std::string>& positional() const { return positional_; }
  /// The i-th positional argument; empty when there are fewer.
  std::string positional(std::size_t i) const { return i < positional_.size() ? positional_[i] : ""; }

  /// The values given for these options; throws InvalidOption in `who`'s name for one that is not allowed.
  OptionValues values(const std::vector<OptionInfo>& infos, std::string_view who) const;
  /// The struct with the given values, validated, and the others at their defaults.
  template <class Options>
  Options get(std::string_view who) const {
    return make_options<Options>(values(describe_options<Options>(), who), who);
  }

 private:
  friend class Parser;
  std::map<std::string, std::string, std::less<>> texts_;
  std::vector<std::string> positional_;
};

/// Reads the words after the verb. Throws InvalidOption for an unknown flag or argument, with the nearest flag.
Arguments parse(const Command& command, const std::vector<std::string>& words);
/// The same without errors, for a first look: which method is chosen, is help asked for?
Arguments peek(const Command& command, const std::vector<std::string>& words);

}  // namespace unroll::cli
