#include "core/option_groups.h"
#include "layout/umap_layout.h"
#include "simd/umap_kernels.h"
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

/// The options of all methods, in the order in which help shows them.
namespace unroll {

OptionFields PcaOptions::fields() {
  using O = PcaOptions;
  return joined_fields({
      {field<&O::n_components>("n_components", count_or_fraction(),
                               "Coordinates to compute, or the fraction of the variance that they must explain."),
       field<&O::dimension>("dimension", any_value(),
                            "Who says how many coordinates there are: given: n_components; mle: the likelihood of each "
                            "number (Minka 2000), n_components being the most."),
       field<&O::whiten>("whiten", any_value(), "Scale every coordinate to unit variance."),
       field<&O::solver>("solver", any_value(),
                         "Eigenvectors of the D x D covariance, of the n x n Gram matrix, or randomized block Krylov; "
                         "auto takes the one with the lowest predicted cost.")},
      common_fields<O>("Seed of the randomized solver."),
  });
}

OptionFields MdsOptions::fields() {
  using O = MdsOptions;
  return joined_fields({
      dimension_fields<O>(),
      {field<&O::metric>("metric", any_value(),
                         "How distance is measured; precomputed: the input is the matrix of distances."),
       field<&O::p>("p", at_least(1), "Power of the Minkowski metric."),
       field<&O::additive_constant>("additive_constant", any_value(),
                                    "Add to all distances the smallest number that makes them Euclidean.")},
      landmark_fields<O>("Solve for so many points and place the others by their distances to them. Auto: all points."),
      solver_fields<O>(),
      common_fields<O>("Seed of landmarks and solvers."),
  });
}

OptionFields MetricMdsOptions::fields() {
  using O = MetricMdsOptions;
  return joined_fields({dimension_fields<O>(), stress_fields<O>()});
}

OptionFields NonmetricMdsOptions::fields() {
  using O = NonmetricMdsOptions;
  return joined_fields({
      dimension_fields<O>(),
      {field<&O::ties>("ties", any_value(),
                       "Whether equal distances of the data may differ in the map: primary, freely; secondary, at the "
                       "cost of stress.")},
      stress_fields<O>(),
  });
}

OptionFields SammonOptions::fields() {
  using O = SammonOptions;
  return joined_fields({dimension_fields<O>(), stress_fields<O>()});
}

OptionFields IsomapOptions::fields() {
  using O = IsomapOptions;
  return joined_fields({
      dimension_fields<O>(),
      edge_fields<O>(),
      metric_fields<O>(),
      {field<&O::path_method>("path_method", any_value(), "How shortest paths are found.")},
      components_fields<O>(
          "What becomes of a graph in several parts; keep is not for isomap: paths between them have no length."),
      landmark_fields<O>("Find paths from so many points only, and place the others by them. Auto: all points."),
      solver_fields<O>(),
      common_fields<O>(),
  });
}

OptionFields MvuOptions::fields() {
  using O = MvuOptions;
  return joined_fields({
      dimension_fields<O>(),
      {field<&O::n_neighbors>("n_neighbors", at_least(1),
                              "Nearest points whose distances to the point and to each other are kept. Auto: 6, or all "
                              "entries of a sparse matrix."),
       field<&O::constraints>("constraints", any_value(),
                              "Distances are kept, or they may shrink; then thin directions of the data may collapse."),
       field<&O::slack>("slack", between(0, 0.1),
                        "By how much squared distances may differ, in the root mean square relative to theirs. 0: "
                        "curved sheets are rigid and hardly unfold."),
       field<&O::n_iter>("n_iter", at_least(0), "Iterations in all, at most."),
       field<&O::tol>("tol", above(0), "It ends if the trace of K is about so near to the best."),
       field<&O::certify>("certify", any_value(),
                          "Go on until the multipliers prove the map to be the best: for some hundred points.")},
      start_fields<O>("Where the map starts. Auto: classical scaling of path lengths from landmarks. On the command "
                      "line also a file with the coordinates."),
      metric_fields<O>(),
      components_fields<O>("What becomes of a graph in several parts, which nothing would hold together."),
      common_fields<O>("Seed of the start, solvers and approximate search."),
  });
}

OptionFields KernelPcaOptions::fields() {
  using O = KernelPcaOptions;
  return joined_fields({
      dimension_fields<O>(),
      {field<&O::kernel>("kernel", any_value(),
                         "The kernel (scikit-learn's default is linear, which is PCA); precomputed: the input is the "
                         "kernel matrix."),
       field<&O::gamma>(
           "gamma", above(0),
           "Of kernels poly, rbf, sigmoid and laplacian. Auto: by the usual distance for rbf and laplacian, else 1 / "
           "number of features."),
       field<&O::degree>("degree", at_least(1), "Of kernel poly."),
       field<&O::coef0>("coef0", any_value(), "Of kernels poly and sigmoid."),
       field<&O::alpha>("alpha", at_least(0),
                        "Ridge of the regression that the inverse, from coordinates to points, learns.")},
      landmark_fields<O>(
          "Approximate the kernel from so many points. Auto: all points up to 20000, 1000 landmarks beyond."),
      solver_fields<O>(),
      common_fields<O>("Seed of landmarks and solvers."),
  });
}

OptionFields LleOptions::fields() {
  using O = LleOptions;
  return joined_fields({
      dimension_fields<O>(),
      neighborhood_fields<O>(
          "Nearest points by which a point is written. Auto: 10, or all within the radius, or all entries of a sparse "
          "matrix."),
      {field<&O::reg>("reg", at_least(0),
                      "Regularization of the weights, in parts of the trace of their system. 0 is for fewer neighbors "
                      "than dimensions."),
       field<&O::nonnegative>("nonnegative", any_value(), "Weights of 0 or more: a point within its neighbors.")},
      local_fields<O>(),
  });
}

OptionFields MlleOptions::fields() {
  using O = MlleOptions;
  return joined_fields({
      dimension_fields<O>(),
      neighborhood_fields<O>(
          "Nearest points by which a point is written, more than n_components. Auto: 10 or what is needed, or all "
          "within the radius, or all entries of a sparse matrix."),
      local_fields<O>(),
  });
}

OptionFields HlleOptions::fields() {
  using O = HlleOptions;
  return joined_fields({
      dimension_fields<O>(),
      neighborhood_fields<O>(
          "Nearest points that make a neighborhood, at least 1 + d + d (d+1) / 2 for d components. Auto: 10 or what is "
          "needed, or all within the radius, or all entries of a sparse matrix."),
      {field<&O::estimator>("estimator", any_value(),
                            "What costs in a neighborhood: second derivatives, or the whole complement of linear "
                            "functions, as scikit-learn does, which gives the map of ltsa. One component always has "
                            "the complement.")},
      local_fields<O>(),
  });
}

OptionFields LtsaOptions::fields() {
  using O = LtsaOptions;
  return joined_fields({
      dimension_fields<O>(),
      neighborhood_fields<O>(
          "Nearest points that make a neighborhood, at least n_components + 2. Auto: 10 or what is needed, or all "
          "within the radius, or all entries of a sparse matrix."),
      local_fields<O>(),
  });
}

OptionFields LaplacianEigenmapsOptions::fields() {
  using O = LaplacianEigenmapsOptions;
  return joined_fields({
      dimension_fields<O>(),
      edge_fields<O>(),
      weight_fields<O>(),
      {field<&O::laplacian>("laplacian", any_value(), "I - D^-1 W, I - D^-1/2 W D^-1/2, or D - W.")},
      metric_fields<O>(),
      components_fields<O>(),
      independence_fields<O>(),
      landmark_fields<O>("Embed so many points only, and place the others as new points. Auto: all points."),
      solver_fields<O>(),
      common_fields<O>(),
  });
}

OptionFields DiffusionMapsOptions::fields() {
  using O = DiffusionMapsOptions;
  return joined_fields({
      dimension_fields<O>(),
      edge_fields<O>(),
      weight_fields<O>(),
      {field<&O::alpha>("alpha", between(0, 1),
                        "Power of the density that weights are divided by: 1 forgets how densely points lie, 0 does "
                        "not."),
       field<&O::t>("t", at_least(0), "Diffusion time: coordinates are lambda^t psi.")},
      metric_fields<O>(),
      components_fields<O>(),
      independence_fields<O>(),
      landmark_fields<O>("Embed so many points only, and place the others as new points. Auto: all points."),
      solver_fields<O>(),
      common_fields<O>(),
  });
}

OptionFields SpectralClusteringOptions::fields() {
  using O = SpectralClusteringOptions;
  return joined_fields({
      {field<&O::n_clusters>("n_clusters", at_least(1), "Clusters to find."),
       field<&O::n_components>("n_components", at_least(1),
                               "Eigenvectors in which they are looked for. Auto: as many as clusters.")},
      edge_fields<O>(),
      weight_fields<O>(),
      {field<&O::laplacian>("laplacian", any_value(),
                            "Clustering 1: unnormalized, D - W; 2: random_walk, I - D^-1 W; 3: symmetric, "
                            "I - D^-1/2 W D^-1/2.")},
      metric_fields<O>(),
      components_fields<O>(
          "What becomes of a graph in several parts; separate is not for clustering: it needs one map."),
      {field<&O::assign_labels>("assign_labels", any_value(),
                                "How eigenvectors become clusters: k-means; discretize: the rotation that brings all "
                                "points closest to axes; cluster_qr: points picked by a pivoted QR decomposition. Only "
                                "k-means takes n_components other than n_clusters."),
       field<&O::n_init>("n_init", at_least(0),
                         "Random starts of k-means, beside the one by pivoted QR; the best result counts.")},
      landmark_fields<O>(
          "Find eigenvectors of so many points only, and place the others as new points. Auto: all points."),
      solver_fields<O>(),
      common_fields<O>("Seed of k-means, landmarks, solvers and approximate search."),
  });
}

OptionFields SneOptions::fields() {
  using O = SneOptions;
  return joined_fields({
      dimension_fields<O>(),
      perplexity_fields<O>(),
      descent_fields<O>(),
      {field<&O::gradient>("gradient", any_value(),
                           "How the forces between all pairs are found. Auto: exact up to 500 points and in more than "
                           "two dimensions, else fft.")},
      start_fields<O>(),
      metric_fields<O>(),
      common_fields<O>("Seed of random starts, solvers and approximate search."),
  });
}

OptionFields TsneOptions::fields() {
  using O = TsneOptions;
  return joined_fields({
      dimension_fields<O>(),
      perplexity_fields<O>(),
      {field<&O::affinity>(
          "affinity", any_value(),
          "What neighbors weigh: gaussian, by distance, 3 * perplexity of them; uniform, all the same, "
          "as many as the perplexity says (auto: 15), which is faster.")},
      {field<&O::early_exaggeration>("early_exaggeration", at_least(1),
                                     "Factor of the attraction in the first iterations."),
       field<&O::early_exaggeration_iter>("early_exaggeration_iter", at_least(0), "How many iterations these are."),
       field<&O::late_exaggeration>("late_exaggeration", above(0),
                                    "Factor of the attraction in the others; above 1 clusters are denser and farther "
                                    "apart.")},
      descent_fields<O>(),
      {field<&O::dof>("dof", above(0),
                      "Degrees of freedom of Student's t: below 1 clusters fall into finer ones, large ones are nearly "
                      "Gaussian.")},
      {field<&O::gradient>(
          "gradient", any_value(),
          "How the forces between all pairs are found. Auto: exact up to 2000 points, beyond fft in one "
          "or two dimensions and tree in more.")},
      start_fields<O>(),
      metric_fields<O>(),
      common_fields<O>("Seed of random starts, solvers and approximate search."),
  });
}

OptionFields UmapOptions::fields() {
  using O = UmapOptions;
  return joined_fields({
      {field<&O::n_components>("n_components", between(1, simd::kUmapMostDims), "Coordinates to compute."),
       field<&O::n_neighbors>(
           "n_neighbors", at_least(1),
           "Nearest points that a point is joined to; few show details, many the whole. Auto: 15, or "
           "all entries of a sparse matrix. (umap-learn counts the point itself, too: its 16 are these "
           "15.)"),
       field<&O::min_dist>("min_dist", at_least(0), "How near to each other neighbors may lie in the map."),
       field<&O::spread>("spread", above(0), "Unit of the map: the distance over which memberships fall."),
       field<&O::a>("a", above(0), "Memberships in the map are 1 / (1 + a d^2b). Auto: by min_dist and spread."),
       field<&O::b>("b", above(0), "See a."),
       field<&O::set_op_mix_ratio>("set_op_mix_ratio", between(0, 1),
                                   "1: points are neighbors if one of them says so; 0: if both do."),
       field<&O::local_connectivity>("local_connectivity", at_least(0),
                                     "So many of its nearest are neighbors of a point for sure."),
       field<&O::repulsion_strength>("repulsion_strength", at_least(0), "Of points that are no neighbors."),
       field<&O::negative_sample_rate>("negative_sample_rate", between(0, kMostNegatives),
                                       "Points that are drawn to push, per edge that pulls."),
       field<&O::n_epochs>("n_epochs", between(1, kMostEpochs),
                           "Rounds of moves. Auto: 500, or 200 for more than 10000 points; 200 more with densmap."),
       field<&O::learning_rate>("learning_rate", above(0), "Length of the first moves; it falls evenly to 0."),
       field<&O::target_weight>("target_weight", between(0, 1),
                                "How much labels or targets count, if there are any, beside the points."),
       field<&O::densmap>("densmap", any_value(), "Make the map dense where the data are (densMAP)."),
       field<&O::dens_lambda>("dens_lambda", at_least(0),
                              "Of densMAP: how much densities count beside neighbors. 0: they are measured only."),
       field<&O::dens_frac>("dens_frac", between(0, 1),
                            "Of densMAP: the part of the epochs, the last ones, in which "
                            "densities count."),
       field<&O::dens_var_shift>(
           "dens_var_shift", at_least(0),
           "Of densMAP: is added to the variance of the map's log radii, so that it cannot be 0.")},
      start_fields<O>(
          "Where the map starts. Auto: spectral, a map per component. On the command line also a file with the "
          "coordinates."),
      metric_fields<O>(),
      common_fields<O>("Seed of the points that are drawn, of the start and of approximate search."),
  });
}

OptionFields AutoencoderOptions::fields() {
  using O = AutoencoderOptions;
  return joined_fields({
      dimension_fields<O>(),
      {field<&O::layers>(
           "layers", between(1, 1 << 20),
           "Units of the hidden layers of the encoder, as 500,250; the decoder mirrors them. Auto: as many "
           "as there are features, but 64 to 500, then half as many."),
       field<&O::visible>(
           "visible", any_value(),
           "What the features are: binary, between 0 and 1 after one scaling for all, or gaussian. Auto: "
           "binary if all values are between 0 and 1."),
       field<&O::epochs>("epochs", at_least(0),
                         "Times that all layers together see the points, at most: it ends earlier if the error of the "
                         "points held out falls no more. Auto: 50, and up to 500 of few points."),
       field<&O::pretrain_epochs>(
           "pretrain_epochs", at_least(0),
           "Times that every layer by itself, as a restricted Boltzmann machine, sees the points "
           "before. Auto: 10, and up to 30 of few points."),
       field<&O::batch_size>("batch_size", at_least(1),
                             "Points per update of the weights. Auto: a tenth of the points, but 10 to 100."),
       field<&O::learning_rate>(
           "learning_rate", above(0),
           "Length of the steps of all layers together (Adam). Auto: 0.64 / units of the widest hidden layer, "
           "at most 0.01."),
       field<&O::pretrain_rate>(
           "pretrain_rate", above(0),
           "Length of the steps of a restricted Boltzmann machine. Auto: 0.1, and less where units "
           "are not binary."),
       field<&O::weight_decay>("weight_decay", at_least(0), "How much weights shrink, in parts of the rates."),
       field<&O::held_out>("held_out", Limits{.low = 0, .high = 1, .high_open = true},
                           "The part of the points that is not learned from, and says when to stop; none if "
                           "that is fewer than 5 points.")},
      common_fields<O>("Seed of the first weights, of the order of the points, of the hidden units and of the points "
                       "held out."),
  });
}

OptionFields LabelPropagationOptions::fields() {
  using O = LabelPropagationOptions;
  return joined_fields({class_mass_fields<O>(), label_graph_fields<O>(), label_system_fields<O>(),
                        common_fields<O>("Seed of approximate search.")});
}

OptionFields LabelSpreadingOptions::fields() {
  using O = LabelSpreadingOptions;
  return joined_fields({
      {field<&O::alpha>("alpha", {.low = 0, .high = 1, .low_open = true, .high_open = true},
                        "The share that a point takes from its neighbors, the rest being its own label; near 1 labels "
                        "reach far.")},
      class_mass_fields<O>(),
      label_graph_fields<O>(),
      label_system_fields<O>(),
      common_fields<O>("Seed of approximate search."),
  });
}

OptionFields LabelEigenvectorsOptions::fields() {
  using O = LabelEigenvectorsOptions;
  return joined_fields({
      {field<&O::n_eigenvectors>(
          "n_eigenvectors", at_least(1),
          "Eigenvectors, beside the constant, that classes are combinations of. Auto: a fifth of "
          "the labels, 200 at most, but three for two classes.")},
      class_mass_fields<O>(),
      label_graph_fields<O>(),
      solver_fields<O>(),
      common_fields<O>("Seed of solvers and approximate search."),
  });
}

}  // namespace unroll
