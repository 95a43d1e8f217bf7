#pragma once
#include <string>
#include <vector>

#include "flag.h"

/// What a verb takes, declared once: the parser, the help and the completion come from it.
namespace unroll::cli {

/// An argument known by its place.
struct Argument {
  std::string name;
  std::string help;
  bool required = true;
  std::vector<std::string> choices = {};  ///< for completion; empty: a file
};

struct Example {
  std::string command;
  std::string comment = {};
};

/// Title of the flags that stand in for those of a method as long as none is chosen.
inline constexpr const char* kUsualOptions = "Options of most methods";

struct FlagGroup {
  std::string title;
  std::vector<Flag> flags;
  bool in_brief_help = true;
};

struct Command {
  std::string name;     ///< "embed"
  std::string summary;  ///< one line
  std::string usage;    ///< what follows the name, from the blank on
  std::vector<Example> examples = {};
  std::vector<Argument> arguments = {};
  std::vector<FlagGroup> groups = {};
  std::string about = {};  ///< paragraphs after the flags, one per line
  std::string notes = {};  ///< more of them, in the full help only
  std::string topic = {};  ///< "embed -m pca": the words that bring up this help, where the name alone does not
};

}  // namespace unroll::cli
