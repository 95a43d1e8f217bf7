#include "unroll/methods/kernel_pca.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/scratch_folder.h"
#include "unroll/core/error.h"
#include "unroll/methods/pca.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

const std::vector<Kernel> kComputed{Kernel::Linear,  Kernel::Polynomial, Kernel::Rbf,
                                    Kernel::Sigmoid, Kernel::Laplacian,  Kernel::Cosine};

/// k(x_i, y_j), plainly, of the rbf kernel.
Array2<double> gaussian(const Array2<double>& x, const Array2<double>& y, double gamma) {
  Array2<double> k(x.rows(), y.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < y.rows(); ++j) {
      double squared = 0;
      for (Index f = 0; f < x.cols(); ++f) squared += (x(i, f) - y(j, f)) * (x(i, f) - y(j, f));
      k(i, j) = std::exp(-gamma * squared);
    }
  return k;
}

SparseMatrix sparse(const Array2<double>& a, double smallest) {
  SparseMatrix s{.rows = a.rows(), .cols = a.cols()};
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j)
      if (std::abs(a(i, j)) > smallest) s.columns.push_back(j), s.values.push_back(a(i, j));
    s.offsets.push_back(std::ssize(s.values));
  }
  return s;
}

ErrorKind refusal(const Array2<double>& x, const KernelPcaOptions& options, const std::string& word) {
  try {
    kernel_pca(x, options);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << "accepted: " << word;
  return ErrorKind::Internal;
}

TEST(KernelPca, LinearIsPca) {
  Array2<double> x = anisotropic_points(120, 6, 1);
  for (const double offset : {0.0, 1e5}) {
    for (Index i = 0; i < x.size(); ++i) x.data()[i] += offset;
    const Array2<double> fresh = anisotropic_points(20, 6, 2);
    const Model kernel = kernel_pca(x, {.n_components = 4, .kernel = Kernel::Linear});
    const Model linear = pca(x, {.n_components = 4});
    EXPECT_LT(difference_up_to_sign(kernel.coordinates(), linear.coordinates()), 1e-9);
    EXPECT_LT(difference_up_to_sign(kernel.transform(fresh), linear.transform(fresh)), 1e-9);
    const auto& ratio = linear.attribute<std::vector<double>>("explained_variance_ratio");
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(kernel.attribute<std::vector<double>>("explained_ratio")[k], ratio[k], 1e-10);
  }
}

TEST(KernelPca, CoordinatesAreThoseOfTheCenteredKernel) {
  // Y Y^T is P K P where the coordinates are all there are.
  const Array2<double> x = normal_matrix(25, 3, 1);
  const Array2<double> y = kernel_pca(x, {.n_components = 24, .gamma = 0.5}).coordinates();
  Array2<double> k = gaussian(x, x, 0.5);
  Array2<double> p(25, 25);
  for (Index i = 0; i < 25; ++i)
    for (Index j = 0; j < 25; ++j) p(i, j) = (i == j ? 1 : 0) - 1.0 / 25;
  EXPECT_LT(relative_difference(product(y, transposed(y)), product(product(p, k), p)), 1e-12);
}

TEST(KernelPca, TransformOfTrainingPointsIsTheEmbedding) {
  const Array2<double> x = normal_matrix(150, 5, 3);
  for (const Kernel kernel : kComputed)
    for (const bool landmarks : {false, true}) {
      if (landmarks && kernel == Kernel::Sigmoid) continue;  // not positive semidefinite
      KernelPcaOptions options{.n_components = 3, .kernel = kernel};
      if (landmarks) options.n_landmarks = 60;
      const Model model = kernel_pca(x, options);
      EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6) << name_of(kernel) << landmarks;
      EXPECT_EQ(model.transform_kind(), landmarks ? TransformKind::Nystrom : TransformKind::Exact);
      const Array2<double> fresh = normal_matrix(9, 5, 4), batch = model.transform(fresh);
      for (Index i = 0; i < 9; ++i) {
        const Array2<double> alone = model.transform(PointsView(fresh).slice(i, 1));
        EXPECT_TRUE(std::equal(alone.data(), alone.data() + 3, batch.row(i)));
      }
    }
}

