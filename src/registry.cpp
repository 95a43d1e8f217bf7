#include "unroll/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/archive.h"
#include "core/file.h"
#include "core/model_file.h"
#include "core/text.h"
#include "core/transformer.h"
#include "frame/preparation.h"
#include "graph/cluster_transformer.h"
#include "layout/layout_transformer.h"
#include "learn/label_transformer.h"
#include "linalg/linear_projection.h"
#include "network/network_transformer.h"
#include "spectral/transformer.h"
#include "unroll/core/error.h"
#include "unroll/learn/label_eigenvectors.h"
#include "unroll/learn/label_propagation.h"
#include "unroll/learn/label_spreading.h"
#include "unroll/methods/autoencoder.h"
#include "unroll/methods/diffusion_maps.h"
#include "unroll/methods/hlle.h"
#include "unroll/methods/isomap.h"
#include "unroll/methods/kernel_pca.h"
#include "unroll/methods/laplacian_eigenmaps.h"
#include "unroll/methods/lle.h"
#include "unroll/methods/ltsa.h"
#include "unroll/methods/mds.h"
#include "unroll/methods/metric_mds.h"
#include "unroll/methods/mlle.h"
#include "unroll/methods/mvu.h"
#include "unroll/methods/nonmetric_mds.h"
#include "unroll/methods/pca.h"
#include "unroll/methods/sammon.h"
#include "unroll/methods/sne.h"
#include "unroll/methods/spectral_clustering.h"
#include "unroll/methods/tsne.h"
#include "unroll/methods/umap.h"

