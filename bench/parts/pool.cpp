// What it costs to have threads do something: 20 000 times K blocks of about a microsecond. "ours", "openmp" and
// "async" (a thread of its own for every share).
#include <cmath>
#include <future>
#include <numeric>

#include "core/parallel.h"
#include "parts.h"

namespace parts {
namespace {

constexpr int kTimes = 20'000;

double block(std::int64_t k) {
  double sum = 0;
  for (int i = 1; i < 100; ++i) sum += std::sqrt(static_cast<double>(k + i));
  return sum;
}

void by_ours(std::vector<double>& to, int threads) {
  unroll::parallel_for({.threads = threads}, std::ssize(to), 1,
                       [&](unroll::Index k, unroll::Index) { to[static_cast<std::size_t>(k)] = block(k); });
}

void by_openmp(std::vector<double>& to, int threads) {
  const std::int64_t count = std::ssize(to);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t k = 0; k < count; ++k) to[static_cast<std::size_t>(k)] = block(k);
}

void by_async(std::vector<double>& to, int threads) {
  std::vector<std::future<void>> shares;
  for (int t = 0; t < threads; ++t)
    shares.push_back(std::async(std::launch::async, [&to, t, threads] {
      for (std::int64_t k = t; k < std::ssize(to); k += threads) to[static_cast<std::size_t>(k)] = block(k);
    }));
}

}  // namespace

void pool(const Task& task, Answer& answer) {
  const auto work = task.contender == "ours"     ? by_ours
                    : task.contender == "openmp" ? by_openmp
                    : task.contender == "async"  ? by_async
                                                 : nullptr;
  if (work == nullptr) refuse(task);
  std::vector<double> to(static_cast<std::size_t>(task.k));
  work(to, task.threads);  // the threads are there
  answer.measure("blocks", [&] {
    for (int i = 0; i < kTimes; ++i) work(to, task.threads);
  });
  answer.tell("sum", std::accumulate(to.begin(), to.end(), 0.0));
}

}  // namespace parts
