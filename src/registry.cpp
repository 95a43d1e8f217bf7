#include "unroll/registry.h"

#include <fmt/format.h>

#include "core/archive.h"
#include "core/file.h"
#include "core/model_file.h"
#include "core/text.h"
#include "core/transformer.h"
#include "data/feature_scaler.h"
#include "methods/pca_transformer.h"
#include "unroll/core/error.h"
#include "unroll/methods/pca.h"

namespace unroll {
namespace {

/// How to read back what a method's transformer wrote.
using Loader = std::shared_ptr<const Transformer> (*)(const ArchiveReader&);

struct Entry {
  Method method;
  Loader load;
};

/// A row of the table below: what is said of the method in words, and the two functions that do it.
template <class Options, Model (*Fit)(PointsView, const Options&, const Run&)>
Entry entry(Method words, Loader load) {
  words.name = Options::method_name;
  words.options = describe_options<Options>();
  words.fit = [](PointsView points, const OptionValues& values, const Run& run) {
    return Fit(points, make_options<Options>(values, Options::method_name), run);
  };
  return {std::move(words), load};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table{
      entry<PcaOptions, pca>({.title = "Principal component analysis",
                              .reference = "Pearson 1901; Hotelling 1933",
                              .transform = TransformKind::Exact,
                              .has_inverse = true,
                              .properties = {.translation = true,
                                             .rotation = true,
                                             .scale = Properties::Scale::Proportional,
                                             .permutation = true,
                                             .duplicates = true,
                                             .constant_columns = true,
                                             .nested = true,
                                             .min_points = 1}},
                             PcaTransformer::load),
  };
  return table;
}

/// kebab-case is welcome everywhere.
std::string snake_case(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

const Entry& find_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (entry.method.name == snake_case(name)) return entry;
    names.push_back(entry.method.name);
  }
  throw Error(ErrorKind::InvalidOption, fmt::format("there is no method '{}'{}; the methods are: {}", name,
                                                    did_you_mean(snake_case(name), names), joined(names)));
}

/// The saved options go through the same checks as a caller's.
void validate_saved_options(const ArchiveReader& archive, const Method& method, const OptionValues& options) {
  for (const auto& [name, value] : options) {
    const auto info = std::find_if(method.options.begin(), method.options.end(),
                                   [&, wanted = std::string_view(name)](const auto& o) { return o.name == wanted; });
    if (info == method.options.end()) archive.fail("options", fmt::format("{} has no option '{}'", method.name, name));
  }
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> list = [] {
    std::vector<Method> all;
    for (const Entry& entry : entries()) all.push_back(entry.method);
    return all;
  }();
  return list;
}

const Method& find_method(std::string_view name) { return find_entry(name).method; }

}  // namespace unroll
