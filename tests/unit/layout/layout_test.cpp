#include "layout/layout.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// Gradient descent on |y - target|^2 / 2: the smallest layout there is.
class SmallDescent : public Layout {
 public:
  SmallDescent(Array2<double> start, Array2<double> target) : y_(std::move(start)), target_(std::move(target)) {}
  SmallDescent(const LayoutState& state, Array2<double> map, Array2<double> target)
      : y_(std::move(map)), target_(std::move(target)), iteration_(state.iteration) {}

  void step(Index until, const Run& run) override {
    for (; iteration_ < until && !is_converged(); ++iteration_) {
      run.check_cancelled();
      for (Index i = 0; i < y_.size(); ++i) y_.data()[i] -= 0.1 * (y_.data()[i] - target_.data()[i]);
    }
  }
  bool is_converged() const override { return loss() < 1e-20; }
  Index iteration() const override { return iteration_; }
  double loss() const override {
    double sum = 0;
    for (Index i = 0; i < y_.size(); ++i) {
      const double rest = y_.data()[i] - target_.data()[i];
      sum += rest * rest / 2;
    }
    return sum;
  }
  const Array2<double>& coordinates() const override { return y_; }
  LayoutState state() const override { return {.iteration = iteration_, .is_converged = is_converged()}; }

 private:
  Array2<double> y_;
  Array2<double> target_;
  Index iteration_ = 0;
};

class Layouts : public testing::Test {
 protected:
  Array2<double> start = normal_matrix(30, 2, 1), target = normal_matrix(30, 2, 2);

  Array2<double> straight(Index iterations) const {
    SmallDescent layout(start, target);
    EXPECT_FALSE(run_layout(layout, iterations, "descent", {}));
    return layout.coordinates();
  }
};

TEST_F(Layouts, RunToTheEndAndTellOfIt) {
  SmallDescent layout(start, target);
  std::vector<double> losses, fractions;
  const unroll::Run watched{.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "descent");
    EXPECT_EQ(progress.frame, &layout.coordinates());
    losses.push_back(*progress.loss);
    fractions.push_back(progress.fraction);
    return true;
  }};
  EXPECT_FALSE(run_layout(layout, 50, "descent", watched));
  EXPECT_EQ(layout.iteration(), 50);
  EXPECT_EQ(losses.size(), 50U);
  EXPECT_TRUE(std::is_sorted(losses.rbegin(), losses.rend()));
  EXPECT_EQ(fractions.back(), 1);
}

TEST_F(Layouts, TheLossIsNotComputedForNobody) {
  class Costly : public SmallDescent {
   public:
    using SmallDescent::SmallDescent;
    bool is_converged() const override { return false; }
    double loss() const override {
      ++asked;
      return SmallDescent::loss();
    }
    mutable int asked = 0;
  };
  Costly layout(start, target);
  EXPECT_FALSE(run_layout(layout, 50, "descent", {}));
  EXPECT_EQ(layout.iteration(), 50);
  EXPECT_EQ(layout.asked, 0);
}

TEST_F(Layouts, EndWhereTheyConverge) {
  SmallDescent layout(start, target);
  EXPECT_FALSE(run_layout(layout, 100'000, "descent", {}));
  EXPECT_LT(layout.iteration(), 1000);
  EXPECT_LT(layout.loss(), 1e-20);
}

TEST_F(Layouts, FinishHereKeepsTheMapAndWarns) {
  SmallDescent layout(start, target);
  const unroll::Run run{
      .progress = [&](const Progress&) { return layout.iteration() < 7 ? Answer::Continue : Answer::FinishHere; }};
  const auto warning = run_layout(layout, 50, "descent", run);
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->code, "finished-early");
  EXPECT_NE(warning->message.find("after 7 of 50 iterations"), std::string::npos) << warning->message;
  EXPECT_EQ(layout.coordinates(), straight(7));
}

TEST_F(Layouts, FinishHereWithinAStepIsNotLost) {
  /// Reports from within its steps, as work inside an iteration does.
  class Talkative : public SmallDescent {
   public:
    using SmallDescent::SmallDescent;
    void step(Index until, const unroll::Run& run) override {
      run.report({.stage = "inside"});
      SmallDescent::step(until, run);
    }
  };
  Talkative layout(start, target);
  const unroll::Run run{.progress = [&](const Progress& progress) {
    return progress.stage == "inside" && layout.iteration() == 6 ? Answer::FinishHere : Answer::Continue;
  }};
  EXPECT_TRUE(run_layout(layout, 50, "descent", run));
  EXPECT_EQ(layout.coordinates(), straight(7));
}

TEST_F(Layouts, FinishHereAtTheEndIsNoWarning) {
  SmallDescent layout(start, target);
  const unroll::Run run{
      .progress = [&](const Progress& p) { return p.fraction < 1 ? Answer::Continue : Answer::FinishHere; }};
  EXPECT_FALSE(run_layout(layout, 9, "descent", run));
}

TEST_F(Layouts, CancelThrowsAndLeavesAWholeIteration) {
  SmallDescent layout(start, target);
  const unroll::Run run{.progress = [&](const Progress&) { return layout.iteration() < 5; }};
  expect_error(ErrorKind::Cancelled, "stopped on request", [&] { run_layout(layout, 50, "descent", run); });
  EXPECT_EQ(layout.coordinates(), straight(5));
}

TEST_F(Layouts, ResumedIsStraight) {
  const Array2<double> expected = straight(60);
  for (const Index pause : {1, 7, 59}) {
    SmallDescent first(start, target);
    run_layout(first, pause, "descent", {});
    SmallDescent second(first.state(), first.coordinates(), target);
    run_layout(second, 60, "descent", {});
    EXPECT_EQ(second.coordinates(), expected) << pause;
  }
}

TEST(Run, AnAnswerIsTrueUnlessItCancels) {
  EXPECT_TRUE(Answer(Answer::Continue));
  EXPECT_TRUE(Answer(Answer::FinishHere));
  EXPECT_FALSE(Answer(Answer::Cancel));
  EXPECT_EQ(Answer(true), Answer::Continue);
  EXPECT_EQ(Answer(false), Answer::Cancel);
}

TEST(Run, WorkThatCannotFinishEarlyGoesOn) {
  const unroll::Run run{.progress = [](const Progress&) { return Answer::FinishHere; }};
  EXPECT_FALSE(run.report({.stage = "search"}));
  EXPECT_TRUE(unroll::Run{}.report({.stage = "search"}));
}

}  // namespace
}  // namespace unroll
