#pragma once
#include <memory>

#include "core/archive.h"
#include "core/transformer.h"

/// How to read back what the methods' transformers have written, for the registry.
namespace unroll {

std::shared_ptr<const Transformer> load_mds(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_kernel_pca(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_isomap(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_laplacian_eigenmaps(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_lle(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_mlle(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_hlle(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_ltsa(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_diffusion_maps(const ArchiveReader& archive);
std::shared_ptr<const Transformer> load_spectral_clustering(const ArchiveReader& archive);

}  // namespace unroll
