#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "unroll/core/export.h"

/// Options are plain structs whose fields are declared once, in `static OptionFields fields()`: member, name, limits,
/// help (option_field.h). Validation, command-line flags and help, saved models and the documentation's tables all come
/// from that declaration.
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

/// What a number may be, or a choice. Lists are checked entry by entry.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;           ///< low itself is not allowed
  bool high_open = false;          ///< high itself is not allowed
  bool count_or_fraction = false;  ///< a whole number, or a fraction strictly between 0 and 1
  std::string_view excluded = {};  ///< a choice of the enum that this option does not have
};
constexpr Limits any_value() { return {}; }
constexpr Limits at_least(double low) { return {.low = low}; }
constexpr Limits above(double low) { return {.low = low, .low_open = true}; }
constexpr Limits between(double low, double high) { return {.low = low, .high = high}; }
constexpr Limits all_but(std::string_view choice) { return {.excluded = choice}; }
constexpr Limits count_or_fraction() { return {.low = 0, .count_or_fraction = true}; }

/// A description of one option for programs that make help, flags, forms or tables from it.
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

/// How values of one C++ type are described, read and set.
struct OptionAccess {
  void (*describe)(OptionInfo& info);
  OptionValue (*get)(const void* value);
  void (*set)(void* value, const OptionValue& to);  ///< assumes that validate_option has accepted `to`
};

/// One option of a struct: its name, its limits, and how to reach its value. Made by `field` (option_field.h).
struct OptionField {
  std::string_view name;
  Limits limits;
  std::string_view help;
  const OptionAccess* access;
  void* (*place)(void* options);  ///< the address of the member
};
using OptionFields = std::vector<OptionField>;

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

/// Converts text, as typed on a command line or kept in a model file, to a value; throws InvalidOption in `who`'s name.
UNROLL_API OptionValue parse_option(const OptionInfo& info, std::string_view text, std::string_view who);
/// The reverse, with digits that read back to the same bits; an empty value is "auto".
UNROLL_API std::string to_text(const OptionValue& value);
/// Throws InvalidOption when the value is not of the option's type or out of its limits.
UNROLL_API void validate_option(const OptionInfo& info, const OptionValue& value, std::string_view who);
/// Throws InvalidOption with the nearest valid name.
[[noreturn]] UNROLL_API void throw_unknown_option(std::string_view name, const std::vector<OptionInfo>& known,
                                                  std::string_view who);

/// Describes the fields of an options struct; the default values are those of the struct `defaults`.
UNROLL_API std::vector<OptionInfo> describe_fields(const OptionFields& fields, const void* defaults);
UNROLL_API OptionValues field_values(const OptionFields& fields, const void* options);
UNROLL_API void validate_fields(const OptionFields& fields, const void* options, std::string_view who);
UNROLL_API void set_fields(const OptionFields& fields, void* options, const OptionValues& values, std::string_view who);

// The typed half: one line each, so that its many users compile fast.

template <class Options>
std::vector<OptionInfo> describe_options() {
  const Options defaults;
  return describe_fields(Options::fields(), &defaults);
}

/// All options with their present values.
template <class Options>
OptionValues option_values(const Options& options) {
  return field_values(Options::fields(), &options);
}

/// Throws InvalidOption naming the method, the option, the value got and the values allowed.
template <class Options>
void validate_options(const Options& options, std::string_view who) {
  validate_fields(Options::fields(), &options, who);
}

/// The struct with the named values set and the rest at their defaults; all are validated.
template <class Options>
Options make_options(const OptionValues& values, std::string_view who) {
  Options options;
  set_fields(Options::fields(), &options, values, who);
  return options;
}

}  // namespace unroll
