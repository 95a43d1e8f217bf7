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

  std::string operator()(std::string_view text) const;

 private:
  struct Known {
    Flag flag;
    bool is_elsewhere;  ///< a flag of 'unroll embed'; the command has no methods to choose
  };
  static std::string translated(const Known& known, std::string_view value);

  std::map<std::string, Known, std::less<>> flags_ = {};  // by the name of the option
};

}  // namespace unroll::cli