TEST(KernelPca, AllPointsAsLandmarksAreTheFullSolution) {
  const Array2<double> x = normal_matrix(130, 4, 5), fresh = normal_matrix(15, 4, 6);
  const Model full = kernel_pca(x, {.n_components = 3, .gamma = 0.6});
  for (const KernelLandmarks choice :
       {KernelLandmarks::Pivots, KernelLandmarks::Random, KernelLandmarks::MaxMin, KernelLandmarks::KMeans}) {
    const Model model = kernel_pca(x, {.n_components = 3, .gamma = 0.6, .n_landmarks = 130, .landmarks = choice});
    EXPECT_LT(relative_difference(model.coordinates(), full.coordinates()), 1e-8) << name_of(choice);
    EXPECT_LT(relative_difference(model.transform(fresh), full.transform(fresh)), 1e-6) << name_of(choice);
    EXPECT_LT(model.attribute<double>("remaining_ratio"), 1e-8);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(model.embedding().spectrum.values[k], full.embedding().spectrum.values[k], 1e-8);
  }
}

TEST(KernelPca, FewerLandmarksAreNear) {
  const Array2<double> x = anisotropic_points(400, 3, 7);
  const Model full = kernel_pca(x, {.gamma = 0.1});
  for (const KernelLandmarks choice :
       {KernelLandmarks::Pivots, KernelLandmarks::Random, KernelLandmarks::MaxMin, KernelLandmarks::KMeans}) {
    const Model model = kernel_pca(x, {.gamma = 0.1, .n_landmarks = 40, .landmarks = choice});
    EXPECT_LT(relative_difference(model.coordinates(), full.coordinates()), 1e-2) << name_of(choice);
    EXPECT_LE(model.attribute<std::vector<std::int64_t>>("landmarks").size(), 40U);
    EXPECT_GE(model.attribute<double>("remaining_trace"), 0);
  }
}

TEST(KernelPca, TheErrorOfLandmarksIsThatOfHalfOfThem) {
  const Array2<double> x = normal_matrix(500, 6, 7);
  for (const KernelLandmarks choice : {KernelLandmarks::Pivots, KernelLandmarks::Random}) {
    const Model few = kernel_pca(x, {.gamma = 0.3, .n_landmarks = 12, .landmarks = choice});
    const Model many = kernel_pca(x, {.gamma = 0.01, .n_landmarks = 100, .landmarks = choice});
    EXPECT_GT(few.attribute<double>("landmark_error"), 0.01) << name_of(choice);
    EXPECT_TRUE(has_warning(few, "few-landmarks"));
    EXPECT_LT(many.attribute<double>("landmark_error"), 0.01) << name_of(choice);
    EXPECT_FALSE(has_warning(many, "few-landmarks"));
  }
  // Nothing of the kernel remains: its rank is the number of features.
  const Model exact = kernel_pca(x, {.kernel = Kernel::Linear, .n_landmarks = 20});
  EXPECT_EQ(exact.attribute<double>("landmark_error"), 0);
  EXPECT_FALSE(has_warning(exact, "few-landmarks"));
}

TEST(KernelPca, LinearByLandmarksIsExactAtItsRank) {
  Array2<double> x = anisotropic_points(300, 5, 8);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += 1e4;
  const Model model = kernel_pca(x, {.n_components = 3, .kernel = Kernel::Linear, .n_landmarks = 30});
  EXPECT_EQ(model.attribute<std::vector<std::int64_t>>("landmarks").size(), 5U);
  EXPECT_LT(difference_up_to_sign(model.coordinates(), pca(x, {.n_components = 3}).coordinates()), 1e-9);
}

