#pragma once
#include "sparse/separator_graph.h"
#include "unroll/core/run.h"

namespace unroll {

/// A small separator of a graph with halves of about equal weight: found in a graph of few vertices, each of which
/// stands for many (Karypis & Kumar 1998), and refined on the way back. Depends on the graph alone.
Separation find_separator(const SeparatorGraph& graph, const Run& run);

}  // namespace unroll
