#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What the programs of bench/parts share. They know nothing of the library, so that CHOLMOD's has a BLAS of its own.
namespace parts {

/// PROGRAM PART CONTENDER DATA OUT K THREADS
struct Task {
  std::string part, contender, data, out;
  std::int64_t k;
  int threads;
};

/// A contender that this build has not.
struct Missing {
  std::string name;
};

/// Seconds of the wall clock and of all threads of this process, since it was made.
class Watch {
 public:
  Watch();
  double wall() const;
  double cpu() const;

 private:
  double wall_, cpu_;
};

/// What is told in the end, as one line of JSON.
class Answer {
 public:
  /// Runs a phase of the work that is measured.
  template <class Work>
  void measure(const std::string& phase, const Work& work) {
    const Watch watch;
    work();
    add(phase, watch);
  }
  void tell(const std::string& name, double value) { details_.emplace_back(name, value); }
  void print() const;

 private:
  void add(const std::string& phase, const Watch& watch);

  double wall_ = 0, cpu_ = 0;
  std::vector<std::pair<std::string, double>> phases_, details_;
};

/// main of every program: `run` does the task, and throws where it cannot.
int run_task(int count, char** words, void (*run)(const Task&, Answer&));

/// A sparse matrix by rows, as bench/data.py reads it too: rows, entries, offsets, columns, values; 8 bytes each.
struct MatrixFile {
  std::int64_t rows = 0;
  std::vector<std::int64_t> offsets, columns;
  std::vector<double> values;

  static MatrixFile read(const std::string& path);
  void write(const std::string& path) const;
};

/// What is added to the diagonal before a factorisation: as near to the spectrum as our eigensolvers go where they must
/// be certain.
double shift_of(const MatrixFile& matrix);

/// Entry of the right-hand sides; the judge in quality.py has the same formula.
double right_side(std::int64_t row, std::int64_t side);
inline constexpr std::int64_t kSides = 8;

/// Numbers for the judge, 8 bytes each.
void write_numbers(const std::string& path, const std::vector<double>& numbers);

}  // namespace parts
