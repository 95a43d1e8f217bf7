#pragma once
#include <string>
#include <vector>

#include "job.h"
#include "unroll/quality/quality.h"

/// What 'unroll quality' prints and writes.
namespace unroll::cli {

/// A line per measure, and what they mean.
std::string quality_text(const Quality& quality);

/// Measures that are lists have a row per entry: affine_r2_0, affine_r2_1, ... An undefined entry has no row.
void write_measures(Job& job, const OptionValues& measures);
/// The measures that every point has, a row per point of `table`. Without `stress` there are no ranks of all points.
void write_per_point(Job& job, const Quality& quality, const std::vector<double>& stress, const Table& table);

/// Throws if no table can be written there, before the work; an empty path is none.
void check_table_path(const std::string& path);
/// Writes distances of pairs for Shepard's diagram.
void write_shepard(Job& job, const std::string& path, PointsView high, PointsView low, const QualityOptions& options);

}  // namespace unroll::cli
