#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "data/file_writer.h"

namespace unroll {

/// Lines of fields with a delimiter between them, after RFC 4180: text is quoted if necessary. Lines end with a line
/// feed alone. Numbers have the fewest digits that read back to the same bits, in any locale.
class TextWriter {
 public:
  TextWriter(FileWriter& file, char delimiter);

  void add(std::string_view text);
  void add(double number);
  void add(float number);
  void end_line();
  /// Call it once after the last line.
  void flush();

 private:
  template <class T>
  void add_number(T number);
  void append(std::string_view text);
  void append_quoted(std::string_view text);
  /// Makes room for `size` characters, which must be few.
  char* reserve(std::size_t size);

  FileWriter& file_;
  char delimiter_;
  bool line_begins_ = true;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace unroll
