#include "part.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace parts {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void print_members(const char* name, const std::vector<std::pair<std::string, double>>& members) {
  std::printf("\"%s\": {", name);
  for (std::size_t i = 0; i < members.size(); ++i)
    std::printf("%s\"%s\": %.17g", i > 0 ? ", " : "", members[i].first.c_str(), members[i].second);
  std::printf("}");
}

template <class T>
void read_into(std::ifstream& file, std::vector<T>& to, std::int64_t count) {
  to.resize(static_cast<std::size_t>(count));
  file.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size() * sizeof(T)));
}

template <class T>
void write_from(std::ofstream& file, const std::vector<T>& from) {
  file.write(reinterpret_cast<const char*>(from.data()), static_cast<std::streamsize>(from.size() * sizeof(T)));
}

}  // namespace

Watch::Watch() : wall_(seconds_of(CLOCK_MONOTONIC)), cpu_(seconds_of(CLOCK_PROCESS_CPUTIME_ID)) {}
double Watch::wall() const { return seconds_of(CLOCK_MONOTONIC) - wall_; }
double Watch::cpu() const { return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_; }

void Answer::add(const std::string& phase, const Watch& watch) {
  const double cpu = watch.cpu();
  wall_ += watch.wall();
  cpu_ += cpu;
  phases_.emplace_back(phase, cpu);
}

void Answer::print() const {
  std::printf("{\"fit_s\": %.9g, \"cpu_s\": %.9g, ", wall_, cpu_);
  print_members("phases", phases_);
  std::printf(", ");
  print_members("details", details_);
  std::printf("}\n");
}

int run_task(int count, char** words, void (*run)(const Task&, Answer&)) {
  if (count != 7) {
    std::fprintf(stderr, "usage: %s PART CONTENDER DATA OUT K THREADS\n", words[0]);
    return 2;
  }
  try {
    Answer answer;
    run({words[1], words[2], words[3], words[4], std::stoll(words[5]), std::stoi(words[6])}, answer);
    answer.print();
    return 0;
  } catch (const Missing& missing) {
    std::printf("{\"missing\": \"%s\"}\n", missing.name.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

MatrixFile MatrixFile::read(const std::string& path) {
  MatrixFile matrix;
  std::ifstream file(path, std::ios::binary);
  std::vector<std::int64_t> sizes;
  read_into(file, sizes, 2);
  if (!file) throw std::runtime_error(path + " cannot be read");
  matrix.rows = sizes[0];
  read_into(file, matrix.offsets, sizes[0] + 1);
  read_into(file, matrix.columns, sizes[1]);
  read_into(file, matrix.values, sizes[1]);
  if (!file) throw std::runtime_error(path + " is too short");
  return matrix;
}

void MatrixFile::write(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  write_from(file, std::vector<std::int64_t>{rows, static_cast<std::int64_t>(columns.size())});
  write_from(file, offsets);
  write_from(file, columns);
  write_from(file, values);
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

double shift_of(const MatrixFile& matrix) {
  constexpr double kOfDiagonal = 1e-8;
  double sum = 0;
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (auto e = matrix.offsets[static_cast<std::size_t>(i)]; e < matrix.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      if (matrix.columns[static_cast<std::size_t>(e)] == i) sum += matrix.values[static_cast<std::size_t>(e)];
  return kOfDiagonal * sum / static_cast<double>(matrix.rows);
}

double right_side(std::int64_t row, std::int64_t side) {
  return std::cos(static_cast<double>(row) + 0.1 * static_cast<double>(side));
}

void write_numbers(const std::string& path, const std::vector<double>& numbers) {
  std::ofstream file(path, std::ios::binary);
  write_from(file, numbers);
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

}  // namespace parts
