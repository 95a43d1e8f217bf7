#pragma once
#include "core/archive.h"
#include "core/model_file.h"
#include "unroll/core/model.h"

/// The eigenvalues of a model, of all points and of every component, as sections of its file.
namespace unroll {

void save_spectra(const Embedding& embedding, ArchiveWriter& archive);
void load_spectra(const ArchiveReader& archive, Embedding& embedding);
std::optional<ModelFault> fault_of_spectra(const Embedding& embedding);

}  // namespace unroll
