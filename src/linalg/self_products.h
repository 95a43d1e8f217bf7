#pragma once
#include "linalg/centered_points.h"

/// The products of centred data with themselves, in parallel and with the same bits at any thread count.
namespace unroll {

/// Z^T Z, D x D. Data on a grid of 8 bits (images, small counts) are multiplied in single precision, twice as fast, in
/// blocks so short that every partial sum is an integer below 2^24: nothing is rounded.
Array2<double> scatter_matrix(const CenteredPoints& z, const Run& run);

/// Z Z^T, n x n.
Array2<double> gram_matrix(const CenteredPoints& z, const Run& run);

/// (Z^T Z) q for vectors q given as rows, in one pass over the data.
Array2<double> scatter_product(const CenteredPoints& z, const Array2<double>& q, const Run& run);

}  // namespace unroll
