#include "progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "json_text.h"

namespace unroll::cli {
namespace {

constexpr double kPauseSeconds = 0.1;

ProgressStyle resolved(ProgressStyle style) {
  if (style != ProgressStyle::Auto) return style;
  return is_smart_terminal(STDERR_FILENO) ? ProgressStyle::Bar : ProgressStyle::None;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

ProgressDisplay::ProgressDisplay(ProgressStyle style) : style_(resolved(style)) {}

void ProgressDisplay::show(const Progress& progress) {
  if (is_silent()) return;
  const double now = seconds_now();
  const bool is_new = progress.stage != stage_;
  follow(progress, now);
  // A bar waits even for a new stage, so that quick work shows none.
  if (now - last_ < kPauseSeconds && (!is_new || style_ == ProgressStyle::Bar)) return;
  if (!is_new && style_ == ProgressStyle::Plain) return;
  last_ = now;
  stage_ = progress.stage;
  switch (style_) {
    case ProgressStyle::Bar: draw_bar(progress); break;
    case ProgressStyle::Plain: print_message(fmt::format("[{:7.2f} s] {}\n", elapsed_seconds(), stage_)); break;
    case ProgressStyle::Json:
      print_message(progress_json(progress, elapsed_seconds(), remaining_seconds(progress.fraction)) + "\n");
      break;
    case ProgressStyle::Auto:
    case ProgressStyle::None: break;
  }
}

void ProgressDisplay::follow(const Progress& progress, double now) {
  if (progress.stage != running_ || progress.fraction < fraction_) {
    running_ = progress.stage;
    stage_start_ = reported_;
  }
  fraction_ = progress.fraction;
  reported_ = now;
}

std::optional<double> ProgressDisplay::remaining_seconds(double fraction) const {
  if (fraction <= 0 || fraction > 1) return std::nullopt;
  return (seconds_now() - stage_start_) * (1 - fraction) / fraction;
}

void ProgressDisplay::draw_bar(const Progress& progress) {
  constexpr int kWidth = 24;
  constexpr double kTellable = 2, kFirstPart = 0.02;  // before, a guess would jump
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const auto filled = static_cast<int>(fraction * kWidth);
  std::string text = fmt::format("\r\x1b[K{:24.24} ", progress.stage);
  // Work of unknown length stays at 0. A stage that is done says nothing about what follows it.
  if (fraction > 0 && fraction < 1)
    text += fmt::format("[{:=<{}}{:<{}}] {:3.0f} % ", "", filled, "", kWidth - filled, std::floor(100 * fraction));
  text += clock_text(elapsed_seconds());
  if (fraction > kFirstPart && fraction < 1 && seconds_now() - stage_start_ > kTellable)
    text += fmt::format(", {} left of this step", clock_text(std::ceil(*remaining_seconds(fraction))));
  if (progress.loss) text += fmt::format("  {} {:.4g}", progress.violation ? "trace" : "loss", *progress.loss);
  if (progress.violation) text += fmt::format("  violation {:.1e}", *progress.violation);
  print_message(text);
  drawn_ = true;
}

void ProgressDisplay::erase() {
  if (drawn_) print_message("\r\x1b[K");
  drawn_ = false;
}

}  // namespace unroll::cli
