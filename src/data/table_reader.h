#pragma once
#include "data/byte_source.h"
#include "unroll/data/table.h"

/// One function per file format, called by read_table when it knows the format. `source` is at the first byte of the
/// content. Errors have the name of the source, the place and what to do.
namespace unroll {

using TableOrSparse = std::variant<Table, SparseTable>;

/// NumPy's .npy, versions 1 to 3: numbers of every type up to 64 bits, either byte order, either memory order.
/// Shape (n) is one column, (n, a, b, ...) has a*b*... features per row. Never runs or unpickles anything.
Table read_npy(ByteSource& source, const ReadOptions& options, const Run& run);

/// The idx format of MNIST: rows by the first dimension, all others together are features.
Table read_idx(ByteSource& source, const ReadOptions& options, const Run& run);

/// Text; csv_text.h, csv_layout.h and csv_number.h define lines and fields, headers, and numbers.
Table read_csv(ByteSource& source, const ReadOptions& options, const Run& run);

/// NumPy's .npz (table.h says which array) and SciPy's: csr, csc and coo matrices of scipy.sparse.save_npz.
TableOrSparse read_npz(ByteSource& source, const ReadOptions& options, const Run& run);

/// MatrixMarket: "array" is dense, "coordinate" sparse; real, integer and pattern; general, symmetric, skew-symmetric.
TableOrSparse read_mtx(ByteSource& source, const ReadOptions& options, const Run& run);

/// Reads what is in `source`, whatever its format; `path` names it in messages about options.
TableOrSparse read_source(ByteSource& source, const std::string& path, const ReadOptions& options, const Run& run);

/// Reads a table with samples in columns: read_table under options.transpose.
Table read_transposed(const std::string& path, const ReadOptions& options, const Run& run);

/// A sparse table as a dense one; `name` is the file's, for messages.
Table made_dense(const SparseTable& sparse, const std::string& name, const Run& run);

}  // namespace unroll
