#include "report/method_list.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace unroll {
namespace {

std::vector<std::string> texts(const std::vector<std::string>& items) {
  std::vector<std::string> result;
  for (const ListedMethod& listed : listed_methods(items)) result.push_back(listed.text());
  return result;
}

void expect_refused(const std::string& message, const std::string& list) {
  expect_error(ErrorKind::InvalidOption, message, [&] { listed_methods({list}); });
}

using Texts = std::vector<std::string>;

TEST(MethodList, NamesAndOptions) {
  EXPECT_EQ(texts({"pca"}), Texts{"pca"});
  EXPECT_EQ(texts({"pca,isomap"}), (Texts{"pca", "isomap"}));
  const Texts expected{"kernel_pca:kernel=poly,degree=3", "isomap:k=20", "pca"};
  EXPECT_EQ(texts({"kernel_pca:kernel=poly,degree=3,isomap:k=20,pca"}), expected);
  EXPECT_EQ(texts({"kernel_pca:kernel=poly,degree=3", "isomap:k=20", "pca"}), expected) << "item by item";
  EXPECT_EQ(texts({"kernel_pca:kernel=poly", "degree=3", "isomap:k=20", "pca"}), expected) << "split at commas";
  EXPECT_EQ(texts({expected[0], expected[1], expected[2]}), expected) << "a text lists itself again";
  EXPECT_EQ(texts({" kpca : kernel = poly , degree=3"}), Texts{expected[0]}) << "aliases and blanks";
}

TEST(MethodList, ValuesHaveTheTypesOfTheirOptions) {
  const std::vector<ListedMethod> list =
      listed_methods({"Laplacian-Eigenmaps:k=7,d=3,seed=2,sigma=0.5,independent=yes,laplacian=random-walk"});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].method->name, "laplacian_eigenmaps");
  const OptionValues expected{{"n_neighbors", std::int64_t{7}},
                              {"n_components", std::int64_t{3}},
                              {"random_state", std::int64_t{2}},
                              {"sigma", 0.5},
                              {"independent", true},
                              {"laplacian", std::string("random_walk")}};
  ASSERT_EQ(list[0].options.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(list[0].options[i].name, expected[i].name);
    EXPECT_EQ(list[0].options[i].value, expected[i].value) << expected[i].name;
  }
  EXPECT_TRUE(list[0].has("sigma"));
  EXPECT_FALSE(list[0].has("radius"));
}

TEST(MethodList, AMethodMayOccurTwice) {
  EXPECT_EQ(texts({"isomap:k=5,isomap:k=10,isomap"}), (Texts{"isomap:k=5", "isomap:k=10", "isomap"}));
}

TEST(MethodList, ErrorsNameThePlace) {
  expect_refused("methods, piece 2, 'isomp': there is no method 'isomp'; did you mean 'isomap'?", "pca,isomp");
  expect_refused("methods, piece 2, '': there is no method ''", "pca,");
  expect_refused("methods, piece 1, 'k=5': there is no method before this option; write METHOD:k=5", "k=5,isomap");
  expect_refused("methods, piece 2, 'isomap:': an option of a method is missing after the colon", "pca,isomap:");
  expect_refused("methods, piece 1, 'isomap:20': an option of a method is missing", "isomap:20");
  expect_refused("methods, piece 1, 'isomap:=20': an option of a method is missing", "isomap:=20");
  expect_refused("methods, piece 3, '10': there is no method '10'; for one more option of isomap write NAME=VALUE",
                 "pca,isomap:k=5,10");
  expect_refused("methods, piece 3, 'degre=3': kernel_pca has no option 'degre'; did you mean 'degree'?",
                 "pca,kernel_pca:kernel=poly,degre=3");
  expect_refused("methods, piece 1, 'pca:k=3': pca has no option 'k'; its options are: d, dimension, whiten",
                 "pca:k=3");
  expect_refused("methods, piece 2, 'k=6': isomap has 'k' twice; name the method once more",
                 "isomap:n_neighbors=5,k=6");
  expect_refused("methods, piece 1, 'isomap:k=0': n_neighbors=0 must be an integer >= 1", "isomap:k=0");
  expect_refused("methods, piece 1, 'isomap:k=many': n_neighbors=many must be an integer", "isomap:k=many");
  expect_refused("kernel=polly must be one of: linear, poly", "kernel_pca:kernel=polly");
}

}  // namespace
}  // namespace unroll