TEST(KernelPca, IdenticalPointsAreZeroWithAWarning) {
  for (const Index n : {2, 30, 900}) {
    Array2<double> x(n, 3);
    std::fill_n(x.data(), x.size(), 4.2);
    for (const Kernel kernel : kComputed)
      for (const bool landmarks : {false, true}) {
        KernelPcaOptions options{.n_components = 1, .kernel = kernel};
        if (landmarks) options.n_landmarks = 2;
        const Model model = kernel_pca(x, options);
        EXPECT_EQ(max_abs(model.coordinates()), 0) << name_of(kernel) << n;
        EXPECT_EQ(model.attribute<std::vector<double>>("explained_ratio")[0], 0);
        EXPECT_TRUE(has_warning(model, "zero-variance")) << name_of(kernel);
        EXPECT_EQ(max_abs(model.transform(x)), 0);
      }
  }
}

TEST(KernelPca, AnIndefiniteKernelWithoutDistancesFromTheFirstPointIsNotConstant) {
  Array2<double> k(4, 4);  // k(x_0, .) = k(x, x) = 0 throughout
  k(1, 2) = k(2, 1) = -1, k(1, 3) = k(3, 1) = 1;
  const Model model = kernel_pca(k, {.n_components = 1, .kernel = Kernel::Precomputed});
  EXPECT_GT(model.embedding().spectrum.values[0], 0.1);
}

TEST(KernelPca, AKernelOfZeros) {
  const Model model = kernel_pca(Array2<double>(20, 2), {.kernel = Kernel::Cosine, .n_landmarks = 5});
  EXPECT_EQ(max_abs(model.coordinates()), 0);
}

TEST(KernelPca, AHugeGammaIsRefusedBeforeTheFit) {
  for (const Index n : {50, 900})
    for (const bool landmarks : {false, true})
      for (const Kernel kernel : {Kernel::Rbf, Kernel::Laplacian})
        for (const double gamma : {40.0, 1e300}) {
          KernelPcaOptions options{.kernel = kernel, .gamma = gamma * 1e3};
          if (landmarks) options.n_landmarks = 20;
          expect_error(ErrorKind::InvalidOption,
                       "points with every other point zero: there would be nothing to map; use "
                       "gamma=0.",
                       [&] { kernel_pca(normal_matrix(n, 3, 9), options); });
        }
}

TEST(KernelPca, GammaFitsTheDataByDefault) {
  const Array2<double> x = normal_matrix(200, 5, 9);
  const auto chosen = [](const Model& model) {
    for (const NamedValue& option : model.options())
      if (option.name == "gamma") return std::get<double>(option.value);
    return 0.0;
  };
  const Model model = kernel_pca(x);
  EXPECT_NEAR(chosen(model), 1.0 / (4 * 5), 0.02);  // variance 1 in each of 5 features
  // In other units the kernel is the same, to the last bit.
  Array2<double> y = x;
  for (Index i = 0; i < y.size(); ++i) y.data()[i] *= 0x1p20;
  EXPECT_EQ(kernel_pca(y).coordinates(), model.coordinates());
  EXPECT_EQ(chosen(kernel_pca(y)), std::ldexp(chosen(model), -40));
  // Scaled first: in units of the scaled features.
  EXPECT_NEAR(chosen(kernel_pca(y, {.scale = Scaling::Standardize})), 1.0 / (4 * 5), 1e-12);
  EXPECT_EQ(chosen(kernel_pca(x, {.kernel = Kernel::Polynomial})), 1.0 / 5);
}

TEST(KernelPca, ATinyGammaIsPca) {
  // k - 1 = -gamma d^2 to first order: the centred kernel is 2 gamma times that of inner products.
  const Array2<double> x = anisotropic_points(100, 4, 10);
  for (const double gamma : {1e-12, 1e-40}) {
    Array2<double> y = kernel_pca(x, {.gamma = gamma}).coordinates();
    for (Index i = 0; i < y.size(); ++i) y.data()[i] /= std::sqrt(2 * gamma);
    EXPECT_LT(difference_up_to_sign(y, pca(x, {.n_components = 2}).coordinates()), 1e-9);
  }
}

