#include <gtest/gtest.h>
#include <link.h>

#include <filesystem>
#include <string>
#include <vector>

/// What the library brings into a process that links it and calls nothing of it.
namespace {

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
  const auto paths = loaded_libraries_named("libopenblas");
  EXPECT_EQ(paths.size(), 1U);
  for (const auto& path : paths) EXPECT_NE(path.find("/openblas-serial/"), std::string::npos) << path;
  for (const char* other : {"libblas", "liblapack"}) EXPECT_EQ(loaded_libraries_named(other).size(), 0U) << other;
}

// Its threads would give other bits, and hang a forked child.
TEST(Loading, BringsNoOpenMp) {
  for (const char* name : {"libgomp", "libomp", "libiomp"}) EXPECT_EQ(loaded_libraries_named(name).size(), 0U) << name;
}

}  // namespace
