#include "layout/grid_repulsion.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

/// Cells along one side: half of a length that Fft has. Few sizes, each about a fifth above the last, so that the
/// spectrum of the kernel is seldom made again while a map grows.
Index side_for(Index cells) {
  constexpr Index kUnit = 8;
  constexpr std::array kSizes{4,  5,  6,  8,  10, 12, 15,  18,  20,  24,  30, 36,
                              40, 48, 60, 72, 80, 96, 120, 144, 160, 192, 240};
  for (const Index size : kSizes)
    if (size * kUnit >= cells) return size * kUnit;
  return kSizes.back() * kUnit;
}

/// Sum over m of M_6(m) exp(-i m angle): what spreading to the nodes and back leaves of a wave, twice.
double spline_filter(double angle) {
  const double once = (66 + 52 * std::cos(angle) + 2 * std::cos(2 * angle)) / 120;
  return once * once;
}

constexpr Index kCharges = 8192;  // points per private grid, if they are not too many
constexpr Index kMostGrids = 8;

}  // namespace

template <class T>
GridConvolution<T>& GridField::convolution_of(const SplineGrid<T>& grid, std::vector<Mesh<T>>& meshes,
                                              const Run& run) const {
  constexpr std::size_t kKept = 4;
  for (Mesh<T>& mesh : meshes)
    if (mesh.cell == grid.cell && mesh.convolution->rows() == grid.values.rows() &&
        mesh.convolution->cols() == grid.values.cols())
      return *mesh.convolution;
  const double scale = grid.cell * grid.cell / dof_, exponent = (dof_ + 1) / 2;
  const auto kernel = [&](Index a, Index b) {
    return std::pow(1 + scale * static_cast<double>(a * a + b * b), -exponent);
  };
  if (meshes.size() == kKept) meshes.erase(meshes.begin());
  meshes.push_back({grid.cell, std::make_unique<GridConvolution<T>>(grid.values.rows(), grid.values.cols(), kernel,
                                                                    spline_filter, run)});
  return *meshes.back().convolution;
}

/// Blocks of points spread their charges to grids of their own, which are added in the order of the blocks.
template <class T>
void GridField::fill(const Array2<double>& map, SplineGrid<T>& grid, Scratch<T>& scratch, const Run& run) {
  const Index n = map.rows(), grain = std::max(kCharges, (n + kMostGrids - 1) / kMostGrids);
  const Index rows = grid.values.rows(), cols = grid.values.cols();
  scratch.parts.resize(at(block_count(n, grain)));
  parallel_for(run, n, grain, [&](Index begin, Index end) {
    SplineGrid<T>& own = scratch.parts[at(begin / grain)];
    own.origin = grid.origin, own.cell = grid.cell;
    if (own.values.rows() == rows && own.values.cols() == cols) {
      std::fill_n(own.values.data(), own.values.size(), T{0});
    } else {
      own.values = Array2<T>(rows, cols);
    }
    for (Index i = begin; i < end; ++i)
      own.spread(own.reach(map(i, 0), 0), own.reach(map.cols() > 1 ? map(i, 1) : 0, 1), 1);
  });
  constexpr Index kRows = 16;
  parallel_for(run, rows, kRows, [&](Index begin, Index end) {
    const Index first = begin * cols, last = end * cols;
    std::copy(scratch.parts[0].values.data() + first, scratch.parts[0].values.data() + last,
              grid.values.data() + first);
    for (std::size_t part = 1; part < scratch.parts.size(); ++part)
      for (Index i = first; i < last; ++i) grid.values.data()[i] += scratch.parts[part].values.data()[i];
  });
  convolution_of(grid, scratch.meshes, run).apply(grid.values, run);
}

/// The grid of before is used again if it has the shape.
template <class T>
void GridField::fill_as(const Array2<double>& map, const Box& box, Scratch<T>& scratch, const Run& run) {
  auto* grid = std::get_if<SplineGrid<T>>(&grid_);
  if (grid == nullptr || grid->values.rows() != box.sides[0] || grid->values.cols() != box.sides[1])
    grid = &grid_.emplace<SplineGrid<T>>(SplineGrid<T>{.values = Array2<T>(box.sides[0], box.sides[1])});
  grid->origin = box.origin, grid->cell = box.cell;
  fill(map, *grid, scratch, run);
}

void GridField::make(const Array2<double>& map, const Run& run) {
  constexpr Index kFine = 128;  // cells of a side up to which double precision costs little, and small maps need it
  const Index dims = map.cols();
  low_ = high_ = {};
  for (Index d = 0; d < dims; ++d) {
    const auto k = at(d);
    low_[k] = high_[k] = map(0, d);
    for (Index i = 1; i < map.rows(); ++i) {
      low_[k] = std::min(low_[k], map(i, d));
      high_[k] = std::max(high_[k], map(i, d));
    }
  }
  const double extent = std::max(high_[0] - low_[0], high_[1] - low_[1]);
  constexpr Index kMargins = SplineGrid<float>::kMargin + SplineGrid<float>::kWidth;
  double cell = std::min(kCell, extent / static_cast<double>(kLeastCells));
  cell = std::max(cell, extent / static_cast<double>(kMostCells - kMargins));
  if (!(cell > 0)) cell = kCell;  // all points are in one place
  // A power of two below kCell, so that a mesh serves many iterations of a growing map.
  if (cell < kCell) cell = kCell * std::exp2(std::floor(std::log2(cell / kCell)));
  Box box{.cell = cell};
  for (std::size_t d = 0; d < 2; ++d) {
    box.sides[d] = side_for(static_cast<Index>(std::ceil((high_[d] - low_[d]) / cell)) + kMargins);
    box.origin[d] = low_[d] - cell * static_cast<double>(SplineGrid<float>::kMargin);
  }
  if (std::max(box.sides[0], box.sides[1]) <= kFine) {
    fill_as(map, box, fine_, run);
  } else {
    fill_as(map, box, coarse_, run);
  }
}

GridField::Value GridField::value_at(const double* place, Index dims) const {
  const double x = place[0], y = dims > 1 ? place[1] : 0;
  const double factor = -dof_ / (dof_ + 1);
  return std::visit(
      [&](const auto& grid) -> Value {
        const auto found = grid.at(grid.reach(x, 0), grid.reach(y, 1));
        return {found.value, {factor * found.slope[0], dims > 1 ? factor * found.slope[1] : 0}};
      },
      grid_);
}

namespace {

class GridRepulsion final : public Repulsion {
 public:
  explicit GridRepulsion(double dof) : field_(dof) {}

  double compute(const Array2<double>& map, Array2<double>& force, const Run& run) override {
    constexpr Index kPoints = 1024;
    field_.make(map, run);
    return parallel_reduce(
        run, map.rows(), kPoints, 0.0,
        [&](Index begin, Index end) {
          double part = 0;
          for (Index i = begin; i < end; ++i) {
            const GridField::Value found = field_.value_at(map.row(i), map.cols());
            part += found.potential - 1;  // without the point itself
            for (Index d = 0; d < map.cols(); ++d) force(i, d) = found.force[at(d)];
          }
          return part;
        },
        [](double a, double b) { return a + b; });
  }

 private:
  GridField field_;
};

}  // namespace

std::unique_ptr<Repulsion> grid_repulsion(double dof) { return std::make_unique<GridRepulsion>(dof); }

}  // namespace unroll
