#pragma once
#include <zlib.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/file.h"

namespace unroll {

/// An atomic file (core/file.h), compressed if asked for. The same content always gives the same bytes: the gzip header
/// holds neither a time nor a name.
class FileWriter {
 public:
  FileWriter(const std::string& path, bool gzip);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  void write(const void* data, std::size_t size);
  void commit();

 private:
  void compress(const void* data, std::size_t size, bool last);

  AtomicFile file_;
  bool gzip_;
  z_stream stream_{};
  std::vector<Bytef> compressed_;
};

}  // namespace unroll
