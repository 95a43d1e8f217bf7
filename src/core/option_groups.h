#pragma once
#include <string_view>

#include "unroll/core/option_field.h"

/// Groups of options that several methods have: each name, limit and help is written here once. A method's struct holds
/// the members flat, and its fields() names the groups.
namespace unroll {

template <class O>
OptionFields dimension_fields() {
  return {field<&O::n_components>("n_components", at_least(1), "Coordinates to compute.")};
}

/// For methods on a graph: which points are joined.
template <class O>
OptionFields edge_fields() {
  return {
      field<&O::n_neighbors>("n_neighbors", at_least(1),
                             "Nearest points that a point is joined to. Auto: 10, or all within the radius, or all "
                             "entries of a sparse matrix."),
      field<&O::radius>("radius", above(0), "Join points up to this distance only."),
  };
}

/// For methods of local fits: which points make a neighborhood. `help` is about n_neighbors.
template <class O>
OptionFields neighborhood_fields(std::string_view help) {
  return {
      field<&O::n_neighbors>("n_neighbors", at_least(1), help),
      field<&O::radius>("radius", above(0), "Points up to this distance only."),
  };
}

template <class O>
OptionFields metric_fields() {
  return {
      field<&O::metric>("metric", any_value(),
                        "How distance is measured; precomputed: the input is a matrix of distances, full or sparse."),
      field<&O::p>("p", at_least(1), "Power of the Minkowski metric."),
      field<&O::neighbors_algorithm>("neighbors_algorithm", any_value(), "How to search neighbors."),
  };
}

/// The weights of the edges of a graph.
template <class O>
OptionFields weight_fields() {
  return {
      field<&O::symmetrization>("symmetrization", all_but(name_of(decltype(O::symmetrization)::None)),
                                "Of an edge that only one end has among its nearest: it counts, it goes, or it counts "
                                "half."),
      field<&O::graph>("graph", any_value(), "Which points are joined: neighbors, or all."),
      field<&O::weights>("weights", any_value(),
                         "What edges weigh: heat, 1 each, or what the input says (precomputed: it is the matrix of "
                         "weights)."),
      field<&O::sigma>("sigma", above(0), "Width of the heat, exp(-d^2 / (2 sigma^2)). Auto: by the bandwidth rule."),
      field<&O::bandwidth>("bandwidth", any_value(), "How sigma is chosen."),
  };
}

template <class O>
OptionFields independence_fields() {
  return {field<&O::independent>("independent", any_value(),
                                 "Skip coordinates that are mostly functions of those before them, as the harmonics of "
                                 "a long strip are; looks at up to 50 eigenvectors.")};
}

/// What becomes of a graph in several parts.
template <class O>
OptionFields components_fields(std::string_view help = "What becomes of a graph in several parts.") {
  return {field<&O::components>("components", any_value(), help)};
}

/// `help` is about n_landmarks.
template <class O>
OptionFields landmark_fields(std::string_view help) {
  return {
      field<&O::n_landmarks>("n_landmarks", at_least(2), help),
      field<&O::landmarks>("landmarks", any_value(), "How landmarks are chosen."),
  };
}

template <class O>
OptionFields solver_fields() {
  return {field<&O::eigen_solver>("eigen_solver", any_value(),
                                  "How eigenvectors are found; auto takes the one of the lowest predicted cost.")};
}

/// Of stochastic neighbour embedding: how many neighbors count.
template <class O>
OptionFields perplexity_fields() {
  return {
      field<&O::perplexity>("perplexity", above(0),
                            "How many neighbors count, smoothly; of several, as 10,100, the mean of the affinities. "
                            "Auto: 30, or a third of the other points if these are few.")};
}

/// Of gradient descent.
template <class O>
OptionFields descent_fields() {
  return {
      field<&O::n_iter>("n_iter", at_least(0), "Iterations in all."),
      field<&O::learning_rate>("learning_rate", above(0),
                               "Length of steps along the gradient. Auto: the number of points / exaggeration."),
      field<&O::tol>("tol", at_least(0),
                     "It ends earlier if 50 iterations lower the loss by less than this part of it."),
  };
}

/// Where an optimised map starts.
template <class O>
OptionFields start_fields(
    std::string_view help =
        "Where the map starts. Auto: pca, or spectral for distances. On the command line also a file "
        "with the coordinates.") {
  return {field<&O::init>("init", any_value(), help)};
}

/// Options that every method has. `seed_help` is about random_state.
template <class O>
OptionFields common_fields(std::string_view seed_help = "Seed of landmarks, solvers and approximate search.") {
  OptionFields fields{field<&O::scale>("scale", any_value(), "Feature scaling before the analysis.")};
  if constexpr (requires { &O::pca; })
    fields.push_back(field<&O::pca>("pca", at_least(1),
                                    "Reduce the points, scaled, to so many principal axes first, and new points alike. "
                                    "Auto: not at all."));
  fields.push_back(field<&O::random_state>("random_state", at_least(0), seed_help));
  return fields;
}

/// Of maps that are fitted to distances, after their own options.
template <class O>
OptionFields stress_fields() {
  return joined_fields({
      {field<&O::n_iter>("n_iter", at_least(0), "Iterations in all, per start."),
       field<&O::tol>("tol", at_least(0),
                      "It ends earlier if 10 iterations lower the squared stress by less than this part of it."),
       field<&O::n_init>("n_init", at_least(1),
                         "Starts; those after the first are random, and the map of the lowest stress is kept."),
       field<&O::init>("init", all_but(name_of(decltype(O::init)::Spectral)),
                       "Where the map starts. Auto: classical scaling. On the command line also a file with the "
                       "coordinates."),
       field<&O::metric>("metric", any_value(),
                         "How distance is measured; precomputed: the input is the matrix of distances."),
       field<&O::p>("p", at_least(1), "Power of the Minkowski metric.")},
      landmark_fields<O>("Fit the map of so many points and place the others in it. Auto: all points."),
      common_fields<O>("Seed of random starts and landmarks."),
  });
}

/// The options that the methods of local fits share, after their own options.
template <class O>
OptionFields local_fields() {
  return joined_fields({
      metric_fields<O>(),
      components_fields<O>("What becomes of neighborhoods that fall into several parts."),
      independence_fields<O>(),
      landmark_fields<O>("Write every point by so many others, and let these span the map. Auto: none, unless the "
                         "factor is too large."),
      {field<&O::eigen_solver>(
           "eigen_solver", any_value(),
           "How eigenvectors are found; auto: dense up to 800 points, shift_invert beyond, and where "
           "rounding would mix them."),
       field<&O::max_factor_gib>("max_factor_gib", at_least(0),
                                 "Largest factor of a sparse matrix, as predicted, in GiB; beyond it landmarks take "
                                 "over: 1000, or 2 (n_components + 3) if that is more.")},
      common_fields<O>(),
  });
}

/// Of methods that find the classes of points from those of some.
template <class O>
OptionFields class_mass_fields() {
  return {field<&O::class_mass_normalization>(
      "class_mass_normalization", any_value(),
      "Scale the classes so that over the points without a label their sums are in the proportion of the known "
      "labels; rows are then scaled to the sum 1 again.")};
}

/// The graph along which labels travel.
template <class O>
OptionFields label_graph_fields() {
  return joined_fields(
      {edge_fields<O>(), weight_fields<O>(), metric_fields<O>(),
       components_fields<O>("What becomes of a graph in several parts: keep leaves parts without a label "
                            "unlabeled, connect joins them; separate is the same as keep here.")});
}

/// Of labels that solve a linear system.
template <class O>
OptionFields label_system_fields() {
  return {
      field<&O::solver>(
          "solver", any_value(),
          "How the linear system is solved: iterate, by conjugate gradients; factorize, in closed form. Auto: "
          "by the lowest predicted cost."),
      field<&O::tol>("tol", at_least(0), "Iterations end at this residual, relative to the parts of the system."),
      field<&O::max_iter>("max_iter", at_least(1), "Iterations at most; a warning tells if they end before tol."),
  };
}

}  // namespace unroll
