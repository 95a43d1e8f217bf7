#include "unroll/core/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/text.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"

namespace unroll {
namespace {

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t begin = 0;
  for (std::size_t comma; (comma = text.find(',', begin)) != std::string_view::npos; begin = comma + 1)
    parts.emplace_back(text.substr(begin, comma - begin));
  parts.emplace_back(text.substr(begin));
  return parts;
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "true" || text == "yes" || text == "on" || text == "1") return true;
  if (text == "false" || text == "no" || text == "off" || text == "0") return false;
  return std::nullopt;
}

/// One entry of a list, or the whole value; nothing when the text is not of the type.
std::optional<OptionValue> parse_one(const OptionInfo& info, const std::string& text) {
  const auto wrap = [](auto parsed) -> std::optional<OptionValue> {
    if (!parsed) return std::nullopt;
    return OptionValue(*parsed);
  };
  switch (info.type) {
    case OptionType::Bool: return wrap(parse_bool(text));
    case OptionType::Integer: return wrap(parse_number<std::int64_t>(text));
    case OptionType::Real:
      if (info.limits.count_or_fraction)
        if (const auto count = parse_number<std::int64_t>(text)) return wrap(count);
      return wrap(parse_number<double>(text));
    case OptionType::Text:
    case OptionType::Choice: return OptionValue(text);
  }
  return std::nullopt;
}

template <class T>
OptionValue parse_list(const OptionInfo& info, const std::vector<std::string>& parts, const auto& fail) {
  std::vector<T> values;
  for (const auto& part : parts) {
    const auto one = parse_one(info, part);
    if (!one) fail();
    values.push_back(std::get<T>(*one));
  }
  return values;
}

std::string number_limits(const Limits& limits) {
  if (limits.count_or_fraction) return "a whole number, or a fraction strictly between 0 and 1";
  const bool low = std::isfinite(limits.low), high = std::isfinite(limits.high);
  const char* above = limits.low_open ? ">" : ">=";
  const char* below = limits.high_open ? "<" : "<=";
  if (low && high) return fmt::format("a number {} {} and {} {}", above, limits.low, below, limits.high);
  if (low) return fmt::format("a number {} {}", above, limits.low);
  if (high) return fmt::format("a number {} {}", below, limits.high);
  return "a finite number";
}

bool within(const Limits& limits, double value) {
  if (!std::isfinite(value)) return false;
  if (limits.low_open ? !(value > limits.low) : !(value >= limits.low)) return false;
  if (limits.high_open ? !(value < limits.high) : !(value <= limits.high)) return false;
  return !limits.count_or_fraction || value < 1 || value == std::floor(value);
}

bool accepts(const OptionInfo& info, const std::string& text) {
  if (info.type == OptionType::Text) return true;
  return info.type == OptionType::Choice &&
         std::find(info.choices.begin(), info.choices.end(), text) != info.choices.end();
}

struct Acceptance {
  const OptionInfo& info;

  bool operator()(std::monostate) const { return info.optional; }
  bool operator()(bool) const { return !info.list && info.type == OptionType::Bool; }
  bool operator()(std::int64_t value) const { return !info.list && number(static_cast<double>(value)); }
  bool operator()(double value) const { return !info.list && info.type == OptionType::Real && number(value); }
  bool operator()(const std::string& value) const { return !info.list && accepts(info, value); }
  bool operator()(const std::vector<std::int64_t>& values) const {
    return all(values, OptionType::Integer, [&](std::int64_t v) { return number(static_cast<double>(v)); });
  }
  bool operator()(const std::vector<double>& values) const {
    return all(values, OptionType::Real, [&](double v) { return number(v); });
  }
  bool operator()(const std::vector<std::string>& values) const {
    return info.list && std::all_of(values.begin(), values.end(), [&](const auto& v) { return accepts(info, v); });
  }

 private:
  bool number(double value) const {
    return (info.type == OptionType::Integer || info.type == OptionType::Real) && within(info.limits, value);
  }
  bool all(const auto& values, OptionType type, const auto& good) const {
    return info.list && info.type == type && std::all_of(values.begin(), values.end(), good);
  }
};

/// What other programs call a choice.
std::string choice_meant_by(const std::string& word, const std::vector<std::string>& choices) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSynonyms{{{"zscore", "standardize"},
                                                                                     {"z_score", "standardize"},
                                                                                     {"standard", "standardize"},
                                                                                     {"l1", "manhattan"},
                                                                                     {"cityblock", "manhattan"},
                                                                                     {"l2", "euclidean"},
                                                                                     {"linf", "chebyshev"},
                                                                                     {"pearson", "correlation"},
                                                                                     {"gaussian", "rbf"},
                                                                                     {"gauss", "rbf"},
                                                                                     {"polynomial", "poly"}}};
  for (const auto& [synonym, choice] : kSynonyms)
    if (word == synonym && std::find(choices.begin(), choices.end(), choice) != choices.end())
      return fmt::format("; did you mean '{}'?", choice);
  return did_you_mean(word, choices);
}