TEST(KernelPca, ScalesAndOffsetsWithTheGammaThatFits) {
  const Array2<double> x = normal_matrix(60, 3, 11);
  const Array2<double> expected = kernel_pca(x, {.gamma = 0.4}).coordinates();
  for (const double unit : {1e150, 1e-150}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= unit;
    EXPECT_LT(relative_difference(kernel_pca(scaled, {.gamma = 0.4 / unit / unit}).coordinates(), expected), 1e-10);
  }
}

TEST(KernelPca, GivenKernelsAreTheSame) {
  const Array2<double> x = normal_matrix(90, 3, 12), fresh = normal_matrix(10, 3, 13);
  const Array2<double> k = gaussian(x, x, 0.3), rows = gaussian(fresh, x, 0.3);
  for (const std::optional<std::int64_t> landmarks : {std::optional<std::int64_t>{}, {50}}) {
    const Model points = kernel_pca(x, {.gamma = 0.3, .n_landmarks = landmarks});
    const Model dense = kernel_pca(k, {.kernel = Kernel::Precomputed, .n_landmarks = landmarks});
    const Model entries = kernel_pca(SparseSimilarities(sparse(k, 0)), {.n_landmarks = landmarks});
    for (const Model* given : {&dense, &entries}) {
      EXPECT_LT(relative_difference(given->coordinates(), points.coordinates()), 1e-9);
      EXPECT_LT(relative_difference(given->transform(rows), points.transform(fresh)), 1e-7);
      EXPECT_THROW(given->inverse_transform(given->coordinates()), Error);
      EXPECT_EQ(given->n_features(), 90);
    }
  }
}

TEST(KernelPca, MissingEntriesAreZero) {
  Array2<double> k = gaussian(normal_matrix(80, 2, 14), normal_matrix(80, 2, 14), 4);
  for (Index i = 0; i < k.size(); ++i)
    if (k.data()[i] < 0.05) k.data()[i] = 0;
  const SparseMatrix entries = sparse(k, 0);
  EXPECT_LT(std::ssize(entries.values), 80 * 80);
  EXPECT_LT(relative_difference(kernel_pca(SparseSimilarities(entries)).coordinates(),
                                kernel_pca(k, {.kernel = Kernel::Precomputed}).coordinates()),
            1e-9);
}

TEST(KernelPca, AsymmetryIsRefusedWithItsPlaceAndRoundingIsNot) {
  Array2<double> k = gaussian(normal_matrix(40, 2, 15), normal_matrix(40, 2, 15), 1);
  const Array2<double> exact = kernel_pca(k, {.kernel = Kernel::Precomputed}).coordinates();
  k(7, 3) += 1e-11;
  EXPECT_LT(relative_difference(kernel_pca(k, {.kernel = Kernel::Precomputed}).coordinates(), exact), 1e-9);
  EXPECT_LT(relative_difference(kernel_pca(SparseSimilarities(sparse(k, 0))).coordinates(), exact), 1e-9);
  Array2<float> single = as_float(k);
  single(7, 3) *= 1 + 5e-7F;
  EXPECT_LT(relative_difference(kernel_pca(single, {.kernel = Kernel::Precomputed}).coordinates(), exact), 1e-5);
  k(20, 31) += 0.5, k(7, 3) += 0.1;
  EXPECT_EQ(refusal(k, {.kernel = Kernel::Precomputed}, "points 32 and 21"), ErrorKind::InvalidData);
  EXPECT_THROW(kernel_pca(SparseSimilarities(sparse(k, 0))), Error);
  EXPECT_EQ(refusal(normal_matrix(5, 4, 1), {.kernel = Kernel::Precomputed}, "square"), ErrorKind::InvalidData);
}

