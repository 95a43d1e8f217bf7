// What a model file says of stored graphs is checked before it is used.
#include "affinity/geodesic_rows.h"

#include <gtest/gtest.h>

#include "core/archive.h"
#include "support/expect_error.h"
#include "support/point_clouds.h"

namespace unroll {
namespace {

class StoredPaths : public testing::Test {
 protected:
  static constexpr Index kPoints = 40;

  StoredPaths() {
    const Array2<double> x = two_clusters(25, 15, 2, 1, 100, 1);
    parts.options = {.n_neighbors = 5};
    parts.points = copied(x);
    parts.nearest = neighbors(x, parts.options).graph;
  }

  /// Written, and read back.
  void reload() const {
    ArchiveWriter archive;
    archive.put("coordinates", Array2<double>(kPoints, 2).view());
    archive.put("n_features", std::int64_t{2});
    GeodesicRows(parts).save(archive);
    GeodesicRows::load(ArchiveReader(archive.bytes(), "file"));
  }
  void expect_refusal(const std::string& section) const {
    expect_error(ErrorKind::InvalidData, "section '" + section, [&] { reload(); });
  }

  GeodesicRows::Parts parts;
};

TEST_F(StoredPaths, AreReadBack) { reload(); }

TEST_F(StoredPaths, HaveAPowerOfTwoAsScale) {
  for (const double scale : {3.0, 0.0, -1.0, 1e300}) {
    parts.scale = scale;
    expect_refusal("paths.scale");
  }
}

TEST_F(StoredPaths, JoinPointsThatExist) {
  parts.joining = {{3, 40, 1.0}};
  expect_refusal("graph.joining");
  parts.joining = {{5, 3, 1.0}};
  expect_refusal("graph.joining");
}

}  // namespace
}  // namespace unroll
