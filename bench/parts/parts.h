#pragma once
#include "part.h"

/// The parts, each with the contenders that its source names. Ours is called "ours".
namespace parts {

void make_matrix(const Task& task, Answer& answer);
void cholesky(const Task& task, Answer& answer);
void order(const Task& task, Answer& answer);
void eigenpairs(const Task& task, Answer& answer);
void small_eigen(const Task& task, Answer& answer);
void neighbors(const Task& task, Answer& answer);
void paths(const Task& task, Answer& answer);
void all_paths(const Task& task, Answer& answer);
void k_means(const Task& task, Answer& answer);
void read(const Task& task, Answer& answer);
void zip(const Task& task, Answer& answer);
void pool(const Task& task, Answer& answer);
void convolution(const Task& task, Answer& answer);
void json(const Task& task, Answer& answer);

/// Of a contender of which this build knows only the name.
[[noreturn]] inline void refuse(const Task& task) { throw Missing{task.contender}; }

}  // namespace parts