TEST(KernelPca, IndefiniteKernelsHaveZerosForNegativeEigenvalues) {
  // P K P of this K has the eigenvalues 3 and -5.
  Array2<double> k(3, 3);
  const double u[] = {1 / std::sqrt(2.0), -1 / std::sqrt(2.0), 0};
  const double v[] = {1 / std::sqrt(6.0), 1 / std::sqrt(6.0), -2 / std::sqrt(6.0)};
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) k(i, j) = 3 * u[i] * u[j] - 5 * v[i] * v[j];
  const Model model = kernel_pca(k, {.kernel = Kernel::Precomputed});
  EXPECT_NEAR(std::abs(model.coordinates()(0, 0)), std::sqrt(1.5), 1e-12);
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(model.coordinates()(i, 1), 0);
  EXPECT_TRUE(has_warning(model, "indefinite-kernel"));
  EXPECT_EQ(refusal(k, {.n_components = 1, .kernel = Kernel::Precomputed, .n_landmarks = 3}, "positive semidefinite"),
            ErrorKind::InvalidData);
}

TEST(KernelPca, RoundingAtTheOtherEndIsNoDirection) {
  for (const Index n : {60, 1000}) {
    Array2<double> x = normal_matrix(n, 4, 1);
    for (Index k = 0; k < 4; ++k) {
      double mean = 0;
      for (Index i = 0; i < n; ++i) mean += x(i, k) / static_cast<double>(n);
      for (Index i = 0; i < n; ++i) x(i, k) -= mean;
    }
    Array2<double> kernel = product(x, transposed(x));
    for (Index i = 0; i < kernel.size(); ++i) kernel.data()[i] = -kernel.data()[i];
    const Model model = kernel_pca(kernel, {.n_components = 3, .kernel = Kernel::Precomputed});
    EXPECT_EQ(model.coordinates(), Array2<double>(n, 3)) << n;
  }
}

TEST(KernelPca, TrainingPointsKeepTheirPlaceInSmallComponentsToo) {
  const Array2<double> x = normal_matrix(1000, 5, 2);
  const Model model = kernel_pca(x, {.n_components = 40, .gamma = 0.01});
  const Array2<double> again = model.transform(x);
  for (Index k = 0; k < 40; ++k) {
    double largest = 0, difference = 0;
    for (Index i = 0; i < 1000; ++i) {
      largest = std::max(largest, std::abs(model.coordinates()(i, k)));
      difference = std::max(difference, std::abs(again(i, k) - model.coordinates()(i, k)));
    }
    EXPECT_LT(difference, 1e-6 * largest) << k;
  }
}

TEST(KernelPca, PreImagesAreARidgeRegression) {
  const Array2<double> x = normal_matrix(40, 3, 16);
  const double gamma = 0.3, alpha = 0.05;
  const Model model = kernel_pca(x, {.n_components = 5, .gamma = gamma, .alpha = alpha});
  const Array2<double>& z = model.coordinates();
  const Array2<double> back = model.inverse_transform(z);
  // K (K + alpha I)^-1 X = X - alpha (K + alpha I)^-1 X, so that (K + alpha I)(X - back) = alpha X.
  Array2<double> k = gaussian(z, z, gamma), difference = x, scaled = x;
  for (Index i = 0; i < 40; ++i) k(i, i) += alpha;
  for (Index i = 0; i < x.size(); ++i) {
    difference.data()[i] -= back.data()[i];
    scaled.data()[i] *= alpha;
  }
  EXPECT_LT(relative_difference(product(k, difference), scaled), 1e-9);
  EXPECT_EQ(model.inverse_transform(z), back);
}

TEST(KernelPca, PreImagesOfASmoothMapAreNearThePoints) {
  const Array2<double> x = anisotropic_points(300, 2, 17);
  for (const std::optional<std::int64_t> landmarks : {std::optional<std::int64_t>{}, {80}}) {
    const Model model = kernel_pca(x, {.n_components = 6, .gamma = 0.1, .alpha = 1e-6, .n_landmarks = landmarks});
    EXPECT_LT(relative_difference(model.inverse_transform(model.coordinates()), x), 0.1);
  }
  const Model linear = kernel_pca(x, {.kernel = Kernel::Linear, .alpha = 0});
  EXPECT_THROW(linear.inverse_transform(linear.coordinates()), Error);  // singular: rank 2 of 300
}