[[noreturn]] void throw_not_allowed(const OptionInfo& info, const std::string& got, std::string_view who) {
  throw Error(ErrorKind::InvalidOption, {.who = std::string(who),
                                         .problem = fmt::format("{}={} must be {}{}", info.name, got, info.allowed(),
                                                                choice_meant_by(got, info.choices)),
                                         .option = info.name});
}

}  // namespace

std::string OptionInfo::allowed() const {
  std::string text;
  switch (type) {
    case OptionType::Bool: text = "true or false"; break;
    case OptionType::Integer:
      text = number_limits(limits).replace(0, std::string_view("a number").size(), "an integer");
      break;
    case OptionType::Real: text = number_limits(limits); break;
    case OptionType::Text: text = "text"; break;
    case OptionType::Choice: text = "one of: " + joined(choices); break;
  }
  if (type == OptionType::Integer && limits.low == Limits{}.low && limits.high == Limits{}.high) text = "an integer";
  if (list) text = "a comma-separated list, each " + text;
  if (optional) text += ", or auto";
  return text;
}

OptionValue parse_option(const OptionInfo& info, std::string_view text, std::string_view who) {
  const auto fail = [&] { throw_not_allowed(info, std::string(text), who); };
  if (info.optional && text == "auto") return {};
  if (!info.list) {
    auto value = parse_one(info, std::string(text));
    if (!value) fail();
    return *std::move(value);
  }
  const auto parts = split_at_commas(text);
  switch (info.type) {
    case OptionType::Integer: return parse_list<std::int64_t>(info, parts, fail);
    case OptionType::Real: return parse_list<double>(info, parts, fail);
    default: return parts;
  }
}

std::string to_text(const OptionValue& value) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "auto"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return to_text(v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::string>& v) const { return joined(v, ","); }
    std::string operator()(const std::vector<std::int64_t>& v) const { return fmt::format("{}", fmt::join(v, ",")); }
    std::string operator()(const std::vector<double>& v) const {
      std::vector<std::string> words;
      for (const double x : v) words.push_back(to_text(x));
      return joined(words, ",");
    }
  };
  return std::visit(Visitor{}, value);
}

void validate_option(const OptionInfo& info, const OptionValue& value, std::string_view who) {
  if (!std::visit(Acceptance{info}, value)) throw_not_allowed(info, to_text(value), who);
}

void throw_unknown_option(std::string_view name, const std::vector<OptionInfo>& known, std::string_view who) {
  std::vector<std::string> names;
  for (const auto& info : known) names.push_back(info.name);
  throw Error(ErrorKind::InvalidOption,
              {.who = std::string(who),
               .problem = fmt::format("there is no option '{}'{}", name, did_you_mean(name, names)),
               .advice = fmt::format("its options are: {}", joined(names))});
}

std::vector<OptionInfo> describe_fields(const OptionFields& fields, const void* defaults) {
  std::vector<OptionInfo> infos;
  const OptionValues values = field_values(fields, defaults);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    OptionInfo info{.name = values[i].name, .limits = fields[i].limits, .help = std::string(fields[i].help)};
    fields[i].access->describe(info);
    std::erase(info.choices, info.limits.excluded);
    info.default_value = values[i].value;
    infos.push_back(std::move(info));
  }
  return infos;
}

OptionValues field_values(const OptionFields& fields, const void* options) {
  OptionValues values;
  for (const OptionField& field : fields) {
    const void* value = field.place(const_cast<void*>(options));  // its address is only read
    values.push_back({std::string(field.name), field.access->get(value)});
  }
  return values;
}

void validate_fields(const OptionFields& fields, const void* options, std::string_view who) {
  const std::vector<OptionInfo> infos = describe_fields(fields, options);
  for (const OptionInfo& info : infos) validate_option(info, info.default_value, who);
}

void set_fields(const OptionFields& fields, void* options, const OptionValues& values, std::string_view who) {
  const std::vector<OptionInfo> infos = describe_fields(fields, options);
  for (const NamedValue& given : values) {
    const auto info =
        std::find_if(infos.begin(), infos.end(), [&](const OptionInfo& known) { return known.name == given.name; });
    if (info == infos.end()) throw_unknown_option(given.name, infos, who);
    validate_option(*info, given.value, who);
    const OptionField& field = fields[static_cast<std::size_t>(info - infos.begin())];
    field.access->set(field.place(options), given.value);
  }
}

OptionFields joined_fields(std::initializer_list<OptionFields> groups) {
  OptionFields fields;
  for (const OptionFields& group : groups) fields.insert(fields.end(), group.begin(), group.end());
  return fields;
}

}  // namespace unroll
