// Progress, cancelling, a sparse graph as input, and a model that is saved and loaded again.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <string>

#include "unroll/unroll.h"

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "roll.unroll";
  static std::atomic<bool> stop = false;
  std::signal(SIGINT, [](int) { stop = true; });  // Ctrl-C ends the work soon, and loses nothing

  const unroll::Run run{.progress =
                            [](const unroll::Progress& progress) {
                              std::fprintf(stderr, "\r%-30.*s %3.0f %%", static_cast<int>(progress.stage.size()),
                                           progress.stage.data(), 100 * progress.fraction);
                              return true;  // false would cancel, too
                            },
                        .cancel = &stop};
  try {
    const unroll::Dataset roll = unroll::make_dataset("swiss_roll", 2000);
    // Isomap takes a graph of our own making: here the ten nearest neighbours of every point.
    const unroll::Neighbors found = unroll::neighbors(roll.points, {.n_neighbors = 10}, run);
    const unroll::SparseMatrix graph =
        unroll::to_sparse(unroll::symmetrized(found.graph, unroll::Symmetrization::Union));
    const unroll::Model map = unroll::isomap(unroll::SparseDistances(graph), {}, run);
    for (const unroll::Warning& warning : map.embedding().warnings)
      std::fprintf(stderr, "\nwarning: %s\n", warning.message.c_str());

    // A model of points places new ones. Its file is the same on every machine.
    unroll::isomap(roll.points, {.n_neighbors = 10}, run).save(path);
    const unroll::Model again = unroll::load_model(path);
    const unroll::Dataset fresh = unroll::make_dataset("swiss_roll", 5, 1);
    const unroll::Array2<double> placed = again.transform(fresh.points, run);
    const std::vector<double> fit = unroll::affine_r2(map.coordinates(), roll.truth);
    std::printf("\nR2 of the true coordinates: %.4f %.4f; the first new point is at (%.2f, %.2f)\n", fit[0], fit[1],
                placed(0, 0), placed(0, 1));
  } catch (const unroll::Error& error) {
    std::fprintf(stderr, "\n%s (%s)\n", error.what(), std::string(unroll::name_of(error.kind())).c_str());
    return error.kind() == unroll::ErrorKind::Cancelled ? 130 : 1;
  }
  return 0;
}
