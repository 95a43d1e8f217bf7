#pragma once
#include <array>
#include <string>

#include "console.h"
#include "process.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"

namespace unroll::cli {

enum class ProgressStyle { Auto, Bar, Plain, Json, None };
constexpr auto enum_names(ProgressStyle) {
  return std::array{Named{ProgressStyle::Auto, "auto"}, Named{ProgressStyle::Bar, "bar"},
                    Named{ProgressStyle::Plain, "plain"}, Named{ProgressStyle::Json, "json"},
                    Named{ProgressStyle::None, "none"}};
}

/// Shows progress on standard error: a bar that is erased at the end, a line per stage, or a JSON object per line.
/// Updates at most ten times a second, except at the beginning of a stage.
class ProgressDisplay {
 public:
  /// Auto is a bar on a terminal and nothing elsewhere.
  explicit ProgressDisplay(ProgressStyle style);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay() { erase(); }

  void show(const Progress& progress);
  /// Removes the bar from the screen: before a message, and at the end.
  void erase();

  bool is_silent() const { return style_ == ProgressStyle::None; }
  bool is_for_people() const { return style_ == ProgressStyle::Bar || style_ == ProgressStyle::Plain; }

 private:
  /// Notes when the stage has begun: with the last report of the one before it.
  void follow(const Progress& progress, double now);
  double elapsed_seconds() const { return seconds_now() - start_; }
  /// What is left of the stage if it goes on as fast as so far; none before its first part is done.
  std::optional<double> remaining_seconds(double fraction) const;
  void draw_bar(const Progress& progress);

  ProgressStyle style_;
  double start_ = seconds_now();
  double last_ = start_;
  std::string stage_;  // shown last
  std::string running_;
  double fraction_ = 0;
  double stage_start_ = start_;
  double reported_ = start_;
  bool drawn_ = false;
};

}  // namespace unroll::cli
