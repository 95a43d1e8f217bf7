#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "unroll/core/export.h"

/// Options are plain structs whose fields are declared once, in `fields()`: name, member, limits, help. Validation,
/// command-line flags and help, saved models and the documentation's tables all come from that declaration.
namespace unroll {

/// An option's value without its C++ type: nothing ("choose for me"), one value, or a list. Named enums are their name.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>>;

struct NamedValue {
  std::string name;
  OptionValue value;
};
using OptionValues = std::vector<NamedValue>;

enum class OptionType { Bool, Integer, Real, Text, Choice };

/// What a number may be. Lists are checked entry by entry.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;           ///< low itself is not allowed
  bool high_open = false;          ///< high itself is not allowed
  bool count_or_fraction = false;  ///< a whole number, or a fraction strictly between 0 and 1
};
constexpr Limits any_value() { return {}; }
constexpr Limits at_least(double low) { return {.low = low}; }
constexpr Limits above(double low) { return {.low = low, .low_open = true}; }
constexpr Limits between(double low, double high) { return {.low = low, .high = high}; }
constexpr Limits count_or_fraction() { return {.low = 0, .count_or_fraction = true}; }

/// One option, told to programs: help, flags, forms, tables.
struct OptionInfo {
  std::string name = {};
  OptionType type = OptionType::Real;
  bool optional = false;  ///< may be left to the method ("auto")
  bool list = false;
  Limits limits = {};
  std::vector<std::string> choices = {};
  OptionValue default_value = {};
  std::string help = {};

  /// The values allowed, in words: "an integer >= 1", "one of: auto, exact".
  UNROLL_API std::string allowed() const;
};

/// One option in C++: its name everywhere, its place in the struct, its limits, its help.
template <class Options, class Value>
struct Field {
  std::string_view name;
  Value Options::*member;
  Limits limits;
  std::string_view help;
};
template <class O, class V>
Field(std::string_view, V O::*, Limits, std::string_view) -> Field<O, V>;

/// A named enum declares its names beside itself, found by argument-dependent lookup:
/// `constexpr auto enum_names(Color) { return std::array{Named{Color::Red, "red"}}; }`.
template <class E>
struct Named {
  E value;
  std::string_view name;
};
template <class E>
Named(E, std::string_view) -> Named<E>;

template <class E>
requires std::is_enum_v<E> std::string_view name_of(E value) {
  for (const auto& [candidate, name] : enum_names(E{}))
    if (candidate == value) return name;
  return "?";
}

// The type-erased half, compiled once.

/// Text as typed on a command line or kept in a model file to a value; throws InvalidOption in `who`'s name.
UNROLL_API OptionValue parse_option(const OptionInfo& info, std::string_view text, std::string_view who);
/// The reverse, with digits that read back to the same bits; nothing is "auto".
UNROLL_API std::string to_text(const OptionValue& value);
/// Throws InvalidOption when the value is not of the option's type or out of its limits.
UNROLL_API void validate_option(const OptionInfo& info, const OptionValue& value, std::string_view who);
/// Throws InvalidOption with the nearest valid name.
[[noreturn]] UNROLL_API void throw_unknown_option(std::string_view name, const std::vector<OptionInfo>& known,
                                                  std::string_view who);

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsEnumVector : std::false_type {};
template <class T>
struct IsEnumVector<std::vector<T>> : std::is_enum<T> {};

template <class T>
OptionValue to_value(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? to_value(*value) : OptionValue{};
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (IsEnumVector<T>::value) {
    std::vector<std::string> names;
    for (const auto& entry : value) names.emplace_back(name_of(entry));
    return names;
  } else {
    return value;
  }
}

/// Assumes that validate_option has accepted the value.
template <class T>
void from_value(const OptionValue& value, T& out) {
  if constexpr (IsOptional<T>::value) {
    out.reset();
    if (!std::holds_alternative<std::monostate>(value)) from_value(value, out.emplace());
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& [candidate, name] : enum_names(T{}))
      if (name == std::get<std::string>(value)) out = candidate;
  } else if constexpr (IsEnumVector<T>::value) {
    out.clear();
    for (const std::string& name : std::get<std::vector<std::string>>(value)) from_value(name, out.emplace_back());
  } else if constexpr (std::is_same_v<T, double>) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    out = whole ? static_cast<double>(*whole) : std::get<double>(value);
  } else {
    out = std::get<T>(value);
  }
}

template <class T>
void describe_type(OptionInfo& info) {
  if constexpr (IsOptional<T>::value) {
    info.optional = true;
    describe_type<typename T::value_type>(info);
  } else if constexpr (IsVector<T>::value) {
    info.list = true;
    describe_type<typename T::value_type>(info);
  } else if constexpr (std::is_same_v<T, bool>) {
    info.type = OptionType::Bool;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    info.type = OptionType::Integer;
  } else if constexpr (std::is_same_v<T, double>) {
    info.type = OptionType::Real;
  } else if constexpr (std::is_same_v<T, std::string>) {
    info.type = OptionType::Text;
  } else {
    static_assert(std::is_enum_v<T>, "options are bool, int64, double, string, named enum, optional or list of these");
    info.type = OptionType::Choice;
    for (const auto& entry : enum_names(T{})) info.choices.emplace_back(entry.name);
  }
}

}  // namespace detail

/// Calls `visit(field)` for every option, in declaration order.
template <class Options, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, Options::fields());
}

template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> infos;
  const Options defaults;
  for_each_field<Options>([&](const auto& field) {
    OptionInfo info{.name = std::string(field.name), .limits = field.limits, .help = std::string(field.help)};
    detail::describe_type<std::remove_cvref_t<decltype(defaults.*field.member)>>(info);
    info.default_value = detail::to_value(defaults.*field.member);
    infos.push_back(std::move(info));
  });
  return infos;
}

/// All options with their present values.
template <class Options>
OptionValues option_values(const Options& options) {
  OptionValues values;
  for_each_field<Options>([&](const auto& field) {
    values.push_back({std::string(field.name), detail::to_value(options.*field.member)});
  });
  return values;
}

/// Throws InvalidOption naming the method, the option, the value got and the values allowed.
template <class Options>
void validate_options(const Options& options, std::string_view who) {
  const auto values = option_values(options);
  const auto infos = describe_options<Options>();
  for (std::size_t i = 0; i < infos.size(); ++i) validate_option(infos[i], values[i].value, who);
}

/// The struct with the named values set and the rest at their defaults; all are validated.
template <class Options>
Options make_options(const OptionValues& values, std::string_view who) {
  Options options;
  const auto infos = describe_options<Options>();
  for (const NamedValue& given : values) {
    bool known = false;
    std::size_t i = 0;
    for_each_field<Options>([&](const auto& field) {
      const OptionInfo& info = infos[i++];
      if (field.name != given.name) return;
      known = true;
      validate_option(info, given.value, who);
      detail::from_value(given.value, options.*field.member);
    });
    if (!known) throw_unknown_option(given.name, infos, who);
  }
  return options;
}

}  // namespace unroll
