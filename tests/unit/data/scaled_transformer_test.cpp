#include <gtest/gtest.h>

#include "core/archive.h"
#include "data/feature_scaler.h"
#include "support/expect_error.h"

namespace unroll {
namespace {

/// Doubles on the way in, halves on the way back.
class Doubler final : public Transformer {
 public:
  TransformKind kind() const override { return TransformKind::Weights; }
  Array2<double> transform(PointsView points, const unroll::Run&) const override { return times(points, 2); }
  Array2<double> inverse_transform(PointsView points, const unroll::Run&) const override { return times(points, 0.5); }
  void save(ArchiveWriter& archive) const override { archive.put("doubler", 2.0); }

 private:
  static Array2<double> times(PointsView points, double factor) {
    return points.visit([&](auto x) {
      Array2<double> out(x.rows, x.cols);
      for (Index i = 0; i < out.size(); ++i) out.data()[i] = factor * static_cast<double>(x.data[i]);
      return out;
    });
  }
};

Array2<double> column(std::initializer_list<double> values) {
  Array2<double> array(static_cast<Index>(values.size()), 1);
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

TEST(WithScaling, ScalesOnTheWayInAndBack) {
  const auto training = column({10, 20});
  const auto both = with_scaling(FeatureScaler(training, Scaling::MinMax, {}), std::make_shared<Doubler>());
  EXPECT_EQ(both->kind(), TransformKind::Weights);
  EXPECT_EQ(both->transform(column({10, 15, 30}), {}), column({0, 1, 4}));
  EXPECT_EQ(both->inverse_transform(column({0, 1, 4}), {}), column({10, 15, 30}));
  Array2<float> narrow(1, 1);
  narrow(0, 0) = 15;
  EXPECT_EQ(both->transform(narrow, {}), column({1}));
}

TEST(WithScaling, AddsNothingToTheIdentity) {
  const std::shared_ptr<const Transformer> inner = std::make_shared<Doubler>();
  EXPECT_EQ(with_scaling(FeatureScaler(), inner), inner);
}

TEST(WithScaling, SavesTheScalerAndTheInner) {
  const auto training = column({1, 2, 4});
  for (const Scaling scaling : {Scaling::Center, Scaling::Standardize, Scaling::MinMax, Scaling::UnitRows}) {
    const FeatureScaler scaler(training, scaling, {});
    ArchiveWriter writer;
    with_scaling(scaler, std::make_shared<Doubler>())->save(writer);
    const ArchiveReader reader(writer.bytes(), "test");
    EXPECT_EQ(reader.real("doubler"), 2.0);
    const FeatureScaler loaded = FeatureScaler::load(reader, 1);
    EXPECT_FALSE(loaded.is_identity());
    const auto scaled = [&](const FeatureScaler& by) { return std::get<Array2<double>>(by.apply(column({3, 5}), {})); };
    EXPECT_EQ(scaled(loaded), scaled(scaler)) << name_of(scaling);
  }
}

TEST(FeatureScalerArchive, WithoutSectionsIsTheIdentity) {
  ArchiveWriter writer;
  writer.put("other", 1.0);
  EXPECT_TRUE(FeatureScaler::load(ArchiveReader(writer.bytes(), "test"), 1).is_identity());
}

TEST(FeatureScalerArchive, RefusesWhatDoesNotFit) {
  struct Case {
    std::string_view kind;
    std::vector<double> shift, divisor;
    std::string_view section;
  };
  for (const auto& [kind, shift, divisor, section] :
       {Case{"bogus", {0}, {1}, "scaling.kind"}, Case{"center", {}, {}, "scaling.shift"},
        Case{"unit_rows", {0}, {1}, "scaling.shift"}, Case{"center", {0}, {1, 1}, "scaling.divisor"},
        Case{"center", {0, 0}, {1, 1}, "scaling.shift"}, Case{"minmax", {0}, {0}, "scaling.divisor"},
        Case{"minmax", {0}, {-1}, "scaling.divisor"}}) {
    ArchiveWriter writer;
    writer.put("scaling.kind", kind);
    writer.put("scaling.shift", shift);
    writer.put("scaling.divisor", divisor);
    expect_error(ErrorKind::InvalidData, "section '" + std::string(section) + "'",
                 [&] { FeatureScaler::load(ArchiveReader(writer.bytes(), "test"), 1); });
  }
}

}  // namespace
}  // namespace unroll
