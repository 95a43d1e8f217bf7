#include "eigen/block_lanczos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "linalg/tall_matrix.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kRows = 4096;        // per block of parallel work
constexpr double kRounding = 1e-14;  // of the norm: smaller residuals are rounding

bool all_finite(const Array2<double>& a, const Run& run) {
  constexpr Index kEntries = 1 << 16;
  return parallel_reduce(
             run, a.size(), kEntries, 0,
             [&](Index begin, Index end) {
               return std::all_of(a.data() + begin, a.data() + end, [](double v) { return std::isfinite(v); }) ? 0 : 1;
             },
             [](int x, int y) { return x + y; }) == 0;
}

/// The iteration. With V the basis, T = V^T A V, and Q the next block: A V = V T + Q B E^T, where E picks the last
/// block of V. A restart replaces V by its best Ritz vectors. The next product gives their coupling to Q, because every
/// block is multiplied with the whole basis.
class BlockLanczos {
 public:
  BlockLanczos(Index size, const BlockProduct& product, Array2<double> known, const LanczosSettings& settings,
               const Random& random, const Run& run)
      : settings_(settings),
        product_(product),
        random_(random),
        run_(run),
        known_(std::move(known)),
        free_(size - known_.cols()) {
    settings_.basis = std::max(settings_.basis, settings_.count + 2 * settings_.block);
    // A space hardly larger than the basis becomes one block, whose Rayleigh-Ritz pairs are exact.
    if (free_ < settings_.basis + settings_.block) settings_.basis = settings_.block = free_;
    basis_ = Array2<double>::uninitialized(size, settings_.basis);
    projected_ = Array2<double>(settings_.basis, settings_.basis);
    next_ = Array2<double>::uninitialized(size, settings_.block);
  }

  LanczosResult solve() {
    start_anew();
    while (true) {
      extend();
      const bool full = used_ + settings_.block > settings_.basis;
      if (!full && ((!settings_.eager && !searching_) || used_ < settings_.count)) continue;
      ritz_ = rayleigh_ritz();
      const Index converged = leading_converged();
      run_.report({.stage = "eigenvectors", .fraction = progress()});
      if (const Index dominating = dominating_pairs(converged); dominating > 0) {
        lock(dominating);
        continue;
      }
      if (converged < settings_.count) {
        if (searching_ && a_value_has_risen()) searching_ = false;  // a pair was missed
      } else if (is_complete() || !settings_.search_missed || (is_trusted() && nothing_missed(converged))) {
        return result(converged);
      } else if (!is_trusted()) {
        search_missed(converged);
        continue;
      } else if (search_ends_ == 0) {
        begin_search();
      }
      if (products_ >= settings_.max_products) fail(converged);
      if (full) keep_ritz_vectors(0, kept());
    }
  }

 private:
  struct Ritz {
    std::vector<double> values;     // of the whole projected matrix, descending
    Array2<double> coefficients;    // leading ones, as rows
    std::vector<double> residuals;  // |A v - theta v|, leading ones
  };

  bool is_complete() const { return used_ == free_; }

  /// Whether no pair can be missing: a random block that is as wide as the number of wanted pairs misses none of them,
  /// since it finds as many equal eigenvalues as it is wide.
  bool is_trusted() const { return searching_ || (settings_.count <= settings_.block && locked_.values.empty()); }

  /// Residuals fall geometrically, so the digits that the worst of them still lacks tell how far the iteration is. A
  /// search for missed pairs takes at most as long again. What was reported is not taken back.
  double progress() {
    double lacking = 0;
    for (std::size_t i = 0; i < std::min(ritz_.residuals.size(), static_cast<std::size_t>(settings_.count)); ++i)
      if (const double allowed = allowed_residual(i); ritz_.residuals[i] > allowed && allowed > 0)
        lacking = std::max(lacking, std::log10(ritz_.residuals[i] / allowed));
    most_lacking_ = std::max(most_lacking_, lacking);
    double done = most_lacking_ > 0 ? 1 - lacking / most_lacking_ : 0;
    if (settings_.search_missed) done /= 2;
    if (search_ends_ > search_starts_)
      done = 0.5 +
             0.5 * static_cast<double>(products_ - search_starts_) / static_cast<double>(search_ends_ - search_starts_);
    return reached_ = std::max(reached_, std::min(done, 1.0));
  }

