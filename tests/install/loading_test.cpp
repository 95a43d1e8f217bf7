#include <gtest/gtest.h>
#include <link.h>

#include <filesystem>
#include <string>
#include <vector>

/// What the library brings into a process that links it and calls nothing of it.
namespace {

constexpr bool kHasCholmod = UNROLL_GPL != 0;

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        static_cast<std::vector<std::string>*>(out)->emplace_back(info->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

std::vector<std::string> loaded_libraries_named(const std::string& part) {
  std::vector<std::string> found;
  for (const auto& path : loaded_libraries())
    if (path.find(part) != std::string::npos) found.push_back(path);
  return found;
}

TEST(Loading, TheLibraryIsLoaded) { EXPECT_EQ(loaded_libraries_named("libunroll.so").size(), 1U); }

TEST(Loading, StartsNoThread) {
  std::size_t threads = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) ++threads;
  EXPECT_EQ(threads, 1U);
}

TEST(Loading, BlasIsTheSerialOne) {
  for (const char* name : {"libopenblas", "libblas", "liblapack"}) {
    const auto paths = loaded_libraries_named(name);
    // CHOLMOD knows them by the names of the reference implementations.
    const bool is_needed = kHasCholmod || std::string(name) == "libopenblas";
    EXPECT_EQ(paths.size(), is_needed ? 1U : 0U) << name;
    for (const auto& path : paths) EXPECT_NE(path.find("/openblas-serial/"), std::string::npos) << path;
  }
}

// A build without GPL brings neither. (That CHOLMOD's parallel regions stay on one thread is for the unit tests.)
TEST(Loading, BringsOpenMpWithCholmodAlone) {
  const std::size_t expected = kHasCholmod ? 1 : 0;
  EXPECT_EQ(loaded_libraries_named("libcholmod").size(), expected);
  EXPECT_EQ(loaded_libraries_named("libgomp").size(), expected);
  for (const char* other : {"libomp", "libiomp"}) EXPECT_EQ(loaded_libraries_named(other).size(), 0U);
}

}  // namespace
