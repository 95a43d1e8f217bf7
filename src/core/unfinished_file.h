#pragma once
#include <string>

namespace unroll {

/// Lets remove_unfinished_files() (core/file.h) know a file for as long as this object lives. The folder's descriptor
/// must live longer.
class UnfinishedFile {
 public:
  UnfinishedFile(int folder, const std::string& name);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

 private:
  int slot_ = -1;  // -1: the list was full
};

}  // namespace unroll