  void randomize_column(Index k) {
    ++random_columns_;
    const double scale = 1 / std::sqrt(static_cast<double>(next_.rows()));
    parallel_for(run_, next_.rows(), kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        next_(i, k) = scale * (2 * random_.uniform(static_cast<std::uint64_t>(i), random_columns_) - 1);
    });
  }

  /// A random next block, not coupled to the basis.
  void start_anew() {
    for (Index k = 0; k < settings_.block; ++k) randomize_column(k);
    orthonormalize_next();
    coupling_ = Array2<double>(settings_.block, settings_.block);
  }

  /// Removes the components of the next block along the known vectors and the basis; returns those along the basis.
  Array2<double> remove_components() {
    const Columns known = columns(known_), basis = columns(basis_, 0, used_), block = columns(next_);
    subtract_product(block, known, inner_products(known, block, run_), run_);
    Array2<double> along = inner_products(basis, block, run_);
    subtract_product(block, basis, along, run_);
    return along;
  }

  /// next = Q R, Q orthonormal and orthogonal to the basis and the known vectors. A column that loses more than half of
  /// its length was partly rounding and is orthogonalised again ("twice is enough", Parlett 1980, section 6.9). A
  /// column that vanishes is replaced by a random one, which is coupled to nothing.
  Array2<double> orthonormalize_next() {
    constexpr int kRounds = 20;
    constexpr double kVanished = 1e-10;
    Array2<double> r = orthonormalize(next_, run_);
    for (int round = 0; round < kRounds; ++round) {
      remove_components();
      const Array2<double> again = orthonormalize(next_, run_);
      r = upper_product(again, r);
      double smallest = 1;
      for (Index k = 0; k < again.cols(); ++k) {
        smallest = std::min(smallest, std::abs(again(k, k)));
        if (std::abs(again(k, k)) > kVanished) continue;
        randomize_column(k);
        std::fill_n(r.row(k), r.cols(), 0.0);
      }
      if (smallest >= 0.5) return r;
    }
    throw Error(ErrorKind::NotConverged, "no further orthogonal directions can be found");
  }

  static Array2<double> upper_product(const Array2<double>& a, const Array2<double>& b) {
    Array2<double> c(a.rows(), b.cols());
    for (Index i = 0; i < a.rows(); ++i)
      for (Index k = i; k < a.cols(); ++k)
        for (Index j = 0; j < b.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
  }

  /// Adds the next block to the basis. Its image gives T's new columns; without its components along the basis it is
  /// the block after it.
  void extend() {
    const Index first = used_, block = settings_.block;
    parallel_for(run_, next_.rows(), kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) std::copy_n(next_.row(i), block, basis_.row(i) + first);
    });
    used_ += block;
    if (image_.cols() != block) image_ = Array2<double>::uninitialized(next_.rows(), block);
    product_(next_, image_);
    ++products_;
    if (!all_finite(image_, run_))
      throw Error(ErrorKind::NotConverged, fmt::format("product {} with the matrix is not finite", products_));
    std::swap(next_, image_);
    const Array2<double> along = remove_components();  // orthonormalize_next does it a second time
    for (Index k = 0; k < used_; ++k)
      for (Index j = 0; j < block; ++j) projected_(k, first + j) = along(k, j);
    for (Index k = first; k < used_; ++k)
      for (Index j = 0; j < k; ++j)
        projected_(k, j) = projected_(j, k) = j < first ? projected_(j, k) : (projected_(j, k) + projected_(k, j)) / 2;
    coupling_ = is_complete() ? Array2<double>(block, block) : orthonormalize_next();
  }

  /// The best approximations within the basis.
  Ritz rayleigh_ritz() {
    Array2<double> t = Array2<double>::uninitialized(used_, used_);
    for (Index i = 0; i < used_; ++i) std::copy_n(projected_.row(i), used_, t.row(i));
    const Index wanted = std::min(used_, kept());
    Run waiting = run_;  // progress does not go back while a large basis is projected
    if (run_.progress)
      waiting.progress = [&](const Progress&) {
        return run_.progress({.stage = "eigenvectors", .fraction = reached_});
      };
    EigenPairs pairs = leading_eigenpairs(
        t, [wanted](const auto&) { return wanted; }, waiting);
    norm_ = std::max({norm_, settings_.norm, std::abs(pairs.values.front()), std::abs(pairs.values.back())});
    Ritz ritz{std::move(pairs.values), std::move(pairs.vectors), {}};
    const Index block = settings_.block;
    for (Index i = 0; i < ritz.coefficients.rows(); ++i) {
      const double* last = ritz.coefficients.row(i) + used_ - block;
      double sum = 0;
      for (Index k = 0; k < block; ++k) {
        double r = 0;
        for (Index j = 0; j < block; ++j) r += coupling_(k, j) * last[j];
        sum += (r / scale()) * (r / scale());
      }
      ritz.residuals.push_back(std::sqrt(sum) * scale());
    }
    return ritz;
  }

  double scale() const { return norm_ > 0 ? norm_ : 1; }

  /// How many Ritz vectors survive a restart.
  Index kept() const {
    const Index most = std::max(settings_.basis - 2 * settings_.block, settings_.count);
    return std::min(most, std::max(settings_.count + settings_.block, settings_.basis / 2));
  }

  /// The largest residual that pair i may have. Under an absolute tolerance the vectors must also be separated from the
  /// unwanted ones: the angle is up to residual / gap (Davis & Kahan 1970). Values that agree up to rounding are one
  /// group, and any part of it is right.
  double allowed_residual(std::size_t i) const {
    constexpr double kAngle = 1e-3, kEqual = 1e-12;
    const auto last = static_cast<std::size_t>(settings_.count);
    if (settings_.relative_to_value) {
      // An error e of this vector changes the other values by |value| e^2.
      const double value = std::abs(ritz_.values[i]), least = std::abs(ritz_.values[last - 1]);
      const double own = settings_.tolerance * value, others = 0.1 * std::sqrt(settings_.tolerance * least * value);
      return std::max(kRounding * norm_, std::min(own, others));
    }
    const double gap = last < ritz_.values.size() ? ritz_.values[last - 1] - ritz_.values[last] : norm_;
    const double allowed = settings_.tolerance * norm_;
    return gap <= kEqual * norm_ ? allowed : std::max(kRounding * norm_, std::min(allowed, kAngle * gap));
  }

  Index leading_converged() const {
    std::size_t converged = 0;
    while (converged < ritz_.residuals.size() && ritz_.residuals[converged] <= allowed_residual(converged)) ++converged;
    return static_cast<Index>(converged);
  }

  /// Replaces the basis by the Ritz vectors [first, last), or those of them that exist.
  void keep_ritz_vectors(Index first, Index last) {
    const Index count = std::min(last, ritz_.coefficients.rows()) - first;
    Array2<double> mix = Array2<double>::uninitialized(used_, count);
    for (Index i = 0; i < used_; ++i)
      for (Index j = 0; j < count; ++j) mix(i, j) = ritz_.coefficients(first + j, i);
    replace_by_product(columns(basis_, 0, used_), mix, run_);
    used_ = count;
    std::fill_n(projected_.data(), projected_.size(), 0.0);
    for (Index k = 0; k < count; ++k) projected_(k, k) = ritz_.values[static_cast<std::size_t>(first + k)];
  }

  /// The number of leading pairs that have converged and are so much larger than the next that their rounding errors
  /// would hide it. (The inverse of a graph matrix has such pairs when the graph is almost disconnected.)
  Index dominating_pairs(Index converged) const {
    constexpr double kMuchLarger = 1e3;
    if (!settings_.relative_to_value) return 0;
    for (Index k = std::min(converged, settings_.count - 1); k > 0; --k) {
      const auto at = static_cast<std::size_t>(k);
      if (ritz_.values[at - 1] > kMuchLarger * std::abs(ritz_.values[at])) return k;
    }
    return 0;
  }

  /// Moves leading pairs from the basis to the known vectors. An error e of a locked vector changes the others' values
  /// by |A| e^2 only.
  void lock(Index count) {
    const Index before = known_.cols(), n = basis_.rows();
    Array2<double> known = Array2<double>::uninitialized(n, before + count);
    Array2<double> mix = Array2<double>::uninitialized(used_, count);
    for (Index i = 0; i < used_; ++i)
      for (Index j = 0; j < count; ++j) mix(i, j) = -ritz_.coefficients(j, i);
    for (Index i = 0; i < n; ++i) {
      if (before > 0) std::copy_n(known_.row(i), before, known.row(i));
      std::fill_n(known.row(i) + before, count, 0.0);
    }
    subtract_product(columns(known, before, count), columns(basis_, 0, used_), mix, run_);
    known_ = std::move(known);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      locked_.values.push_back(ritz_.values[k]);
      locked_.residuals.push_back(ritz_.residuals[k]);
    }
    const bool was_complete = is_complete();
    searching_ = false;
    keep_ritz_vectors(count, count + settings_.block);
    norm_ = 0;
    free_ -= count;
    settings_.basis -= count;
    settings_.count -= count;
    if (was_complete) settings_.block = free_;
    // T has errors on the scale of the locked values, so the others start again from their best approximations.
    next_ = Array2<double>::uninitialized(n, settings_.block);
    const Index best = std::min(used_, settings_.block);
    for (Index i = 0; i < n; ++i) std::copy_n(basis_.row(i), best, next_.row(i));
    for (Index k = best; k < settings_.block; ++k) randomize_column(k);
    used_ = 0;
    orthonormalize_next();
  }

  /// A search for missed pairs has as many products as were needed so far.
  void begin_search() {
    search_starts_ = products_;
    search_ends_ = products_ + std::max<Index>(8, products_ - search_ends_);
  }

  /// Keeps the converged pairs and continues from a random block. The other pairs are dropped: without the block that
  /// they were coupled to, their residuals would look like zero.
  void search_missed(Index converged) {
    wanted_.assign(ritz_.values.begin(), ritz_.values.begin() + settings_.count);
    keep_ritz_vectors(0, std::min(converged, settings_.basis - 2 * settings_.block));
    found_ = used_;
    searching_ = true;
    begin_search();
    start_anew();
  }

  /// Whether the search has found a larger value. (A further pair of an equal eigenvalue mixes with the converged ones
  /// and raises their residuals until it has converged itself; the values show that it is not a larger one.)
  bool a_value_has_risen() const {
    for (std::size_t k = 0; k < wanted_.size(); ++k) {
      const double scale = settings_.relative_to_value ? std::abs(wanted_[k]) : norm_;
      if (ritz_.values[k] > wanted_[k] + std::max(kRounding * norm_, settings_.tolerance * scale)) return true;
    }
    return false;
  }

  /// Whether the best new pair lies below the wanted ones, or repeats the last of them: its residual is small beside
  /// its distance. (This proves an eigenvalue near it, but not that none lies above. Such an eigenvalue, though, would
  /// have risen from the random block by then.)
  bool nothing_missed(Index converged) const {
    constexpr double kSmall = 0.1;
    if (search_ends_ > 0 && products_ >= search_ends_) return true;
    const auto next = static_cast<std::size_t>(converged);
    if (next >= ritz_.residuals.size()) return used_ > found_ + settings_.block;
    const double distance = ritz_.values[static_cast<std::size_t>(settings_.count - 1)] - ritz_.values[next];
    return ritz_.residuals[next] <= std::max(kSmall * distance, settings_.tolerance * norm_);
  }

  LanczosResult result(Index converged) {
    keep_ritz_vectors(0, converged);
    const Index locked = std::ssize(locked_.values), first = known_.cols() - locked;
    LanczosResult out{.pairs = {.values = locked_.values, .residuals = locked_.residuals, .iterations = products_},
                      .norm = norm_};
    for (std::size_t k = 0; k < static_cast<std::size_t>(used_); ++k) {
      out.pairs.values.push_back(ritz_.values[k]);
      out.pairs.residuals.push_back(ritz_.residuals[k]);
    }
    out.norm = std::max(norm_, std::abs(out.pairs.values.front()));
    if (out.norm > 0)
      for (double& residual : out.pairs.residuals) residual /= out.norm;
    out.pairs.vectors = Array2<double>::uninitialized(locked + used_, basis_.rows());
    for (Index k = 0; k < locked + used_; ++k)
      for (Index i = 0; i < basis_.rows(); ++i)
        out.pairs.vectors(k, i) = k < locked ? known_(i, first + k) : basis_(i, k - locked);
    return out;
  }

  [[noreturn]] void fail(Index converged) const {
    const auto worst = std::max_element(ritz_.residuals.begin(), ritz_.residuals.begin() + settings_.count);
    throw Error(
        ErrorKind::NotConverged,
        fmt::format("{} of {} pairs converged within {} products, the worst residual is {:.1e} of the norm, and "
                    "{:.1e} is needed to tell its vector{}",
                    std::min(converged, settings_.count), settings_.count, products_, *worst / scale(),
                    allowed_residual(static_cast<std::size_t>(worst - ritz_.residuals.begin())) / scale(),
                    searching_ ? "; whether others were missed is not known" : ""));
  }

  LanczosSettings settings_;
  const BlockProduct& product_;
  const Random& random_;
  const Run& run_;
  Array2<double> known_;  // the given vectors, then the locked ones
  EigenPairs locked_;     // their values and residuals
  Index free_;            // dimension of the space that is searched
  Array2<double> basis_;  // V, the first used_ columns
  Index used_ = 0;
  Array2<double> projected_;  // T
  Array2<double> next_;       // Q
  Array2<double> image_;      // A Q; a member to keep its memory
  Array2<double> coupling_;   // B
  Ritz ritz_;
  double norm_ = 0;
  Index products_ = 0;
  std::uint64_t random_columns_ = 0;
  bool searching_ = false;
  std::vector<double> wanted_;  // values of the wanted pairs when the search began
  Index found_ = 0;
  Index search_starts_ = 0, search_ends_ = 0;
  double most_lacking_ = 0;  // digits, at the worst
  double reached_ = 0;       // progress reported so far
};

}  // namespace

LanczosResult leading_by_lanczos(Index size, const BlockProduct& product, Array2<double> known,
                                 const LanczosSettings& settings, const Random& random, const Run& run) {
  return BlockLanczos(size, product, std::move(known), settings, random, run).solve();
}

}  // namespace unroll
