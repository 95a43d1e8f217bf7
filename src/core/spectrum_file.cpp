#include "core/spectrum_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace unroll {
namespace {

std::optional<ModelFault> fault_of(const Spectrum& spectrum) {
  const auto bad = [](double v) { return !std::isfinite(v); };
  if (std::any_of(spectrum.values.begin(), spectrum.values.end(), bad))
    return ModelFault{"spectrum.values", "not finite"};
  if (std::any_of(spectrum.residuals.begin(), spectrum.residuals.end(), [&](double r) { return bad(r) || r < 0; }))
    return ModelFault{"spectrum.residuals", "not finite or negative"};
  if (spectrum.residuals.size() != spectrum.values.size())
    return ModelFault{"spectrum.residuals", fmt::format("{} residuals for {} eigenvalues", spectrum.residuals.size(),
                                                        spectrum.values.size())};
  if (spectrum.iterations < 0) return ModelFault{"spectrum.iterations", "negative"};
  return std::nullopt;
}

std::optional<ModelFault> fault_of(const std::vector<ComponentSpectrum>& parts) {
  const auto bad = [](double v) { return !std::isfinite(v); };
  for (const ComponentSpectrum& part : parts) {
    if (part.component < 0 || part.points < 1) return ModelFault{"spectrum.parts", "no component has such a number"};
    if (std::any_of(part.values.begin(), part.values.end(), bad))
      return ModelFault{"spectrum.part_values", "not finite"};
    if (std::any_of(part.residuals.begin(), part.residuals.end(), [&](double r) { return bad(r) || r < 0; }))
      return ModelFault{"spectrum.part_residuals", "not finite or negative"};
    if (part.residuals.size() != part.values.size())
      return ModelFault{"spectrum.part_residuals", "are not one per eigenvalue"};
  }
  return std::nullopt;
}

/// Numbers of the component, its points and its eigenvalues; then the eigenvalues of all, and their residuals.
void save_parts(const std::vector<ComponentSpectrum>& parts, ArchiveWriter& archive) {
  if (parts.empty()) return;
  std::vector<std::int64_t> numbers;
  std::vector<double> values, residuals;
  for (const ComponentSpectrum& part : parts) {
    numbers.insert(numbers.end(), {part.component, part.points, std::ssize(part.values)});
    values.insert(values.end(), part.values.begin(), part.values.end());
    residuals.insert(residuals.end(), part.residuals.begin(), part.residuals.end());
  }
  archive.put("spectrum.parts", numbers);
  archive.put("spectrum.part_values", values);
  archive.put("spectrum.part_residuals", residuals);
}

/// Files of 0.1.0 have none of it.
std::vector<ComponentSpectrum> load_parts(const ArchiveReader& archive) {
  std::vector<ComponentSpectrum> parts;
  if (!archive.has("spectrum.parts")) return parts;
  const std::vector<std::int64_t> numbers = archive.integers("spectrum.parts");
  const std::vector<double> values = archive.reals("spectrum.part_values"),
                            residuals = archive.reals("spectrum.part_residuals");
  if (residuals.size() != values.size()) archive.fail("spectrum.part_residuals", "are not one per eigenvalue");
  if (numbers.size() % 3 != 0) archive.fail("spectrum.parts", "are not three numbers per component");
  auto value = values.begin(), residual = residuals.begin();
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const std::int64_t count = numbers[i + 2];
    if (count < 0 || count > values.end() - value) archive.fail("spectrum.parts", "there are fewer eigenvalues");
    parts.push_back({numbers[i], numbers[i + 1], {value, value + count}, {residual, residual + count}});
    value += count, residual += count;
  }
  if (value != values.end()) archive.fail("spectrum.part_values", "there are more eigenvalues than components have");
  return parts;
}

}  // namespace

void save_spectra(const Embedding& embedding, ArchiveWriter& archive) {
  archive.put("spectrum.values", embedding.spectrum.values);
  archive.put("spectrum.residuals", embedding.spectrum.residuals);
  archive.put("spectrum.solver", embedding.spectrum.solver);
  archive.put("spectrum.iterations", embedding.spectrum.iterations);
  save_parts(embedding.component_spectra, archive);
}

void load_spectra(const ArchiveReader& archive, Embedding& embedding) {
  embedding.spectrum.values = archive.reals("spectrum.values");
  embedding.spectrum.residuals = archive.reals("spectrum.residuals");
  embedding.spectrum.solver = archive.text("spectrum.solver");
  embedding.spectrum.iterations = archive.integer("spectrum.iterations");
  embedding.component_spectra = load_parts(archive);
}

std::optional<ModelFault> fault_of_spectra(const Embedding& embedding) {
  if (auto fault = fault_of(embedding.spectrum)) return fault;
  return fault_of(embedding.component_spectra);
}

}  // namespace unroll
