#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/export.h"

/// JSON for programs that read our output: RFC 8259, always UTF-8, and safe within a script of a page.
namespace unroll {

/// A JSON value, kept as its text: values are only composed, never read.
class UNROLL_API Json {
 public:
  Json(std::nullptr_t);
  Json(bool value);
  Json(int value);
  Json(std::int64_t value);
  Json(std::uint64_t value);
  /// In digits that read back to the same bits, and 1.0 for 1; null if it is not finite.
  Json(double value);
  /// No '<' can end a script or open a comment. Bytes that are not UTF-8 become U+FFFD.
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const void*) = delete;  // it would be a bool
  Json(const std::vector<std::int64_t>& list);
  Json(const std::vector<double>& list);
  Json(const std::vector<std::string>& list);
  Json(const std::vector<Json>& list);

  /// On one line, without blanks.
  const std::string& text() const { return text_; }
  /// An entry per line, indented by two blanks per level.
  std::string indented() const;

 private:
  friend class JsonObject;
  std::string text_;
};

struct JsonMember {
  std::string_view name;
  Json value;
};

/// Members keep the order in which they were added; names are unique.
class UNROLL_API JsonObject : public Json {
 public:
  JsonObject(std::initializer_list<JsonMember> members = {});
  void add(std::string_view name, const Json& value);
};

}  // namespace unroll
