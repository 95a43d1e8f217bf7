#include "unroll/core/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/archive.h"
#include "core/file.h"
#include "core/finite.h"
#include "core/model_file.h"
#include "core/reported_as.h"
#include "core/sparse_points.h"
#include "core/text.h"
#include "core/transformer.h"

namespace unroll {
namespace {

void check_finite_input(PointsView points, const Run& run) {
  const auto bad = first_non_finite(points, run);
  if (!bad) return;
  const bool nan = std::string_view(non_finite_name(points, *bad)) == "NaN";
  throw Error(
      ErrorKind::InvalidData,
      {.problem = fmt::format("contains {} in column {}", nan ? "NaN" : "infinity or a value too large", bad->col + 1),
       .advice = "leave out such rows or replace the values first",
       .row = bad->row});
}

void check_new_points(PointsView points, const Model& model, const Run& run) {
  if (points.is_sparse()) {
    const bool is_distances = std::any_of(model.options().begin(), model.options().end(), [](const NamedValue& option) {
      return option.name == "metric" && option.value == OptionValue(std::string("precomputed"));
    });
    if (is_distances)
      throw Error(ErrorKind::Unsupported,
                  "sparse rows came as distances to the training points, but a missing one is "
                  "not 0",
                  "give full rows");
    check_structure(points.sparse(), run);
  }
  if (points.cols() != model.n_features())
    throw Error(ErrorKind::InvalidData, fmt::format("X has {} features, but {} is expecting {} features as input",
                                                    points.cols(), model.method(), model.n_features()));
  check_finite_input(points, run);
}

/// Calls use(rows, first) for consecutive rows, stored as the transformer wants them. Only some at a time are
/// converted: a row's result does not depend on the others.
template <class Use>
void use_stored(PointsView points, const Transformer& transformer, Use&& use) {
  const RowStorage wanted = transformer.storage();
  if (wanted == RowStorage::Any || wanted == storage_of(points)) return use(points, Index{0});
  constexpr Index kEntries = Index{1} << 22;
  const Index rows = std::max<Index>(1, kEntries / points.cols());
  for (Index first = 0; first < points.rows(); first += rows) {
    const PointsView some = points.slice(first, std::min(rows, points.rows() - first));
    try {
      if (wanted == RowStorage::Sparse) {
        const SparsePoints sparse = sparse_copy(some);
        use(PointsView(sparse.view()), first);
      } else {
        std::visit([&](const auto& dense) { use(PointsView(dense), first); }, dense_copy(some.sparse()));
      }
    } catch (const Error& error) {
      if (error.row() < 0) throw;
      throw error.with_row(first + error.row());
    }
  }
}

ArchiveWriter archived(const Model::Parts& parts) {
  ArchiveWriter archive;
  save_model_parts(parts, archive);
  parts.transformer->save(archive);
  return archive;
}

/// Checks a transformer's result, too: throws Internal for a wrong shape, InvalidData for values that are not finite.
Array2<double> checked_result(Array2<double> result, Index rows, Index cols, const Run& run) {
  if (result.rows() != rows || result.cols() != cols)
    throw Error(ErrorKind::Internal,
                fmt::format("a result of {} x {} instead of {} x {}", result.rows(), result.cols(), rows, cols));
  if (const auto bad = first_non_finite(result, run))
    throw Error(ErrorKind::InvalidData, {.problem = "has a result that is not a finite number",
                                         .advice = "its values may be too large: is it in the same units?",
                                         .row = bad->row});
  return result;
}

}  // namespace

Model::Model(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {
  if (const auto fault = find_fault(*parts_))
    throw Error(ErrorKind::Internal, {.who = method(), .problem = fmt::format("{}: {}", fault->section, fault->what)});
  if (parts_->transformer == nullptr)
    throw Error(ErrorKind::Internal, {.who = method(), .problem = "no means to place new points"});
}

const Attribute& Model::find_attribute(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& entry : parts_->embedding.attributes) {
    if (entry.first == name) return entry.second;
    names.push_back(entry.first);
  }
  throw Error(ErrorKind::InvalidOption,
              {.who = method(),
               .problem = fmt::format("there is no attribute '{}'{}", name, did_you_mean(name, names)),
               .advice = fmt::format("there are: {}", names.empty() ? "none" : joined(names))});
}

void Model::throw_wrong_type(std::string_view name) const {
  constexpr std::array<std::string_view, std::variant_size_v<Attribute>> kTypes{"bool",
                                                                                "std::int64_t",
                                                                                "double",
                                                                                "std::string",
                                                                                "std::vector<double>",
                                                                                "std::shared_ptr<const Array2<double>>",
                                                                                "std::vector<std::int64_t>"};
  throw Error(ErrorKind::InvalidOption,
              {.who = method(),
               .problem = fmt::format("the attribute '{}' is of another type", name),
               .advice = fmt::format("ask for attribute<{}>", kTypes[find_attribute(name).index()])});
}

Model Model::with_features(Features features) const {
  const auto check = [&](Index count, std::string_view what) {
    if (count != 0 && count != n_features())
      throw Error(ErrorKind::InvalidOption,
                  {.who = method(), .problem = fmt::format("{} {} for {} features", count, what, n_features())});
  };
  check(std::ssize(features.names), "names");
  check(std::ssize(features.means), "means");
  check(std::ssize(features.places), "places");
  if (!features.classes.empty() && std::ssize(features.classes) != n_components())
    throw Error(
        ErrorKind::InvalidOption,
        {.who = method(), .problem = fmt::format("{} words for {} classes", features.classes.size(), n_components())});
  Parts parts = *parts_;
  parts.features = std::move(features);
  return Model(std::move(parts));
}

TransformKind Model::transform_kind() const { return parts_->transformer->kind(); }

Array2<double> Model::transform(PointsView points, const Run& run) const {
  return reported_as(method(), [&] {
    check_new_points(points, *this, run);
    Array2<double> result(points.rows(), n_components());
    if (points.rows() == 0) return result;
    use_stored(points, *parts_->transformer, [&](PointsView rows, Index first) {
      Array2<double> some = checked_result(parts_->transformer->transform(rows, run), rows.rows(), n_components(), run);
      if (rows.rows() == points.rows()) {
        result = std::move(some);
      } else {
        std::copy_n(some.data(), some.size(), result.row(first));
      }
    });
    return result;
  });
}

std::vector<Index> Model::predict(PointsView points, const Run& run) const {
  return reported_as(method(), [&] {
    check_new_points(points, *this, run);
    std::vector<Index> result;
    if (points.rows() == 0) return result;
    use_stored(points, *parts_->transformer, [&](PointsView rows, Index) {
      const std::vector<Index> some = parts_->transformer->predict(rows, run);
      result.insert(result.end(), some.begin(), some.end());
    });
    return result;
  });
}

Array2<double> Model::inverse_transform(PointsView coordinates, const Run& run) const {
  return reported_as(method(), [&] {
    if (coordinates.cols() != n_components())
      throw Error(ErrorKind::InvalidData, fmt::format("X has {} columns, but the map of {} has {} coordinates",
                                                      coordinates.cols(), method(), n_components()));
    check_finite_input(coordinates, run);
    return checked_result(parts_->transformer->inverse_transform(coordinates, run), coordinates.rows(), n_features(),
                          run);
  });
}

void Model::save(const std::string& path) const {
  AtomicFile file(path);
  archived(*parts_).write([&](const void* data, std::size_t size) { file.write(data, size); });
  file.commit();
}

std::vector<std::byte> Model::bytes() const { return archived(*parts_).bytes(); }

}  // namespace unroll
