#pragma once
#include <array>
#include <string>
#include <string_view>

#include "unroll/core/types.h"

namespace unroll {

/// The text of a MatrixMarket file, line by line. Lines end with LF or CR LF; lines that start with % are comments.
class MtxText {
 public:
  static constexpr std::size_t kMostFields = 5;
  struct Line {
    std::array<std::string_view, kMostFields> fields = {};
    std::size_t count = 0;  ///< may be more than are kept

    std::string_view operator[](std::size_t i) const { return fields[i]; }
  };

  MtxText(std::string name, std::string_view text);

  const std::string& name() const { return name_; }
  std::size_t bytes_left() const { return rest_.size(); }
  /// The very next line, which may be a comment: the banner is one.
  bool next_raw(Line& line);
  /// The next line that is neither blank nor a comment; false at the end.
  bool next(Line& line);
  /// Throws InvalidData with the number of the present line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string name_;
  std::string_view rest_;
  Index line_number_ = 0;
};

}  // namespace unroll
