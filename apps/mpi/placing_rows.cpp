#include "placing_rows.h"

#include <algorithm>

#include "core/memory.h"

namespace unroll::cluster {
namespace {

/// A file of a thousand columns is read in steps as large as one of three: this many numbers.
constexpr Index kNumbersAtOnce = Index{1} << 22;

}  // namespace

void place_rows(const Ranks& ranks, const SharedNpy& input, cli::Job& job, const Run& run, NpyOutput& output,
                const PlaceRows& place) {
  const Index n = input.rows(), widest = std::max({Index{1}, input.cols(), output.cols()});
  const Index begin = ranks.begin_of(ranks.rank(), n), end = ranks.begin_of(ranks.rank() + 1, n);
  const Index at_once = std::max<Index>(1, kNumbersAtOnce / widest);
  // All ranks write together, so that all go on until the first one, which has the most rows, is done.
  const Index most = std::max<Index>(1, ranks.begin_of(1, n));
  for (Index done = 0; done < most; done += at_once) {
    const Index first = std::min(begin + done, end), count = std::min(at_once, end - first);
    const Array2<double> placed = ranks.together([&] {
      job.run().report({.stage = "placing", .fraction = static_cast<double>(done) / static_cast<double>(most)});
      MemoryPlan(input.path())
          .add("the rows of one step and their coordinates", static_cast<double>(count), static_cast<double>(widest),
               3 * sizeof(double))
          .require(run, "give every rank a larger memory budget, or fewer ranks to a host");
      Table table = input.read(first, count, run);
      try {
        return job.compute([&] { return place(std::move(table)); });
      } catch (const Error& error) {
        if (error.row() < 0) throw;
        throw error.with_row(first + error.row());
      }
    });
    output.write(first, placed);
  }
}

}  // namespace unroll::cluster