TEST(KernelPca, SavedModelsAreTheSame) {
  const ScratchFolder folder;
  const std::string path = folder / "model.unroll";
  const Array2<double> x = normal_matrix(60, 4, 18), fresh = normal_matrix(7, 4, 19);
  for (const Kernel kernel : kComputed)
    for (const bool landmarks : {false, true}) {
      if (landmarks && kernel == Kernel::Sigmoid) continue;
      KernelPcaOptions options{.kernel = kernel, .scale = Scaling::Standardize};
      if (landmarks) options.n_landmarks = 20;
      const Model model = kernel_pca(x, options);
      model.save(path);
      const Model loaded = load_model(path);
      EXPECT_EQ(loaded.transform(fresh), model.transform(fresh));
      EXPECT_EQ(loaded.transform_kind(), model.transform_kind());
      if (kernel == Kernel::Sigmoid) continue;  // nor is the regression definite
      EXPECT_EQ(loaded.inverse_transform(model.coordinates()), model.inverse_transform(model.coordinates()));
    }
  const Array2<double> k = gaussian(x, x, 0.3);
  for (const std::optional<std::int64_t> landmarks : {std::optional<std::int64_t>{}, {20}}) {
    const Model model = kernel_pca(k, {.kernel = Kernel::Precomputed, .n_landmarks = landmarks});
    model.save(path);
    EXPECT_EQ(load_model(path).transform(k), model.transform(k));
  }
}

TEST(KernelPca, SameBytesAtAnyThreadCount) {
  const Array2<double> x = anisotropic_points(1100, 5, 20), fresh = normal_matrix(50, 5, 21);
  for (const std::optional<std::int64_t> landmarks : {std::optional<std::int64_t>{}, {100}}) {
    const KernelPcaOptions options{.gamma = 0.2, .n_landmarks = landmarks};
    const Model one = kernel_pca(x, options, {.threads = 1});
    const Array2<double> back = one.inverse_transform(one.transform(fresh), {.threads = 1});
    for (const int threads : {2, 3, 8}) {
      const unroll::Run run{.threads = threads};
      const Model model = kernel_pca(x, options, run);
      EXPECT_EQ(model.coordinates(), one.coordinates()) << threads;
      EXPECT_EQ(model.transform(fresh, run), one.transform(fresh)) << threads;
      EXPECT_EQ(model.inverse_transform(one.transform(fresh), run), back) << threads;
    }
  }
}

TEST(KernelPca, ManyPointsHaveLandmarksUnlessAsked) {
  const Array2<double> x = anisotropic_points(20500, 2, 22);
  const Model model = kernel_pca(x, {.gamma = 1e-3});
  EXPECT_TRUE(has_warning(model, "landmarks-chosen"));
  EXPECT_EQ(model.transform_kind(), TransformKind::Nystrom);
  for (const NamedValue& option : model.options())
    if (option.name == "n_landmarks") {
      EXPECT_EQ(option.value, OptionValue{std::int64_t{1000}});
    }
}

TEST(KernelPca, RefusalsSayWhatToDo) {
  const Array2<double> x = normal_matrix(30, 3, 23);
  EXPECT_EQ(refusal(x, {.n_components = 30}, "must be less than the number of points, 30"), ErrorKind::InvalidOption);
  EXPECT_EQ(refusal(x, {.n_landmarks = 31}, "n_landmarks=31"), ErrorKind::InvalidOption);
  EXPECT_EQ(refusal(x, {.n_landmarks = 2}, "n_landmarks=2"), ErrorKind::InvalidOption);
  EXPECT_EQ(refusal(x, {.gamma = 0}, "gamma"), ErrorKind::InvalidOption);
  EXPECT_EQ(refusal(normal_matrix(1, 3, 1), {}, "minimum of 2"), ErrorKind::InvalidData);
  const Array2<double> k = gaussian(x, x, 1);
  EXPECT_EQ(refusal(k, {.kernel = Kernel::Precomputed, .scale = Scaling::Center}, "scale"), ErrorKind::InvalidOption);
  EXPECT_EQ(refusal(k, {.kernel = Kernel::Precomputed, .n_landmarks = 5, .landmarks = KernelLandmarks::KMeans},
                    "landmarks=kmeans"),
            ErrorKind::InvalidOption);
  try {
    kernel_pca(normal_matrix(2000, 2, 1), {}, {.memory_budget = 1 << 20});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
    EXPECT_NE(std::string(error.what()).find("n_landmarks"), std::string::npos) << error.what();
  }
}

