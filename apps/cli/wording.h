#pragma once
#include <map>
#include <string>
#include <string_view>

#include "command.h"

namespace unroll::cli {

/// Translates messages of the library into flags of a command, so that a hint can be typed: "use n_neighbors=24, or a
/// larger n_landmarks" becomes "use -k 24, or a larger --n-landmarks". This is the only place that does so.
class Wording {
 public:
  /// Without a command nothing is translated.
  Wording() = default;
  explicit Wording(const Command& command);

  /// A command with a list of methods takes options that it has no flag for in that list. They stay as they are, or, if
  /// it is known which `method` speaks, become "-m isomap:n_landmarks=100".
  std::string operator()(std::string_view text, std::string_view method = {}) const;
  /// The option of the command by which that option of a method is set.
  std::string option(const std::string& name) const;

 private:
  enum class Place { Here, InList, Elsewhere };  ///< a flag; in the list of methods; a flag of 'unroll embed'
  struct Known {
    Flag flag;
    Place place;
  };
  static std::string translated(const Known& known, std::string_view value, std::string_view method);

  std::map<std::string, Known, std::less<>> flags_ = {};  // by the name of the option
};

}  // namespace unroll::cli
