#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "unroll/core/types.h"

namespace unroll {

/// What a long computation reports to its caller now and then, always from the thread that called it.
struct Progress {
  std::string_view stage;
  double fraction = 0;                    ///< of this stage, 0 to 1
  std::optional<double> loss = {};        ///< of an optimiser
  const Array2<double>* frame = nullptr;  ///< an optimiser's present coordinates
  std::optional<double> violation = {};   ///< of the constraints of an optimiser that has some, relative to them
};

/// The caller's answer to a progress report. A bool converts: true continues, false cancels.
class Answer {
 public:
  enum class Kind {
    Continue,
    FinishHere,  ///< an optimiser returns its present map; other work runs to its end
    Cancel,      ///< Error(Cancelled), and nothing is kept
  };
  using enum Kind;
  constexpr Answer(Kind kind) : kind_(kind) {}
  constexpr Answer(bool goes_on) : kind_(goes_on ? Continue : Cancel) {}
  constexpr Kind kind() const { return kind_; }
  constexpr explicit operator bool() const { return kind_ != Cancel; }
  constexpr bool operator==(const Answer&) const = default;

 private:
  Kind kind_;
};

/// How to carry out a computation. Nothing here changes a bit of the answer; whatever does is an option of the method.
struct Run {
  int threads = 0;  ///< 0: one per core this process may use
  std::function<Answer(const Progress&)> progress = {};
  const std::atomic<bool>* cancel = nullptr;        ///< set it from any thread or signal handler to stop soon
  std::optional<std::uint64_t> memory_budget = {};  ///< bytes per step; none: 80 % of the memory available then

  /// Reports progress, and throws Error(Cancelled) when the caller wants to stop. Returns false when the caller wants
  /// the present state as the result; only optimisers, which have one, look at that.
  UNROLL_API bool report(const Progress& progress) const;
  UNROLL_API void check_cancelled() const;
};

}  // namespace unroll