TEST(KernelPca, DependentLandmarksAreDroppedAndSaid) {
  Array2<double> x = normal_matrix(60, 2, 24);
  for (Index i = 30; i < 60; ++i) std::copy_n(x.row(i - 30), 2, x.row(i));
  const Model model = kernel_pca(x, {.gamma = 1, .n_landmarks = 60, .landmarks = KernelLandmarks::Random});
  EXPECT_TRUE(has_warning(model, "landmarks-dropped"));
  EXPECT_LT(relative_difference(model.coordinates(), kernel_pca(x, {.gamma = 1}).coordinates()), 1e-8);
}

/// What matters is not who has no kernel with others at all, but who has less of it than with himself.
TEST(KernelPca, ANarrowKernelIsToldByThePointsThatItLeavesAlone) {
  const Array2<double> x = normal_matrix(300, 5, 3);
  const auto warning_at = [&](double gamma, Index landmarks = 0) -> std::string {
    KernelPcaOptions options{.gamma = gamma};
    if (landmarks > 0) options.n_landmarks = landmarks;
    const Model model = kernel_pca(x, options);
    const Warning* warning = warning_of(model, "vanishing-kernel");
    return warning == nullptr ? "" : warning->message;
  };
  const auto lonely_at = [&](double gamma) {
    const Array2<double> k = gaussian(x, x, gamma);
    Index lonely = 0;
    for (Index i = 0; i < k.rows(); ++i) lonely += std::accumulate(k.row(i), k.row(i) + k.cols(), -1.0) < 1 ? 1 : 0;
    return lonely;
  };
  EXPECT_EQ(lonely_at(0.05), 0);
  EXPECT_EQ(warning_at(0.05), "");
  const auto counted = [&](double gamma) { return std::to_string(lonely_at(gamma)) + " of 300 points"; };
  EXPECT_GT(lonely_at(1.3), 30);
  EXPECT_LT(lonely_at(1.3), 150);
  EXPECT_NE(warning_at(1.3).find(counted(1.3)), std::string::npos) << warning_at(1.3);
  EXPECT_NE(warning_at(1.3).find("at one place of the map"), std::string::npos) << warning_at(1.3);
  EXPECT_GT(lonely_at(3), 150);
  EXPECT_NE(warning_at(3).find(counted(3)), std::string::npos) << warning_at(3);
  EXPECT_NE(warning_at(3).find("worthless"), std::string::npos) << warning_at(3);
  EXPECT_NE(warning_at(3, 250).find(" of 250 landmarks"), std::string::npos) << warning_at(3, 250);
}

TEST(KernelPcaSlow, ManyPointsHaveASingleKernelAndTheSameMap) {
  constexpr Index kFirstSingle = 10'001;
  Array2<double> x = normal_matrix(kFirstSingle, 2, 3);
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) *= 3;  // no two eigenvalues are near each other
  const Model points = kernel_pca(x, {.gamma = 0.1});
  const Model given = kernel_pca(gaussian(x, x, 0.1), {.kernel = Kernel::Precomputed});
  EXPECT_EQ(points.attribute<std::string>("precision"), "float32");
  EXPECT_LT(relative_difference(points.coordinates(), given.coordinates()), 1e-6);
  EXPECT_NE(points.coordinates(), given.coordinates());
  EXPECT_EQ(kernel_pca(rows_of(x, 0, 500), {.gamma = 0.1}).attribute<std::string>("precision"), "float64");
}

}  // namespace
}  // namespace unroll
