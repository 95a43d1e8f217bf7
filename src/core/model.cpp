#include "unroll/core/model.h"

#include <fmt/format.h>

#include "core/archive.h"
#include "core/file.h"
#include "core/finite.h"
#include "core/model_file.h"
#include "core/text.h"
#include "core/transformer.h"

namespace unroll {
namespace {

void check_finite_input(const std::string& method, PointsView points, const Run& run) {
  const auto bad = first_non_finite(points, run);
  if (!bad) return;
  const bool nan = std::string_view(non_finite_name(points, *bad)) == "NaN";
  throw Error(ErrorKind::InvalidData,
              fmt::format("{}: Input X contains {}; the first is at row {}, column {}", method,
                          nan ? "NaN" : "infinity or a value too large", bad->row + 1, bad->col + 1));
}

/// What a transformer gives back is held to its promises, too.
Array2<double> checked_result(const std::string& method, Array2<double> result, Index rows, Index cols,
                              const Run& run) {
  if (result.rows() != rows || result.cols() != cols)
    throw Error(ErrorKind::Internal, fmt::format("{}: a result of {} x {} instead of {} x {}", method, result.rows(),
                                                 result.cols(), rows, cols));
  if (const auto bad = first_non_finite(result, run))
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: the result for row {} is not a finite number; the values of that row are too large",
                            method, bad->row + 1));
  return result;
}

}  // namespace

Model::Model(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {
  if (const auto fault = find_fault(*parts_))
    throw Error(ErrorKind::Internal, fmt::format("{}: {}: {}", method(), fault->section, fault->what));
  if (parts_->transformer == nullptr)
    throw Error(ErrorKind::Internal, fmt::format("{}: no means to place new points", method()));
}

const Diagnostic& Model::find_diagnostic(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& entry : parts_->embedding.diagnostics) {
    if (entry.first == name) return entry.second;
    names.push_back(entry.first);
  }
  throw Error(ErrorKind::InvalidOption, fmt::format("{}: there is no diagnostic '{}'{}; there are: {}", method(), name,
                                                    did_you_mean(name, names), names.empty() ? "none" : joined(names)));
}

TransformKind Model::transform_kind() const { return parts_->transformer->kind(); }

Array2<double> Model::transform(PointsView points, const Run& run) const {
  if (points.cols() != n_features())
    throw Error(ErrorKind::InvalidData,
                fmt::format("{0}: X has {1} features, but {0} is expecting {2} features as input", method(),
                            points.cols(), n_features()));
  if (points.rows() == 0) return Array2<double>(0, n_components());
  check_finite_input(method(), points, run);
  return checked_result(method(), parts_->transformer->transform(points, run), points.rows(), n_components(), run);
}

Array2<double> Model::inverse_transform(PointsView coordinates, const Run& run) const {
  if (coordinates.cols() != n_components())
    throw Error(ErrorKind::InvalidData, fmt::format("{0}: X has {1} columns, but the map of {0} has {2} coordinates",
                                                    method(), coordinates.cols(), n_components()));
  check_finite_input(method(), coordinates, run);
  return checked_result(method(), parts_->transformer->inverse_transform(coordinates, run), coordinates.rows(),
                        n_features(), run);
}

void Model::save(const std::string& path) const {
  ArchiveWriter archive;
  save_model_parts(*parts_, archive);
  parts_->transformer->save(archive);
  AtomicFile file(path);
  archive.write([&](const void* data, std::size_t size) { file.write(data, size); });
  file.commit();
}

}  // namespace unroll
