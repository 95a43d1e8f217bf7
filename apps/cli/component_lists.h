#pragma once
#include <vector>

#include "help.h"
#include "unroll/core/model.h"

/// The eigenvalues of every component of a graph in several parts, each list with its owner.
namespace unroll::cli {

/// Whose eigenvalues the table shows, and a line for every component; nothing if there is one component.
std::vector<Definition> component_lines(const Embedding& embedding);

/// The same for --json: number, from 1 as in messages, points, eigenvalues and residuals.
std::vector<OptionValues> component_lists(const Embedding& embedding);

}  // namespace unroll::cli
