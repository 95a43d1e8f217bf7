#include "mpi_verb.h"

#include <algorithm>
#include <cstdlib>

#include "core/memory.h"
#include "npy_output.h"

namespace unroll::cluster {

const std::vector<MpiVerb>& mpi_verbs() {
  static const std::vector<MpiVerb> all{{"embed", describe_mpi_embed, run_mpi_embed},
                                        {"transform", describe_mpi_transform, run_mpi_transform},
                                        {"neighbors", describe_mpi_neighbors, run_mpi_neighbors}};
  return all;
}

std::unique_ptr<cli::Job> make_job(const Ranks& ranks, std::string_view verb, const cli::Arguments& arguments,
                                   const cli::Console& console, const std::string& output) {
  return ranks.together([&] {
    if (arguments.has("output")) check_npy_output(output);
    return std::make_unique<cli::Job>(verb, arguments, console, output);
  });
}

ReadOptions npy_reading(const cli::Arguments& arguments, const std::string& path) {
  const auto input = arguments.get<cli::InputOptions>("unroll-mpi");
  if (input.transpose)
    throw Error(ErrorKind::Unsupported, {.who = path,
                                         .problem = "ranks read samples that are rows of the file",
                                         .advice = "save the transposed array",
                                         .option = "transpose"});
  if (input.sparse == cli::SparseFile::Features)
    throw Error(ErrorKind::InvalidOption, {.problem = "--sparse features, but ranks read dense tables alone",
                                           .advice = "leave --sparse out",
                                           .option = "sparse"});
  return input.read_options();
}

Run share_of_host(const Ranks& ranks, cli::Job& job, const cli::Arguments& arguments) {
  Run run = job.run();
  const int cores = std::max(1, ranks.cores_of_host() / static_cast<int>(ranks.on_host()));
  const char* threads = std::getenv("UNROLL_THREADS");
  if (!arguments.has("threads") && (threads == nullptr || *threads == '\0')) run.threads = cores;
  if (!run.memory_budget) run.memory_budget = memory_budget(run) / static_cast<std::uint64_t>(ranks.on_host());
  job.report().threads = run.threads;
  return run;
}

void finish(const Ranks& ranks, cli::Job& job) {
  job.report().results.emplace_back("mpi",
                                    OptionValues{{"ranks", ranks.count()}, {"ranks_on_first_host", ranks.on_host()}});
  ranks.together([&] {
    if (ranks.is_root()) job.finish();
  });
}

}  // namespace unroll::cluster
