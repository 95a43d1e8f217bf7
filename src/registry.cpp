#include "unroll/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/archive.h"
#include "core/file.h"
#include "core/model_file.h"
#include "core/text.h"
#include "core/transformer.h"
#include "data/feature_scaler.h"
#include "linalg/linear_projection.h"
#include "spectral/transformer.h"
#include "unroll/core/error.h"
#include "unroll/methods/diffusion_maps.h"
#include "unroll/methods/hlle.h"
#include "unroll/methods/isomap.h"
#include "unroll/methods/kernel_pca.h"
#include "unroll/methods/laplacian_eigenmaps.h"
#include "unroll/methods/lle.h"
#include "unroll/methods/ltsa.h"
#include "unroll/methods/mds.h"
#include "unroll/methods/mlle.h"
#include "unroll/methods/pca.h"
#include "unroll/methods/spectral_clustering.h"

namespace unroll {
namespace {

/// A row of the table below: what is said of the method in words, and the function that does it.
template <class Options, Model (*Fit)(PointsView, const Options&, const Run&)>
Method entry(Method words) {
  words.name = Options::method_name;
  words.options = describe_options<Options>();
  words.fit = [](PointsView points, const OptionValues& values, const Run& run) {
    return Fit(points, make_options<Options>(values, Options::method_name), run);
  };
  return words;
}

/// The same for a method that can also be fitted to a sparse matrix.
template <class Options, Model (*Fit)(PointsView, const Options&, const Run&),
          Model (*FitSparse)(const SparseMatrix&, const Options&, const Run&)>
Method entry(Method words) {
  words.fit_sparse = [](const SparseMatrix& matrix, const OptionValues& values, const Run& run) {
    return FitSparse(matrix, make_options<Options>(values, Options::method_name), run);
  };
  return entry<Options, Fit>(std::move(words));
}

const std::vector<Method>& entries() {
  static const std::vector<Method> table{
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
                                             .min_points = 1}}),
      entry<MdsOptions, mds>({.title = "Classical multidimensional scaling",
                              .reference = "Torgerson 1952; Gower 1966",
                              .transform = TransformKind::Exact,
                              .has_inverse = true,
                              .properties = {.translation = true,
                                             .rotation = true,
                                             .scale = Properties::Scale::Proportional,
                                             .permutation = true,
                                             .duplicates = true,
                                             .constant_columns = true,
                                             .nested = true,
                                             .min_points = 2}}),
      entry<IsomapOptions, isomap, isomap>(
          {.title = "Isomap",
           .reference = "Tenenbaum, de Silva & Langford 2000; de Silva & Tenenbaum 2003",
           .transform = TransformKind::Exact,
           .properties = {.translation = true,
                          .rotation = true,
                          .scale = Properties::Scale::Proportional,
                          .permutation = true,
                          .constant_columns = true,
                          .nested = true,
                          .min_points = 2}}),
      entry<KernelPcaOptions, kernel_pca, kernel_pca>(
          {.title = "Kernel principal component analysis",
           .reference = "Schoelkopf, Smola & Mueller 1998",
           .transform = TransformKind::Exact,
           .has_inverse = true,
           // Of the default kernel; its gamma of 1 / features is no function of scale.
           .properties = {.translation = true,
                          .rotation = true,
                          .scale = Properties::Scale::Other,
                          .permutation = true,
                          .duplicates = true,
                          .constant_columns = false,
                          .nested = true,
                          .min_points = 2}}),
      entry<LleOptions, lle, lle>({.title = "Locally linear embedding",
                                   .reference = "Roweis & Saul 2000; Saul & Roweis 2003; landmarks: Vladymyrov & "
                                                "Carreira-Perpinan 2013",
                                   .transform = TransformKind::Weights,
                                   .properties = {.translation = true,
                                                  .rotation = true,
                                                  .scale = Properties::Scale::Unchanged,
                                                  .permutation = true,
                                                  .constant_columns = true,
                                                  .nested = true,
                                                  .min_points = 3}}),
      entry<MlleOptions, mlle, mlle>({.title = "Modified locally linear embedding",
                                      .reference = "Zhang & Wang 2006",
                                      .transform = TransformKind::Weights,
                                      .properties = {.translation = true,
                                                     .rotation = true,
                                                     .scale = Properties::Scale::Unchanged,
                                                     .permutation = true,
                                                     .constant_columns = true,
                                                     .min_points = 4}}),
      entry<HlleOptions, hlle, hlle>({.title = "Hessian locally linear embedding",
                                      .reference = "Donoho & Grimes 2003",
                                      .transform = TransformKind::Weights,
                                      .properties = {.translation = true,
                                                     .rotation = true,
                                                     .scale = Properties::Scale::Unchanged,
                                                     .permutation = true,
                                                     .constant_columns = true,
                                                     .min_points = 7}}),
      entry<LtsaOptions, ltsa, ltsa>({.title = "Local tangent space alignment",
                                      .reference = "Zhang & Zha 2004",
                                      .transform = TransformKind::Weights,
                                      .properties = {.translation = true,
                                                     .rotation = true,
                                                     .scale = Properties::Scale::Unchanged,
                                                     .permutation = true,
                                                     .constant_columns = true,
                                                     .min_points = 5}}),
      entry<LaplacianEigenmapsOptions, laplacian_eigenmaps, laplacian_eigenmaps>(
          {.title = "Laplacian eigenmaps",
           .reference = "Belkin & Niyogi 2003",
           .transform = TransformKind::Nystrom,
           .properties = {.translation = true,
                          .rotation = true,
                          .scale = Properties::Scale::Unchanged,
                          .permutation = true,
                          .constant_columns = true,
                          .nested = true,
                          .min_points = 3}}),
      entry<DiffusionMapsOptions, diffusion_maps, diffusion_maps>({.title = "Diffusion maps",
                                                                   .reference = "Coifman & Lafon 2006",
                                                                   .transform = TransformKind::Nystrom,
                                                                   .properties = {.translation = true,
                                                                                  .rotation = true,
                                                                                  .scale = Properties::Scale::Unchanged,
                                                                                  .permutation = true,
                                                                                  .constant_columns = true,
                                                                                  .nested = true,
                                                                                  .min_points = 3}}),
  };
  return table;
}

