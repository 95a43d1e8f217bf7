#pragma once
#include <string>
#include <vector>

#include "flag.h"

/// What a verb takes, declared once: the parser, the help and the completion scripts come from it.
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

struct FlagGroup {
  std::string title;
  std::vector<Flag> flags;
};

struct Command {
  std::string name;     ///< "embed"
  std::string summary;  ///< one line
  std::string usage;    ///< what follows the name
  std::vector<Example> examples = {};
  std::vector<Argument> arguments = {};
  std::vector<FlagGroup> groups = {};
  std::string notes = {};  ///< paragraphs after the flags, one per line
  std::string more = {};   ///< the command that shows this help, without --help, where it is not the name alone
};

}  // namespace unroll::cli
