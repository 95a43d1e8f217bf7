#include "network/network_transformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/archive.h"
#include "core/at.h"
#include "core/finite.h"
#include "core/model_file.h"
#include "core/parallel.h"
#include "linalg/centered_points.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kRowsAtOnce = 256;  // so few that the outputs of the layers take little memory
constexpr std::array<std::string_view, 3> kTrainingSections{"network.current", "network.first", "network.second"};

/// A sum of products that leave the range of double may be no number.
void require_finite_codes(const Array2<double>& codes) {
  for (Index i = 0; i < codes.rows(); ++i)
    if (!std::all_of(codes.row(i), codes.row(i) + codes.cols(), [](double y) { return std::isfinite(y); }))
      throw Error(ErrorKind::InvalidData, Error::Parts{.problem = "is too far from the training points to be encoded",
                                                       .advice = "is it in the same units?",
                                                       .row = i});
}

}  // namespace

NetworkTransformer::NetworkTransformer(NetworkShape shape, UnitMap units, LayoutState state)
    : shape_(std::move(shape)), units_(std::move(units)), state_(std::move(state)) {
  const float* parameters = state_.weights.front().data();
  for (Index i = 0; i < shape_.layers(); ++i) {
    const NetworkLayer& from = shape_.layer(i);
    const auto [in, out] = from.size;
    const double factor = i == 0 ? units_.factor() : 1;
    Layer layer{Array2<double>(out, in), std::vector<double>(at(out)), std::vector<double>(at(in)), from.is_linear};
    for (Index a = 0; a < in; ++a)
      for (Index b = 0; b < out; ++b)
        layer.axes(b, a) = factor * static_cast<double>(parameters[from.weights + a * out + b]);
    std::copy_n(parameters + from.bias, out, layer.bias.begin());
    layers_.push_back(std::move(layer));
  }
}

Array2<double> NetworkTransformer::pass(PointsView rows, double scale, const std::vector<double>& center, Index first,
                                        Index last, const Run& run) const {
  Array2<double> values;
  for (Index i = first; i < last; ++i) {
    const Layer& layer = layers_[at(i)];
    // No GEMM promises that a row's bits do not depend on the rows beside it; project does.
    values =
        i == first ? project(rows, scale, center, layer.axes, run) : project(values, 1, layer.zeros, layer.axes, run);
    for (Index r = 0; r < values.rows(); ++r)
      for (Index k = 0; k < values.cols(); ++k) {
        const double sum = values(r, k) + layer.bias[at(k)];
        values(r, k) = layer.is_linear ? sum : 1 / (1 + std::exp(-sum));
      }
  }
  return values;
}

Array2<double> NetworkTransformer::transform(PointsView points, const Run& run) const {
  Array2<double> codes = Array2<double>::uninitialized(points.rows(), shape_.code());
  parallel_for(
      run, points.rows(), kRowsAtOnce,
      [&](Index begin, Index end) {
        const Array2<double> block =
            pass(points.slice(begin, end - begin), units_.scale, units_.center, 0, shape_.depth(), run);
        std::copy_n(block.data(), block.size(), codes.row(begin));
      },
      "encoding");
  require_finite_codes(codes);
  return codes;
}

Array2<double> NetworkTransformer::inverse_transform(PointsView coordinates, const Run& run) const {
  Array2<double> x = Array2<double>::uninitialized(coordinates.rows(), shape_.features());
  const Index depth = shape_.depth();
  parallel_for(
      run, coordinates.rows(), kRowsAtOnce,
      [&](Index begin, Index end) {
        const Array2<double> block =
            pass(coordinates.slice(begin, end - begin), 1, layers_[at(depth)].zeros, depth, shape_.layers(), run);
        for (Index i = 0; i < block.rows(); ++i)
          for (Index j = 0; j < block.cols(); ++j)
            x(begin + i, j) = (block(i, j) * units_.unit + units_.center[at(j)]) / units_.scale;
      },
      "decoding");
  require_finite(x, "points");
  return x;
}

void NetworkTransformer::save(ArchiveWriter& archive) const {
  archive.put("network.sizes", std::vector<std::int64_t>(shape_.sizes().begin(), shape_.sizes().end()));
  archive.put("network.binary", std::int64_t{shape_.is_binary()});
  archive.put("network.scale", units_.scale);
  archive.put("network.center", units_.center);
  archive.put("network.unit", units_.unit);
  archive.put("network.parameters", state_.weights.front().view());
  archive.put("network.iteration", std::int64_t{state_.iteration});
  archive.put("network.converged", std::int64_t{state_.is_converged});
  archive.put("network.numbers", state_.numbers);
  for (std::size_t i = 1; i < state_.weights.size(); ++i)
    archive.put(kTrainingSections[i - 1], state_.weights[i].view());
}

bool NetworkTransformer::is_in(const ArchiveReader& archive) { return archive.has("network.sizes"); }

std::shared_ptr<const Transformer> NetworkTransformer::load(const ArchiveReader& archive) {
  constexpr std::int64_t kMostUnits = 1 << 24;
  const std::vector<std::int64_t> sizes = archive.integers("network.sizes");
  if (sizes.size() < 2) archive.fail("network.sizes", "are fewer than two");
  double parameters = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || sizes[i] > kMostUnits) archive.fail("network.sizes", "are out of range");
    const auto units = static_cast<double>(sizes[i]);
    if (i > 0) parameters += (2 * units + 1) * static_cast<double>(sizes[i - 1]) + units;
  }
  if (sizes.front() != method_features(archive)) archive.fail("network.sizes", "do not begin with the features");
  if (sizes.back() != archive.cols("coordinates")) archive.fail("network.sizes", "do not end with the coordinates");
  const auto load_row = [&](std::string_view name) {
    Array2<float> row = archive.matrix_f32(name);
    if (row.rows() != 1 || static_cast<double>(row.cols()) != parameters)
      archive.fail(name, "is not of the size of the network");
    return row;
  };
  UnitMap units{.scale = archive.real("network.scale"),
                .center = archive.reals("network.center"),
                .unit = archive.real("network.unit")};
  int exponent = 0;
  if (std::frexp(units.scale, &exponent) != 0.5) archive.fail("network.scale", "must be a power of two");
  if (std::ssize(units.center) != sizes.front()) archive.fail("network.center", "has another length than the features");
  if (units.unit < 0) archive.fail("network.unit", "must not be negative");
  LayoutState state{.iteration = archive.integer("network.iteration"),
                    .is_converged = archive.flag("network.converged"),
                    .numbers = archive.reals("network.numbers")};
  if (state.iteration < 0) archive.fail("network.iteration", "must not be negative");
  state.weights.push_back(load_row("network.parameters"));
  if (!state.is_converged)
    for (const std::string_view name : kTrainingSections) state.weights.push_back(load_row(name));
  const NetworkShape shape(std::vector<Index>(sizes.begin(), sizes.end()), archive.flag("network.binary"));
  return std::make_shared<const NetworkTransformer>(shape, std::move(units), std::move(state));
}

}  // namespace unroll
