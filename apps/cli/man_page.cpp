#include "man_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "help.h"
#include "method_command.h"
#include "unroll/registry.h"
#include "unroll/version.h"
#include "verb.h"

namespace unroll::cli {
namespace {

/// Text that roff shows as it is: backslashes and hyphens are doubled or quoted, and no line begins with a command.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty()) text.front() = upper(text.substr(0, 1)).front();
  return text;
}

std::string heading(std::string_view name, std::string_view title) {
  return fmt::format(".TH {} 1 \"\" \"unroll {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(escaped(name)),
                     version(), escaped(name), escaped(title));
}

std::string section(std::string_view title) { return fmt::format(".SH {}\n", upper(escaped(title))); }

std::string paragraphs_of(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) result += fmt::format(".PP\n{}\n", escaped(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string definitions_of(const std::vector<Definition>& entries) {
  std::string result;
  for (const auto& [name, meaning] : entries)
    result += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(meaning));
  return result;
}

std::string examples_of(const std::vector<Example>& examples) {
  std::string result;
  for (const auto& [command, comment] : examples)
    result += fmt::format(".PP\n.EX\n{}\n.EE\n{}", escaped(command), comment.empty() ? "" : escaped(comment) + "\n");
  return result;
}

constexpr const char* kExitCodes =
    "0 done, 1 files and the like, 2 wrong usage, 3 unusable data, 4 no convergence, 5 too little memory, "
    "130 interrupted, 143 terminated.";

std::string ending() {
  return section("Exit status") + paragraphs_of(kExitCodes) + section("Environment") +
         definitions_of({{"UNROLL_THREADS", "The default of --threads."},
                         {"NO_COLOR", "No colors, if it is not empty."},
                         {"TERM", "dumb turns colors and the progress bar off."}});
}

/// The options of every method that the verb can fit.
std::string method_sections(const std::string& verb) {
  std::string result;
  if (!fits_a_method(verb)) return result;
  for (const Method* method : methods_of(MethodKind::Map))
    result += section("Options of " + method->name) + paragraphs_of(method->title + ". " + method->reference) +
              definitions_of(definitions(make_algorithm_flags(method_options(verb, *method))));
  return result;
}

std::string overview_page() {
  std::vector<Definition> entries;
  std::string pages;
  for (const auto& verb : verbs()) {
    entries.emplace_back(verb.name, verb.describe({}).summary);
    pages += fmt::format(R"({}\fBunroll\-{}\fR(1))", pages.empty() ? "" : ", ", verb.name);
  }
  return heading("unroll", "finds the low-dimensional shape of high-dimensional data") + section("Synopsis") +
         "\\fBunroll\\fR VERB [arguments]\n" + section("Description") +
         paragraphs_of(
             "Rows are samples. Files are .npy, .npz, .mtx, .csv, .tsv, .txt or idx, each also .gz; - is standard "
             "input "
             "or output.") +
         definitions_of(entries) + section("Examples") +
         examples_of({{"unroll datasets make swiss-roll -n 2000 -o roll.npy"},
                      {"unroll embed roll.npy -m isomap -o flat.csv --save m.unroll"},
                      {"unroll compare roll.npy -o maps.html"}}) +
         ending() + section("See also") + pages + "\n";
}

std::string verb_page(const Verb& verb) {
  const Command command = describe(verb);
  std::string page = heading("unroll-" + command.name, command.summary) + section("Synopsis") +
                     fmt::format("\\fBunroll {}\\fR{}\n", escaped(command.name), escaped(command.usage)) +
                     section("Description") + paragraphs_of(capitalized(command.summary) + ".");
  std::vector<Definition> arguments;
  for (const auto& argument : command.arguments)
    if (!argument.help.empty()) arguments.emplace_back(argument.name, argument.help);
  page += definitions_of(arguments) + paragraphs_of(command.notes);
  for (const FlagGroup& group : command.groups)
    if (group.title != kUsualOptions) page += section(group.title) + definitions_of(definitions(group.flags));
  page += method_sections(command.name) + section("Examples") + examples_of(command.examples);
  return page + ending() + section("See also") + "\\fBunroll\\fR(1)\n";
}

}  // namespace

std::string man_page(const std::string& verb) { return verb.empty() ? overview_page() : verb_page(find_verb(verb)); }

}  // namespace unroll::cli
