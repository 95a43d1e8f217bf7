#include <vector>

#include "fuzz.h"
#include "support/archive_surgeon.h"
#include "unroll/registry.h"

/// Twice: as it is, where few files get past the checksums, and with the checksums made right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const std::vector<std::byte> file(bytes, bytes + size);
  unroll::fuzz::expect_result_or_error([&] { unroll::load_model(file, "input"); });
  if (size < unroll::ArchiveSurgeon::kTable) return 0;
  unroll::ArchiveSurgeon surgeon(file);
  surgeon.set(unroll::ArchiveSurgeon::kSize, std::uint64_t{size});
  surgeon.fix_checksums();
  return unroll::fuzz::expect_result_or_error([&] {
    const unroll::Model model = unroll::load_model(std::move(surgeon.bytes), "input");
    constexpr unroll::Index kMostFeatures = 4096;
    if (model.n_features() > kMostFeatures) return;
    model.transform(unroll::Array2<double>(2, model.n_features()),
                    {.threads = 1, .memory_budget = unroll::fuzz::kBudget});
  });
}
