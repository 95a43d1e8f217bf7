#pragma once
#include <string>
#include <vector>

#include "report.h"
#include "unroll/core/run.h"
#include "unroll/data/generators.h"
#include "unroll/registry.h"
#include "unroll/spectral/recipe_table.h"

/// The output of the command for programs: one JSON object each, valid UTF-8 for any bytes of a file name; numbers that
/// JSON does not have are null.
namespace unroll::cli {

std::string report_json(const Report& report);
/// One line.
std::string progress_json(const Progress& progress, double elapsed_seconds, std::optional<double> remaining_seconds);
/// What a model file holds, without its coordinates.
std::string model_json(const Model& model, const std::string& path);
/// Why a command failed, in one line.
std::string error_json(const Error& error, int exit_code);
std::string methods_json(const std::vector<Method>& methods);
std::string recipe_table_json(const std::vector<RecipeWords>& rows);
std::string generators_json(const std::vector<Generator>& generators);

}  // namespace unroll::cli
