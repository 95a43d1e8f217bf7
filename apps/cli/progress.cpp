#include "progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

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
  // A bar waits even for a new stage, so that quick work shows none.
  if (now - last_ < kPauseSeconds && (!is_new || style_ == ProgressStyle::Bar)) return;
  if (!is_new && style_ == ProgressStyle::Plain) return;
  last_ = now;
  stage_ = progress.stage;
  switch (style_) {
    case ProgressStyle::Bar: draw_bar(progress); break;
    case ProgressStyle::Plain: print_message(fmt::format("[{:7.2f} s] {}\n", elapsed_seconds(), stage_)); break;
    case ProgressStyle::Json: print_message(progress_json(progress, elapsed_seconds()) + "\n"); break;
    case ProgressStyle::Auto:
    case ProgressStyle::None: break;
  }
}

void ProgressDisplay::draw_bar(const Progress& progress) {
  constexpr int kWidth = 24;
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const auto filled = static_cast<int>(fraction * kWidth);
  std::string text = fmt::format("\r\x1b[K{:24.24} ", progress.stage);
  if (fraction > 0)  // work of unknown length stays at 0
    text += fmt::format("[{:=<{}}{:<{}}] {:3.0f} % ", "", filled, "", kWidth - filled, 100 * fraction);
  text += clock_text(elapsed_seconds());
  if (progress.loss) text += fmt::format("  loss {:.4g}", *progress.loss);
  print_message(text);
  drawn_ = true;
}

void ProgressDisplay::erase() {
  if (drawn_) print_message("\r\x1b[K");
  drawn_ = false;
}

}  // namespace unroll::cli
