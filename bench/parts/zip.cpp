// All bytes of the members of a zip archive that is in memory: "ours" and "libzip".
#include "data/zip_archive.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "parts.h"
#ifdef UNROLL_HAS_LIBZIP
#include <zip.h>
#endif

namespace parts {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<char> by_ours(const std::string& bytes) {
  const unroll::ZipArchive archive(bytes, "archive");
  std::vector<char> content;
  for (const unroll::ZipMember& member : archive.members()) {
    unroll::ZipMemberReader reader(member, std::string(member.name));
    const std::size_t before = content.size();
    content.resize(before + member.size);
    reader.read(content.data() + before, member.size);
  }
  return content;
}

#ifdef UNROLL_HAS_LIBZIP
std::vector<char> by_libzip(const std::string& bytes) {
  zip_error_t error;
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr) throw std::runtime_error("libzip cannot read it");
  std::vector<char> content;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    zip_stat_t member;
    zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &member);
    zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
    const std::size_t before = content.size();
    content.resize(before + member.size);
    if (zip_fread(file, content.data() + before, member.size) != static_cast<zip_int64_t>(member.size))
      throw std::runtime_error("libzip cannot read a member");
    zip_fclose(file);
  }
  zip_discard(archive);
  return content;
}
#endif

}  // namespace

void zip(const Task& task, Answer& answer) {
  const std::string bytes = content_of(task.data);
  std::vector<char> content;
  if (task.contender == "ours") {
    answer.measure("read", [&] { content = by_ours(bytes); });
#ifdef UNROLL_HAS_LIBZIP
  } else if (task.contender == "libzip") {
    answer.measure("read", [&] { content = by_libzip(bytes); });
#endif
  } else {
    refuse(task);
  }
  answer.tell("MB", static_cast<double>(content.size()) / 1e6);
}

}  // namespace parts
