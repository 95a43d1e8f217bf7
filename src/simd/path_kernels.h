#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// The step of shortest-path searches from many sources at once. Like all of src/simd it exists once per instruction
/// set.
namespace unroll::simd {

/// A vertex has one label per source of the batch: the length of the shortest path found so far.
inline constexpr Index kLabels = 32;

/// A vertex some of whose labels became smaller, and the smallest of those.
template <class T>
struct ImprovedVertex {
  std::int32_t vertex;
  T shortest;
};

/// The edges out of a vertex.
template <class T>
struct OutEdges {
  const std::int32_t* targets;
  const T* lengths;
  Index count;
};

template <class T>
using RelaxEdges = Index (*)(std::int32_t from, const OutEdges<T>& edges, T* labels, ImprovedVertex<T>* improved);

struct PathKernels {
  /// label(v) = min(label(v), label(from) + length) for all labels and all edges from -> v; returns how many vertices
  /// improved. `improved` has room for one per edge.
  RelaxEdges<float> relax_f32;
  RelaxEdges<double> relax_f64;

  template <class T>
  RelaxEdges<T> relax() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return relax_f32;
    } else {
      return relax_f64;
    }
  }
};

}  // namespace unroll::simd
