#pragma once
#include <atomic>
#include <string_view>

#include "unroll/core/run.h"

namespace unroll {

/// Progress of work that several threads do in parts of any size. Only the thread that made the meter reports it, when
/// at least kStep has been done since its last report.
class WorkMeter {
 public:
  static constexpr double kStep = 0.002;  ///< of the whole

  /// Reports the beginning.
  WorkMeter(const Run& run, std::string_view stage, double whole);

  /// Adds work that any thread has done. Throws Cancelled on the thread that reports.
  void add(double work);
  /// Reports the end.
  void finish();

 private:
  void tell(double fraction);

  const Run& run_;
  std::string_view stage_;
  double whole_;
  const void* teller_;  // the thread that made this
  double told_ = 0;
  std::atomic<double> done_{0};
};

}  // namespace unroll
