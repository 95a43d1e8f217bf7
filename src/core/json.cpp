#include "core/json.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "core/text.h"

namespace unroll {
namespace {

std::string number_text(double value) {
  if (!std::isfinite(value)) return "null";
  const double size = std::abs(value);
  const bool is_plain = size == 0 || (size >= 1e-4 && size < 1e15);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 is_plain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string text(buffer.data(), end);
  // Some readers would read an integer.
  if (is_plain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"': quoted += "\\\""; break;
      case '\\': quoted += "\\\\"; break;
      case '\b': quoted += "\\b"; break;
      case '\f': quoted += "\\f"; break;
      case '\n': quoted += "\\n"; break;
      case '\r': quoted += "\\r"; break;
      case '\t': quoted += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
          quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          quoted += c;
        }
    }
  }
  return quoted + '"';
}

template <class T>
std::string list_text(const std::vector<T>& list) {
  std::string text = "[";
  for (const T& entry : list) {
    if (text.size() > 1) text += ',';
    text += Json(entry).text();
  }
  return text + ']';
}

}  // namespace

Json::Json(std::nullptr_t) : text_("null") {}
Json::Json(bool value) : text_(value ? "true" : "false") {}
Json::Json(int value) : text_(std::to_string(value)) {}
Json::Json(std::int64_t value) : text_(std::to_string(value)) {}
Json::Json(std::uint64_t value) : text_(std::to_string(value)) {}
Json::Json(double value) : text_(number_text(value)) {}
Json::Json(std::string_view text) : text_(quoted(text)) {}
Json::Json(const std::vector<std::int64_t>& list) : text_(list_text(list)) {}
Json::Json(const std::vector<double>& list) : text_(list_text(list)) {}
Json::Json(const std::vector<std::string>& list) : text_(list_text(list)) {}
Json::Json(const std::vector<Json>& list) : text_(list_text(list)) {}

JsonObject::JsonObject(std::initializer_list<JsonMember> members) : Json(nullptr) {
  text_ = "{}";
  for (const auto& [name, value] : members) add(name, value);
}

void JsonObject::add(std::string_view name, const Json& value) {
  text_.back() = ',';
  if (text_.size() == 2) text_.pop_back();  // the first member needs no comma
  text_ += quoted(name) + ':' + value.text() + '}';
}

std::string Json::indented() const {
  std::string out;
  std::size_t depth = 0;
  bool is_quoted = false;
  const auto new_line = [&] { out += '\n' + std::string(2 * depth, ' '); };
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const char c = text_[i];
    const bool opens = !is_quoted && (c == '{' || c == '['), closes = !is_quoted && (c == '}' || c == ']');
    if (closes) {
      --depth;
      if (text_[i - 1] != '{' && text_[i - 1] != '[') new_line();
    }
    out += c;
    if (opens) {
      ++depth;
      if (text_[i + 1] != '}' && text_[i + 1] != ']') new_line();
    } else if (is_quoted && c == '\\') {
      out += text_[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == ',') {
      new_line();
    } else if (!is_quoted && c == ':') {
      out += ' ';
    }
  }
  return out;
}

}  // namespace unroll
