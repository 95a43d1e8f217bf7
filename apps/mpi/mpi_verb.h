#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "command_line.h"
#include "console.h"
#include "job.h"
#include "ranks.h"

namespace unroll::cluster {

/// One verb of unroll-mpi: that of `unroll` with its flags, done by all ranks together.
struct MpiVerb {
  std::string_view name;
  cli::Command (*describe)(const cli::Arguments& seen);
  void (*run)(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console);
};

const std::vector<MpiVerb>& mpi_verbs();

cli::Command describe_mpi_transform(const cli::Arguments& seen);
void run_mpi_transform(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console);

cli::Command describe_mpi_embed(const cli::Arguments& seen);
void run_mpi_embed(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console);
cli::Command describe_mpi_neighbors(const cli::Arguments& seen);
void run_mpi_neighbors(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console);

/// A verb's job on all ranks: each has one, and only the root's is heard. What it writes is an .npy file.
std::unique_ptr<cli::Job> make_job(const Ranks& ranks, std::string_view verb, const cli::Arguments& arguments,
                                   const cli::Console& console, const std::string& output);
/// The flags for reading, of which those for text and sparse files are refused.
ReadOptions npy_reading(const cli::Arguments& arguments, const std::string& path);
/// The run of a rank: unless flags say otherwise, its share of the host's cores and of the memory that is free.
Run share_of_host(const Ranks& ranks, cli::Job& job, const cli::Arguments& arguments);
/// Adds how many ranks there are to the report, and prints it.
void finish(const Ranks& ranks, cli::Job& job);

}  // namespace unroll::cluster
