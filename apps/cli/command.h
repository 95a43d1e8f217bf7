#pragma once
#include <string>
#include <vector>

#include "flag.h"

/// What a verb takes, declared once: the parser, the help and the completion come from it.
namespace unroll::cli {

/// A positional argument.
struct Argument {
  std::string name;
  std::string help;
  bool required = true;
  std::vector<std::string> choices = {};  ///< for completion; empty: a file
  std::string missing = {};               ///< what to say where it is missing; empty: its name is missing
};

struct Example {
  std::string command;
  std::string comment = {};
};

/// Title of the flags that are shown in place of a method's while no method is chosen.
inline constexpr const char* kUsualOptions = "Options of most methods";

struct FlagGroup {
  std::string title;
  std::vector<Flag> flags;
  bool in_brief_help = true;
};

struct Command {
  std::string name;     ///< "embed"
  std::string summary;  ///< one line
  std::string usage;    ///< what follows the name, including the blank
  std::vector<Example> examples = {};
  std::vector<Argument> arguments = {};
  std::vector<FlagGroup> groups = {};
  std::string about = {};                                 ///< paragraphs after the flags, one per line
  std::string notes = {};                                 ///< more paragraphs, in the full help only
  std::vector<std::string> outputs = {"output", "save"};  ///< options that name files to write
  std::string program = "unroll";
  std::string topic = {};  ///< "embed -m pca": the words that show this help, if the name alone does not
};

}  // namespace unroll::cli
