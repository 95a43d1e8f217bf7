#pragma once
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/data/scaling.h"
#include "unroll/graph/weighted_graph.h"
#include "unroll/spectral/laplacian.h"

/// What a graph tells by itself, without an embedding: where it is thin, how heat flows on it, how far its points are.
namespace unroll {

/// The second eigenvector of a Laplacian (Fiedler 1973), as Laplacian eigenmaps has it for its first coordinate.
struct Fiedler {
  std::vector<double> vector = {};
  double lambda2 = 0;           ///< the Rayleigh quotient of the vector: the true one is not above it
  double lambda2_at_least = 0;  ///< nor is it below this
  double residual = 0;          ///< |A v - lambda v|, relative to the norm of A
  std::vector<Warning> warnings = {};
};

/// Of a graph in several components, where 0 is a multiple eigenvalue: the vector that tells the first from the second,
/// 0 elsewhere, with a warning. A warning, too, where lambda_2 is repeated, so that the vector is one of many, and
/// where it cannot be told from 0 beside the norm, though here it keeps its digits: a sum of w_ij (f_i - f_j)^2 has no
/// cancellation.
UNROLL_API Fiedler fiedler_vector(const WeightedGraph& graph, Laplacian laplacian = Laplacian::RandomWalk,
                                  const Run& run = {});

/// Two sides of a graph. With cut = the weight of the edges between them and vol = the sum of degrees of a side:
struct Cut {
  double cut = 0;
  double volume = 0;          ///< of the side
  double other_volume = 0;    ///< of the other side
  double conductance = 0;     ///< cut / min(vol S, vol S'); 0 where a side has no edges at all
  double normalized_cut = 0;  ///< cut / vol S + cut / vol S' = cut vol V / (vol S vol S')
};

/// `side` has an entry per point, not 0 for the points of S. Throws InvalidData when a side is empty.
UNROLL_API Cut cut_of(const WeightedGraph& graph, const std::vector<char>& side);

/// Of every label, 0 to the largest, against all others. Throws InvalidData when all points have the same, or one is
/// not between 0 and n - 1.
UNROLL_API std::vector<Cut> cuts_of(const WeightedGraph& graph, const std::vector<Index>& labels, const Run& run = {});

struct SweepCut {
  std::vector<char> side = {};  ///< 1 for the points of the best prefix
  Index size = 0;               ///< of the prefix
  Cut cut = {};
};

/// The prefix of lowest conductance among the points in ascending order of their values, ties by index; the shortest of
/// several. O(edges log n).
UNROLL_API SweepCut sweep_cut(const WeightedGraph& graph, const std::vector<double>& values);

/// Bounds of h, the lowest conductance of all cuts, by the second eigenvalue of a normalised Laplacian (Cheeger's
/// inequality: Alon & Milman 1985, Sinclair & Jerrum 1989): lambda_2 / 2 <= h <= sqrt(2 lambda_2), with what is known
/// of lambda_2: the sweep along the eigenvector of I - D^-1 W finds a cut that is within them.
struct CheegerBounds {
  double lower = 0;
  double upper = 0;
};
UNROLL_API CheegerBounds cheeger_bounds(const Fiedler& fiedler);

struct Heat {
  Array2<double> values = {};  ///< a row per point, a column per function
  Index products = 0;          ///< with L, per function; 0: by all eigenpairs, or none was needed
};

/// exp(-t L) f for every column f from products with L alone: a Chebyshev series, of about 6 sqrt(t |L|) terms. What is
/// left out is 1e-14 of |f|; rounding grows with the terms, to 1e-12 at some hundreds and 1e-11 at thousands. D - W
/// keeps the sum of f, I - D^-1 W its mean by degrees. Where all eigenpairs are less work they are taken instead.
/// Throws InvalidOption where the series takes more than 100 000 products and there are more than 5000 points.
UNROLL_API Heat heat_diffusion(const WeightedGraph& graph, PointsView values, double t,
                               Laplacian laplacian = Laplacian::Unnormalized, const Run& run = {});

/// exp(-beta L) (Kondor & Lafferty 2002), all n^2 entries. L is not I - D^-1 W, which is not symmetric.
UNROLL_API Array2<double> diffusion_kernel(const WeightedGraph& graph, double beta,
                                           Laplacian laplacian = Laplacian::Unnormalized, const Run& run = {});

/// The pseudo-inverse of L, all n^2 entries. With K = (D - W)^+, vol V (K_ii + K_jj - 2 K_ij) is the mean time in which
/// a random walk goes from i to j and back (Fouss et al. 2007). Errors are rounding of the largest entry, however thin
/// the graph is: points are eliminated without subtractions (Grassmann, Taksar & Heyman 1985).
UNROLL_API Array2<double> laplacian_inverse(const WeightedGraph& graph, Laplacian laplacian = Laplacian::Unnormalized,
                                            const Run& run = {});

/// Straight lines from one point to all, after scaling.
UNROLL_API std::vector<double> euclidean_distances(PointsView points, Index source, Scaling scale = Scaling::None,
                                                   const Run& run = {});

/// Shortest paths along the edges of the graph; of given weights: numbers of edges. Throws Disconnected where points
/// cannot be reached, Unsupported for a full graph.
UNROLL_API std::vector<double> path_lengths(const WeightedGraph& graph, Index source, const Run& run = {});

struct DiffusionDistances {
  std::vector<double> values = {};
  std::vector<Warning> warnings = {};
};

/// How differently random walks from two points are spread after t steps (Coifman & Lafon 2006):
/// D^2(x, y) = sum_z (p_t(x,z) - p_t(y,z))^2 / pi(z), pi = degrees / their sum, of weights divided by (q_i q_j)^alpha,
/// q the degrees before. The Euclidean distance of all coordinates of diffusion maps, which have loops. Where t is not
/// whole, negative eigenvalues count as 0, with a warning. Throws InvalidData for a point without edges, InvalidOption
/// where t asks for all eigenpairs of more than 5000 points.
UNROLL_API DiffusionDistances diffusion_distances(const WeightedGraph& graph, Index source, double t = 1,
                                                  double alpha = 1, const Run& run = {});

}  // namespace unroll
