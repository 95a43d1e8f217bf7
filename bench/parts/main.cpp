#include <stdexcept>

#include "parts.h"

namespace parts {
namespace {

struct Part {
  const char* name;
  void (*run)(const Task&, Answer&);
};
constexpr Part kParts[] = {{"make_matrix", make_matrix},
                           {"cholesky", cholesky},
                           {"order", order},
                           {"eigenpairs", eigenpairs},
                           {"small_eigen", small_eigen},
                           {"neighbors", neighbors},
                           {"paths", paths},
                           {"all_paths", all_paths},
                           {"k_means", k_means},
                           {"read", read},
                           {"zip", zip},
                           {"pool", pool},
                           {"convolution", convolution},
                           {"json", json}};

void run(const Task& task, Answer& answer) {
  for (const Part& part : kParts)
    if (task.part == part.name) return part.run(task, answer);
  throw std::invalid_argument("there is no part " + task.part);
}

}  // namespace
}  // namespace parts

int main(int count, char** words) { return parts::run_task(count, words, parts::run); }
