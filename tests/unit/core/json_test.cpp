#include "core/json.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace unroll {
namespace {

std::string text(const Json& json) { return json.text(); }

TEST(Json, Words) {
  EXPECT_EQ(text(nullptr), "null");
  EXPECT_EQ(text(true), "true");
  EXPECT_EQ(text(false), "false");
}

TEST(Json, WholeNumbersHaveNoFraction) {
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(-7), "-7");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(Json, RealNumbersAreTold) {
  EXPECT_EQ(text(0.0), "0.0");
  EXPECT_EQ(text(-0.0), "-0.0");
  EXPECT_EQ(text(1.0), "1.0");
  EXPECT_EQ(text(-2.5), "-2.5");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(100000.0), "100000.0");
  EXPECT_EQ(text(123456789012345.0), "123456789012345.0");
  EXPECT_EQ(text(1e15), "1e+15");
  EXPECT_EQ(text(0.0001), "0.0001");
  EXPECT_EQ(text(0.00001), "1e-05");
  EXPECT_EQ(text(1.5e-300), "1.5e-300");
}

TEST(Json, RealNumbersReadBackToTheSameBits) {
  for (const double value : {1.0 / 3, 2.0 / 3e-4, 0.1 + 0.2, 1e15 - 0.125, 5e-324, 2.2250738585072014e-308,
                             std::numeric_limits<double>::max(), 9007199254740993.0, 1e-4, std::nextafter(1e-4, 0)})
    for (const double sign : {1.0, -1.0}) {
      const std::string digits = text(sign * value);
      double again = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), again);
      EXPECT_EQ(end, digits.data() + digits.size()) << digits;
      EXPECT_EQ(again, sign * value) << digits;
    }
}

TEST(Json, HasNoNumberForTheseAndSaysNull) {
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(text(std::vector<double>{1, -std::numeric_limits<double>::infinity()}), "[1.0,null]");
}

TEST(Json, QuotesText) {
  EXPECT_EQ(text(""), R"("")");
  EXPECT_EQ(text("a/b \xC3\xA4 \x7f"), "\"a/b \xC3\xA4 \x7f\"");
  EXPECT_EQ(text("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(text(std::string_view("\0\x1f", 2)), R"("\u0000\u001f")");
  EXPECT_EQ(text(std::string("a\xFFz")), "\"a\xEF\xBF\xBDz\"");
}

TEST(Json, CannotLeaveItsScript) {
  EXPECT_EQ(text("</script><!-- &"), R"("\u003c/script\u003e\u003c!-- \u0026")");
  EXPECT_EQ(JsonObject({{"<", "]]>"}}).text(), R"({"\u003c":"]]\u003e"})");
}

TEST(Json, Lists) {
  EXPECT_EQ(text(std::vector<double>{}), "[]");
  EXPECT_EQ(text(std::vector<std::int64_t>{1, 2}), "[1,2]");
  EXPECT_EQ(text(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(text(std::vector<Json>{1, "a", nullptr, JsonObject{}}), R"([1,"a",null,{}])");
}

TEST(Json, ObjectsKeepTheirOrder) {
  EXPECT_EQ(JsonObject().text(), "{}");
  JsonObject json{{"z", 1}, {"a", std::vector<double>{0.5}}};
  json.add("m", JsonObject{{"x", true}});
  EXPECT_EQ(json.text(), R"({"z":1,"a":[0.5],"m":{"x":true}})");
}

TEST(Json, IndentedByTwo) {
  EXPECT_EQ(Json(1).indented(), "1");
  EXPECT_EQ(JsonObject().indented(), "{}");
  const JsonObject json{{"a", 1},
                        {"none", std::vector<double>{}},
                        {"list", std::vector<Json>{"b", JsonObject{{"c", nullptr}}, JsonObject{}}}};
  EXPECT_EQ(json.indented(), R"({
  "a": 1,
  "none": [],
  "list": [
    "b",
    {
      "c": null
    },
    {}
  ]
})");
}

TEST(Json, IndentingLeavesTextAlone) {
  EXPECT_EQ(JsonObject({{"{[:", "\",:{}[]\\"}}).indented(), "{\n  \"{[:\": \"\\\",:{}[]\\\\\"\n}");
}

}  // namespace
}  // namespace unroll
