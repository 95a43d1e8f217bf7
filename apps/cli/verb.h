#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "command_line.h"
#include "console.h"
#include "unroll/registry.h"

namespace unroll::cli {

/// One verb of the command. `seen` is a first look at the words: if it has a method's name, that method's flags are
/// added.
struct Verb {
  std::string_view name;
  Command (*describe)(const Arguments& seen);
  void (*run)(const Arguments& arguments, const Console& console);
};

/// In the order of the overview.
const std::vector<Verb>& verbs();
/// Throws InvalidOption with the nearest name.
const Verb& find_verb(std::string_view name);
std::vector<std::string> verb_names();

/// What a verb takes, with the flags that all verbs have.
Command describe(const Verb& verb, const Arguments& seen = {});

/// The text of `unroll` without arguments.
std::string overview(const Style& style, std::size_t width);

Command describe_embed(const Arguments& seen);
void run_embed(const Arguments& arguments, const Console& console);
Command describe_transform(const Arguments& seen);
void run_transform(const Arguments& arguments, const Console& console);
Command describe_cluster(const Arguments& seen);
void run_cluster(const Arguments& arguments, const Console& console);
Command describe_label(const Arguments& seen);
void run_label(const Arguments& arguments, const Console& console);
Command describe_compare(const Arguments& seen);
void run_compare(const Arguments& arguments, const Console& console);
Command describe_advise(const Arguments& seen);
void run_advise(const Arguments& arguments, const Console& console);
Command describe_plot(const Arguments& seen);
void run_plot(const Arguments& arguments, const Console& console);
Command describe_neighbors(const Arguments& seen);
void run_neighbors(const Arguments& arguments, const Console& console);
Command describe_dimension(const Arguments& seen);
void run_dimension(const Arguments& arguments, const Console& console);
Command describe_spectrum(const Arguments& seen);
void run_spectrum(const Arguments& arguments, const Console& console);
Command describe_quality(const Arguments& seen);
void run_quality(const Arguments& arguments, const Console& console);
Command describe_datasets(const Arguments& seen);
void run_datasets(const Arguments& arguments, const Console& console);
Command describe_graph(const Arguments& seen);
void run_graph(const Arguments& arguments, const Console& console);
Command describe_info(const Arguments& seen);
Command describe_methods(const Arguments& seen);
void run_info(const Arguments& arguments, const Console& console);
void run_methods(const Arguments& arguments, const Console& console);
Command describe_completion(const Arguments& seen);
void run_completion(const Arguments& arguments, const Console& console);
Command describe_version(const Arguments& seen);
void run_version(const Arguments& arguments, const Console& console);
Command describe_help(const Arguments& seen);
void run_help(const Arguments& arguments, const Console& console);

/// "pca", "isomap", ...: the methods that make a map.
std::vector<std::string> method_names();
/// Whether there is a method of that name, of any kind.
bool is_method(std::string_view name);
/// The name of the method that is known by this one or by another; empty: there is none.
std::string known_method(std::string_view name);
/// "embed INPUT -m isomap", "cluster INPUT", "label INPUT --method spreading"
std::string use_of(const std::string& method);
/// "pca" of "pca0": the method whose map has such a column; empty: none.
std::string method_of_coordinate(std::string_view column);
std::vector<std::string> generator_names();

}  // namespace unroll::cli