Model cluster_points(PointsView points, const SpectralClusteringOptions& options, const Run& run) {
  return spectral_clustering(points, options, run).model;
}
Model cluster_graph(const SparseMatrix& matrix, const SpectralClusteringOptions& options, const Run& run) {
  return spectral_clustering(matrix, options, run).model;
}

/// Not among the methods that make a map to be looked at.
const std::vector<Method>& cluster_entries() {
  static const std::vector<Method> table{entry<SpectralClusteringOptions, cluster_points, cluster_graph>(
      {.title = "Spectral clustering",
       .reference = "Shi & Malik 2000; Ng, Jordan & Weiss 2002; von Luxburg 2007; Damle, Minden & Ying 2019",
       .transform = TransformKind::Nystrom,
       // Rows are scaled to length one: those of fewer eigenvectors are not the first part of those of more.
       .properties = {.translation = true,
                      .rotation = true,
                      .scale = Properties::Scale::Unchanged,
                      .permutation = true,
                      .constant_columns = true,
                      .min_points = 2}})};
  return table;
}

/// kebab-case is welcome everywhere.
std::string snake_case(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

const Method& find_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const Method& entry : entries()) {
    if (entry.name == snake_case(name)) return entry;
    names.push_back(entry.name);
  }
  for (const Method& entry : cluster_entries())
    if (entry.name == snake_case(name))
      throw Error(
          ErrorKind::InvalidOption,
          fmt::format("there is no method '{}' that makes a map: it finds clusters; use 'unroll cluster'", name));
  throw Error(ErrorKind::InvalidOption, fmt::format("there is no method '{}'{}; the methods are: {}", name,
                                                    did_you_mean(snake_case(name), names), joined(names)));
}

/// What places new points. A file says by its sections which kind it is, whatever method has written it.
std::shared_ptr<const Transformer> load_transformer(const ArchiveReader& archive) {
  return archive.has("projection.axes") ? LinearProjection::load(archive) : SpectralTransformer::load(archive);
}

/// The options of a model file, typed by the method's declarations and checked like a caller's.
OptionValues typed_options(const ArchiveReader& archive, const Method& method, const OptionValues& texts) {
  OptionValues options;
  for (const OptionInfo& info : method.options) {
    const auto saved =
        std::find_if(texts.begin(), texts.end(), [&](const NamedValue& option) { return option.name == info.name; });
    if (saved == texts.end()) continue;  // younger than the file
    try {
      options.push_back({info.name, parse_option(info, std::get<std::string>(saved->value), method.name)});
      validate_option(info, options.back().value, method.name);
    } catch (const Error& error) {
      archive.fail("options", error.what());
    }
  }
  for (const NamedValue& option : texts) {
    const bool known =
        std::any_of(options.begin(), options.end(), [&](const auto& o) { return o.name == option.name; });
    if (!known) archive.fail("options", fmt::format("{} has no option '{}'", method.name, option.name));
  }
  return options;
}

}  // namespace

const std::vector<Method>& methods() { return entries(); }

const std::vector<Method>& clusterings() { return cluster_entries(); }

const Method& find_method(std::string_view name) { return find_entry(name); }

Model load_model(std::vector<std::byte> bytes, const std::string& origin) {
  const ArchiveReader archive(std::move(bytes), origin);
  Model::Parts parts = load_model_parts(archive);
  const Method* known = nullptr;
  for (const auto* table : {&entries(), &cluster_entries()})
    for (const Method& entry : *table)
      if (entry.name == parts.method) known = &entry;
  if (known == nullptr) archive.fail("method", fmt::format("'{}' is no method of this version", parts.method));
  parts.options = typed_options(archive, *known, parts.options);
  parts.transformer = with_scaling(FeatureScaler::load(archive), load_transformer(archive));
  return Model(std::move(parts));
}

Model load_model(const std::string& path) { return load_model(read_file(path), path); }

}  // namespace unroll
