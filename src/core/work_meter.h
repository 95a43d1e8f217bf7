#pragma once
#include <atomic>
#include <string_view>

#include "unroll/core/run.h"

namespace unroll {

/// Progress of work that several threads do in parts of any size. It is told by the thread that made this, whenever a
/// step has been done since the last time.
class WorkMeter {
 public:
  static constexpr double kStep = 0.002;  ///< of the whole

  /// Tells the beginning.
  WorkMeter(const Run& run, std::string_view stage, double whole);

  /// So much has been done, by whatever thread. Throws Cancelled on that which tells.
  void add(double work);
  /// Tells the end.
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
