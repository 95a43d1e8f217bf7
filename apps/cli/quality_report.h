#pragma once
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/quality/quality.h"

namespace unroll::cli {

/// Measures by their names in reports and tables.
OptionValues quality_values(const Quality& quality);
/// The curve R_NX over K, at ranks k that are nearly equally spaced in log K. Only if it was measured.
OptionValues curve_values(const Quality& quality);

/// The options of a method that define a neighbourhood, if it has any, with at most as many neighbours as n points
/// allow. None: there are too few points for the measures.
std::optional<QualityOptions> quality_options_of(const Model& model, Index n);

}  // namespace unroll::cli
