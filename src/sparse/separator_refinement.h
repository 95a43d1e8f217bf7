#pragma once
#include "sparse/separator_graph.h"

namespace unroll {

/// Makes a separator smaller, vertex by vertex (Fiduccia & Mattheyses 1982; for separators Hendrickson & Rothberg
/// 1998). Depends on the graph and the separation alone.
void refine(const SeparatorGraph& graph, Separation& separation, int passes);

}  // namespace unroll