namespace unroll {
namespace {

/// A row of the table below: what is said of the method in words, and the function that does it.
template <class Options, Model (*Fit)(const Input&, const Options&, const Run&)>
Method entry(Method words) {
  words.name = Options::method_name;
  words.inputs.assign(Options::input_kinds.begin(), Options::input_kinds.end());
  words.options = describe_options<Options>();
  words.properties.min_points = Options::min_points;
  words.is_optimized = requires { Options::iterations_option; };
  if constexpr (requires { Options::min_neighbors(Index{1}); }) {
    words.min_neighbors = Options::min_neighbors;
  } else if constexpr (requires(Options options) { options.n_neighbors; }) {
    words.min_neighbors = [](Index) { return Index{1}; };
  }
  if constexpr (requires(Options options) { Options::needed_neighbors(options, Index{1}); })
    words.needed_neighbors = [](const OptionValues& values, Index n) {
      return Options::needed_neighbors(make_options<Options>(values, Options::method_name), n);
    };
  words.fit = [](const Input& input, const OptionValues& values, const Run& run) {
    return Fit(input, make_options<Options>(values, Options::method_name), run);
  };
  return words;
}

/// What optimised maps have in common: rounding errors grow in the course of the iterations. So a change of the data
/// that changes the last bits of distances may change the map; a power of two as unit changes no bit.
constexpr Properties kOptimizedMap{.translation = false,
                                   .rotation = false,
                                   .scale = Properties::Scale::Unchanged,
                                   .permutation = false,
                                   .constant_columns = false};

/// Properties that most methods have are the defaults of `Properties`; a row says how its method differs.
const std::vector<Method>& entries() {
  static const std::vector<Method> table{
      entry<PcaOptions, pca>(
          {.title = "Principal component analysis",
           .reference = "Pearson 1901; Hotelling 1933",
           .transform = TransformKind::Exact,
           .has_inverse = true,
           .properties = {.scale = Properties::Scale::Proportional, .duplicates = true, .nested = true}}),
      entry<MdsOptions, mds>(
          {.title = "Classical multidimensional scaling",
           .aliases = {"classical_mds", "cmds", "torgerson"},
           .reference = "Torgerson 1952; Gower 1966",
           .transform = TransformKind::Exact,
           .has_inverse = true,
           .properties = {.scale = Properties::Scale::Proportional, .duplicates = true, .nested = true}}),
      entry<MetricMdsOptions, metric_mds>({.title = "Metric multidimensional scaling",
                                           .aliases = {"smacof"},
                                           .reference = "Kruskal 1964; de Leeuw 1977; Borg & Groenen 2005",
                                           .transform = TransformKind::Optimized,
                                           .properties = {.scale = Properties::Scale::Proportional},
                                           .most_compared = 5000}),
      entry<NonmetricMdsOptions, nonmetric_mds>({.title = "Non-metric multidimensional scaling",
                                                 .aliases = {"nmds"},
                                                 .reference = "Shepard 1962; Kruskal 1964",
                                                 .transform = TransformKind::Optimized,
                                                 .properties = kOptimizedMap,
                                                 .most_compared = 3000}),
      entry<SammonOptions, sammon>({.title = "Sammon's mapping",
                                    .aliases = {"sammon_mapping"},
                                    .reference = "Sammon 1969",
                                    .transform = TransformKind::Optimized,
                                    .properties = {.scale = Properties::Scale::Proportional},
                                    .most_compared = 5000}),
      entry<IsomapOptions, isomap>({.title = "Isomap",
                                    .reference = "Tenenbaum, de Silva & Langford 2000; de Silva & Tenenbaum 2003",
                                    .transform = TransformKind::Exact,
                                    .properties = {.scale = Properties::Scale::Proportional, .nested = true},
                                    .most_compared = 10'000}),
      entry<MvuOptions, mvu>(
          {.title = "Maximum variance unfolding",
           .aliases = {"maximum_variance_unfolding", "semidefinite_embedding"},
           .reference = "Weinberger & Saul 2004; Burer & Monteiro 2003; Kulis, Surendran & Platt 2007",
           .transform = TransformKind::Optimized,
           .properties = {.scale = Properties::Scale::Proportional, .rounding = 1e-3},
           .most_compared = 1000}),
      entry<KernelPcaOptions, kernel_pca>(
          {.title = "Kernel principal component analysis",
           .aliases = {"kpca"},
           .reference = "Schoelkopf, Smola & Mueller 1998",
           .transform = TransformKind::Exact,
           .has_inverse = true,
           // Unchanged by scale until gamma leaves the range of double, for units of 1e150.
           .properties = {.scale = Properties::Scale::Other, .duplicates = true, .nested = true},
           .most_compared = 10'000}),
      entry<LleOptions, lle>({.title = "Locally linear embedding",
                              .aliases = {"locally_linear_embedding"},
                              .reference = "Roweis & Saul 2000; Saul & Roweis 2003; landmarks: Vladymyrov & "
                                           "Carreira-Perpinan 2013",
                              .transform = TransformKind::Weights,
                              .properties = {.scale = Properties::Scale::Unchanged, .nested = true}}),
      entry<MlleOptions, mlle>({.title = "Modified locally linear embedding",
                                .aliases = {"modified_lle"},
                                .reference = "Zhang & Wang 2006",
                                .transform = TransformKind::Weights,
                                .properties = {.scale = Properties::Scale::Unchanged}}),
      entry<HlleOptions, hlle>({.title = "Hessian locally linear embedding",
                                .aliases = {"hessian_lle", "hessian_eigenmaps"},
                                .reference = "Donoho & Grimes 2003",
                                .transform = TransformKind::Weights,
                                .properties = {.scale = Properties::Scale::Unchanged}}),
      entry<LtsaOptions, ltsa>({.title = "Local tangent space alignment",
                                .aliases = {"tangent_space_alignment"},
                                .reference = "Zhang & Zha 2004",
                                .transform = TransformKind::Weights,
                                .properties = {.scale = Properties::Scale::Unchanged}}),
      entry<LaplacianEigenmapsOptions, laplacian_eigenmaps>(
          {.title = "Laplacian eigenmaps",
           .aliases = {"le", "eigenmaps", "spectral_embedding"},
           .reference = "Belkin & Niyogi 2003",
           .transform = TransformKind::Nystrom,
           .properties = {.scale = Properties::Scale::Unchanged, .nested = true}}),
      entry<DiffusionMapsOptions, diffusion_maps>(
          {.title = "Diffusion maps",
           .aliases = {"dm", "diffusion_map"},
           .reference = "Coifman & Lafon 2006",
           .transform = TransformKind::Nystrom,
           .properties = {.scale = Properties::Scale::Unchanged, .nested = true}}),
      entry<SneOptions, sne>({.title = "Stochastic neighbor embedding",
                              .reference = "Hinton & Roweis 2002",
                              .transform = TransformKind::Optimized,
                              .properties = kOptimizedMap,
                              .most_compared = 20'000}),  // all pairs in more than two dimensions
      entry<TsneOptions, tsne>({.title = "t-distributed stochastic neighbor embedding",
                                .aliases = {"t_sne"},
                                .reference = "van der Maaten & Hinton 2008; Linderman et al. 2019; Belkina et al. 2019",
                                .transform = TransformKind::Optimized,
                                .properties = kOptimizedMap}),
      entry<UmapOptions, umap>({.title = "Uniform manifold approximation and projection",
                                .reference = "McInnes, Healy & Melville 2018; Damrich & Hamprecht 2021",
                                .transform = TransformKind::Optimized,
                                .properties = kOptimizedMap}),
      entry<AutoencoderOptions, autoencoder>(
          {.title = "Autoencoder with pre-training by restricted Boltzmann machines",
           .aliases = {"autoencoder_rbm", "auto_encoder"},
           .reference = "Hinton & Salakhutdinov 2006",
           .transform = TransformKind::Exact,
           .has_inverse = true,
           // As long as the unit of the data does not decide whether all values are between 0 and 1.
           .properties = kOptimizedMap,
           .most_compared = 5000}),
      entry<SpectralClusteringOptions, spectral_clustering>(
          {.title = "Spectral clustering",
           .reference = "Shi & Malik 2000; Ng, Jordan & Weiss 2002; von Luxburg 2007; Damle, Minden & Ying 2019",
           .kind = MethodKind::Clusters,
           .transform = TransformKind::Nystrom,
           // Rows are scaled to length one: those of fewer eigenvectors are not the first part of those of more.
           .properties = {.scale = Properties::Scale::Unchanged}}),
      entry<LabelPropagationOptions, label_propagation>(
          {.title = "Label propagation",
           .aliases = {"harmonic_functions"},
           .reference = "Zhu & Ghahramani 2002; Zhu, Ghahramani & Lafferty 2003",
           .kind = MethodKind::Labels,
           .transform = TransformKind::Weights,
           .properties = {.scale = Properties::Scale::Unchanged}}),
      entry<LabelSpreadingOptions, label_spreading>({.title = "Label spreading",
                                                     .aliases = {"local_and_global_consistency"},
                                                     .reference = "Zhou, Bousquet, Lal, Weston & Schoelkopf 2004",
                                                     .kind = MethodKind::Labels,
                                                     .transform = TransformKind::Weights,
                                                     .properties = {.scale = Properties::Scale::Unchanged}}),
      entry<LabelEigenvectorsOptions, label_eigenvectors>({.title = "Classes in eigenvectors of the Laplacian",
                                                           .aliases = {"laplacian_classifier"},
                                                           .reference = "Belkin & Niyogi 2004",
                                                           .kind = MethodKind::Labels,
                                                           .transform = TransformKind::Weights,
                                                           .properties = {.scale = Properties::Scale::Unchanged}}),
  };
  return table;
}

/// A name without what users may write in one way or another: case, hyphens, underscores, blanks.
std::string letters_of(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

/// Null: there is none.
const Method* entry_of(std::string_view name) {
  const std::string letters = letters_of(name);
  const auto is_meant = [&](const std::string& known) { return letters_of(known) == letters; };
  const auto found = std::find_if(entries().begin(), entries().end(), [&](const Method& entry) {
    return is_meant(entry.name) || std::any_of(entry.aliases.begin(), entry.aliases.end(), is_meant);
  });
  return found == entries().end() ? nullptr : &*found;
}

/// What places new points. A file says by its sections which kind it is, whatever method has written it.
std::shared_ptr<const Transformer> load_transformer(const ArchiveReader& archive) {
  if (LayoutTransformer::is_in(archive)) return LayoutTransformer::load(archive);
  if (NetworkTransformer::is_in(archive)) return NetworkTransformer::load(archive);
  return archive.has("projection.axes") ? LinearProjection::load(archive) : SpectralTransformer::load(archive);
}

/// Where 0.1.0 kept the centers of clusters; null: nowhere.
const Array2<double>* old_centers(const Embedding& embedding) {
  for (const auto& [name, value] : embedding.attributes)
    if (const auto* matrix = std::get_if<std::shared_ptr<const Array2<double>>>(&value); name == "centers" && matrix)
      return matrix->get();
  return nullptr;
}

/// The option n_clusters of a model file counts its centers: labels are below it.
void check_clusters(const ArchiveReader& archive, const OptionValues& options, Index centers) {
  for (const NamedValue& option : options)
    if (option.name == "n_clusters" && option.value == OptionValue(std::int64_t{centers})) return;
  archive.fail("options", fmt::format("n_clusters is not the number of centers, {}", centers));
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

bool Method::takes_sparse() const {
  return std::any_of(inputs.begin(), inputs.end(), [](InputKind input) { return input >= InputKind::SparseDistances; });
}

const std::vector<Method>& methods() { return entries(); }

std::vector<const Method*> methods_of(MethodKind kind) {
  std::vector<const Method*> result;
  for (const Method& method : entries())
    if (method.kind == kind) result.push_back(&method);
  return result;
}

const Method& find_method(std::string_view name) {
  if (const Method* found = entry_of(name)) return *found;
  std::vector<std::string> names;
  for (const Method& entry : entries()) names.push_back(entry.name);
  std::vector<std::string> known = names;
  for (const Method& entry : entries()) known.insert(known.end(), entry.aliases.begin(), entry.aliases.end());
  std::string snake(name);
  std::replace(snake.begin(), snake.end(), '-', '_');
  throw Error(ErrorKind::InvalidOption, fmt::format("there is no method '{}'{}", name, did_you_mean(snake, known)),
              fmt::format("the methods are: {}", joined(names)));
}

Input sparse_input(const SparseMatrix& matrix, const OptionValues& options) {
  const bool is_similarity = std::any_of(options.begin(), options.end(), [](const NamedValue& option) {
    return (option.name == "kernel" || option.name == "weights") &&
           option.value == OptionValue(std::string("precomputed"));
  });
  if (is_similarity) return SparseSimilarities(matrix);
  return SparseDistances(matrix);
}

Model load_model(std::vector<std::byte> bytes, const std::string& origin) {
  const ArchiveReader archive(std::move(bytes), origin);
  Model::Parts parts = load_model_parts(archive);
  const Method* known = entry_of(parts.method);
  if (known == nullptr || known->name != parts.method)
    archive.fail("method", fmt::format("'{}' is no method of this version", parts.method));
  parts.options = typed_options(archive, *known, parts.options);
  std::shared_ptr<const Transformer> transformer;
  if (known->kind == MethodKind::Labels) {
    const auto labels = LabelTransformer::load(archive);
    parts.labels = labels->labels();
    transformer = labels;
  } else {
    transformer = load_transformer(archive);
  }
  if (known->kind == MethodKind::Clusters) {
    const auto clusters = ClusterTransformer::load(archive, std::move(transformer), parts.embedding.coordinates.cols(),
                                                   old_centers(parts.embedding));
    check_clusters(archive, parts.options, clusters->clusters());
    parts.labels = clusters->labels_of(parts.embedding.coordinates, {});
    transformer = clusters;
  }
  parts.transformer = Preparation::loaded(archive, parts.n_features, std::move(transformer));
  return Model(std::move(parts));
}

Model load_model(const std::string& path) { return load_model(read_file(path), path); }

}  // namespace unroll
