#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/archive.h"
#include "unroll/core/model.h"

/// The sections of a model file that all methods share. What a method needs for new points comes after them, written
/// by its Transformer.
namespace unroll {

/// A promise of Model that some parts break.
struct ModelFault {
  std::string section;  ///< its section in the model file
  std::string what;
};

/// The first broken promise, except the transformer's. The constructor of Model and the loader both check this.
std::optional<ModelFault> find_fault(const Model::Parts& parts);

void save_model_parts(const Model::Parts& parts, ArchiveWriter& archive);

/// Everything but the transformer, checked. Option values are the text of the file: parse_option needs the method's
/// declarations for their types.
Model::Parts load_model_parts(const ArchiveReader& archive);

/// The sections of the projection on principal axes before the method begin so.
inline constexpr std::string_view kReduction = "reduction";
bool has_reduction(const ArchiveReader& archive);
/// The features of the points that the method itself saw: those of the model, or the axes of the projection before it.
Index method_features(const ArchiveReader& archive);

}  // namespace unroll
