#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "unroll/core/count_or_fraction.h"
#include "unroll/core/options.h"

/// What the definition of an options struct's `fields()` needs; users of the struct do not.
namespace unroll {

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
  } else if constexpr (std::is_same_v<T, CountOrFraction>) {
    return value.is_count() ? OptionValue(value.count()) : OptionValue(value.fraction());
  } else {
    return value;
  }
}

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
  } else if constexpr (std::is_same_v<T, CountOrFraction>) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    out = whole ? T(*whole) : T(std::get<double>(value));
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
  } else if constexpr (std::is_same_v<T, CountOrFraction>) {
    info.type = OptionType::Real;
    info.limits.count_or_fraction = true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    info.type = OptionType::Text;
  } else {
    static_assert(std::is_enum_v<T>,
                  "options are bool, int64, double, count or fraction, string, named enum, optional or list of these");
    info.type = OptionType::Choice;
    for (const auto& entry : enum_names(T{})) info.choices.emplace_back(entry.name);
  }
}

template <class T>
inline constexpr OptionAccess kAccess{
    .describe = describe_type<T>,
    .get = [](const void* value) { return to_value(*static_cast<const T*>(value)); },
    .set = [](void* value, const OptionValue& to) { from_value(to, *static_cast<T*>(value)); },
};

template <class Options, class Value>
Options options_of(Value Options::*);
template <class Options, class Value>
Value value_of(Value Options::*);

}  // namespace detail

/// `field<&IsomapOptions::radius>("radius", above(0), "Join points up to this distance only.")`
template <auto Member>
OptionField field(std::string_view name, Limits limits, std::string_view help) {
  using Options = decltype(detail::options_of(Member));
  using Value = decltype(detail::value_of(Member));
  return {name, limits, help, &detail::kAccess<Value>,
          [](void* options) -> void* { return &(static_cast<Options*>(options)->*Member); }};
}

/// The fields of several groups, one after the other.
UNROLL_API OptionFields joined_fields(std::initializer_list<OptionFields> groups);

}  // namespace unroll
