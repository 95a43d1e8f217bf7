#pragma once
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/data/scaling.h"
#include "unroll/graph/weighted_graph.h"
#include "unroll/spectral/laplacian.h"

/// Quantities of a graph that need no embedding: its cuts, the flow of heat on it, the distances of its points.
namespace unroll {

/// The second eigenvector of a Laplacian (Fiedler 1973): the first coordinate of Laplacian eigenmaps.
struct Fiedler {
  std::vector<double> vector = {};
  double lambda2 = 0;           ///< the Rayleigh quotient of the vector: an upper bound of the true lambda_2
  double lambda2_at_least = 0;  ///< a lower bound of the true lambda_2
  double residual = 0;          ///< |A v - lambda v|, relative to the norm of A
  std::vector<Warning> warnings = {};
};

/// In a graph of several components 0 is a multiple eigenvalue; the vector then separates the first component from the
/// second, is 0 elsewhere, and comes with a warning. There is also a warning where lambda_2 is repeated, since the
/// vector is then one of many, and where lambda_2 is rounding beside the norm of A. Its digits are right even then: the
/// sum of w_ij (f_i - f_j)^2 has no cancellation.
UNROLL_API Fiedler fiedler_vector(const WeightedGraph& graph, Laplacian laplacian = Laplacian::RandomWalk,
                                  const Run& run = {});

/// Two sides S and S' of a graph. cut is the weight of the edges between them, vol the sum of degrees of a side.
struct Cut {
  double cut = 0;
  double volume = 0;          ///< vol S
  double other_volume = 0;    ///< vol S'
  double conductance = 0;     ///< cut / min(vol S, vol S'); 0 where a side has no edges at all
  double normalized_cut = 0;  ///< cut / vol S + cut / vol S' = cut vol V / (vol S vol S')
};

/// `side` has an entry per point, not 0 for the points of S. Throws InvalidData when a side is empty.
UNROLL_API Cut cut_of(const WeightedGraph& graph, const std::vector<char>& side);

/// The cut of every label, 0 to the largest, against all others. Throws InvalidData when all points have the same
/// label, or a label is not between 0 and n - 1.
UNROLL_API std::vector<Cut> cuts_of(const WeightedGraph& graph, const std::vector<Index>& labels, const Run& run = {});

struct SweepCut {
  std::vector<char> side = {};  ///< 1 for the points of the best prefix
  Index size = 0;               ///< of the prefix
  Cut cut = {};
};

/// Sorts the points by value, ties by index, and returns the prefix of lowest conductance, the shortest if several tie.
/// O(edges log n).
UNROLL_API SweepCut sweep_cut(const WeightedGraph& graph, const std::vector<double>& values);

/// Bounds of h, the lowest conductance of all cuts, by the second eigenvalue of a normalised Laplacian (Cheeger's
/// inequality: Alon & Milman 1985, Sinclair & Jerrum 1989): lambda_2 / 2 <= h <= sqrt(2 lambda_2), from the bounds of
/// lambda_2. The sweep along the eigenvector of I - D^-1 W finds a cut within them.
struct CheegerBounds {
  double lower = 0;
  double upper = 0;
};
UNROLL_API CheegerBounds cheeger_bounds(const Fiedler& fiedler);

struct Heat {
  Array2<double> values = {};  ///< a row per point, a column per function
  Index products = 0;          ///< products with L per function; 0: computed from all eigenpairs, or nothing to do
};

/// exp(-t L) f for every column f, by a Chebyshev series of about 6 sqrt(t |L|) products with L. The truncation error
/// is 1e-14 of |f|; the rounding error grows with the terms, to 1e-12 at some hundreds and 1e-11 at thousands. D - W
/// keeps the sum of f, I - D^-1 W its mean weighted by degrees. All eigenpairs are used instead where they cost less.
/// Throws InvalidOption if the series needs more than 100 000 products and there are more than 5000 points.
UNROLL_API Heat heat_diffusion(const WeightedGraph& graph, PointsView values, double t,
                               Laplacian laplacian = Laplacian::Unnormalized, const Run& run = {});

/// exp(-beta L) (Kondor & Lafferty 2002), all n^2 entries. L may not be I - D^-1 W, which is not symmetric.
UNROLL_API Array2<double> diffusion_kernel(const WeightedGraph& graph, double beta,
                                           Laplacian laplacian = Laplacian::Unnormalized, const Run& run = {});

/// The pseudo-inverse of L, all n^2 entries. With K = (D - W)^+, vol V (K_ii + K_jj - 2 K_ij) is the mean time in which
/// a random walk goes from i to j and back (Fouss et al. 2007). The error is rounding of the largest entry, even if the
/// graph is almost disconnected: points are eliminated without subtractions (Grassmann, Taksar & Heyman 1985).
UNROLL_API Array2<double> laplacian_inverse(const WeightedGraph& graph, Laplacian laplacian = Laplacian::Unnormalized,
                                            const Run& run = {});

/// Euclidean distances from one point to all, after scaling.
UNROLL_API std::vector<double> euclidean_distances(PointsView points, Index source, Scaling scale = Scaling::None,
                                                   const Run& run = {});

/// Lengths of shortest paths along the edges; if the graph was given as weights, numbers of edges. Throws Disconnected
/// if points cannot be reached, Unsupported for a full graph.
UNROLL_API std::vector<double> path_lengths(const WeightedGraph& graph, Index source, const Run& run = {});

struct DiffusionDistances {
  std::vector<double> values = {};
  std::vector<Warning> warnings = {};
};

/// How far the distributions of random walks from two points differ after t steps (Coifman & Lafon 2006):
/// D^2(x, y) = sum_z (p_t(x,z) - p_t(y,z))^2 / pi(z), where pi = degrees / their sum. The weights are first divided by
/// (q_i q_j)^alpha, q being the degrees before that. D is the Euclidean distance of all coordinates of diffusion maps,
/// whose graph has loops. If t is not whole, negative eigenvalues count as 0, with a warning. Throws InvalidData for a
/// point without edges, InvalidOption if t needs all eigenpairs of more than 5000 points.
UNROLL_API DiffusionDistances diffusion_distances(const WeightedGraph& graph, Index source, double t = 1,
                                                  double alpha = 1, const Run& run = {});

}  // namespace unroll
