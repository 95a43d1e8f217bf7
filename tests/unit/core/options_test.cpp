#include "unroll/core/options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "unroll/core/option_field.h"

namespace unroll {
namespace {

enum class Color { None, Red, Green };
constexpr auto enum_names(Color) {
  return std::array{Named{Color::None, "none"}, Named{Color::Red, "red"}, Named{Color::Green, "green"}};
}

/// One option of every kind there is.
struct AllKinds {
  bool flag = true;
  std::int64_t count = 3;
  double ratio = 0.5;
  CountOrFraction components = 2;
  std::string text = "a";
  Color color = Color::Green;
  std::optional<std::int64_t> maybe = {};
  std::vector<double> list = {1, 0.1};
  std::vector<std::int64_t> sizes = {7};
  std::vector<std::string> words = {};

  static OptionFields fields() {
    return {
        field<&AllKinds::flag>("flag", any_value(), "A flag."),
        field<&AllKinds::count>("count", at_least(1), "A count."),
        field<&AllKinds::ratio>("ratio", between(0, 1), "A ratio."),
        field<&AllKinds::components>("components", count_or_fraction(), "Components."),
        field<&AllKinds::text>("text", any_value(), "Text."),
        field<&AllKinds::color>("color", all_but("none"), "A color."),
        field<&AllKinds::maybe>("maybe", above(0), "Perhaps."),
        field<&AllKinds::list>("list", at_least(0), "Numbers."),
        field<&AllKinds::sizes>("sizes", at_least(1), "Sizes."),
        field<&AllKinds::words>("words", any_value(), "Words."),
    };
  }
};

const OptionInfo& info(const std::string& name) {
  static const auto infos = describe_options<AllKinds>();
  return *std::find_if(infos.begin(), infos.end(), [&](const OptionInfo& i) { return i.name == name; });
}

TEST(Options, AChoiceThatIsExcludedIsRefused) {
  expect_error(ErrorKind::InvalidOption, "me: color=none must be one of: red, green",
               [] { validate_options(AllKinds{.color = Color::None}, "me"); });
  expect_error(ErrorKind::InvalidOption, "me: color=none must be one of: red, green", [] {
    make_options<AllKinds>({{"color", std::string("none")}}, "me");
  });
}

TEST(Options, AreDescribedFromTheirDeclaration) {
  const auto infos = describe_options<AllKinds>();
  ASSERT_EQ(infos.size(), 10U);
  EXPECT_EQ(info("count").type, OptionType::Integer);
  EXPECT_EQ(info("color").choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(info("color").default_value, OptionValue(std::string("green")));
  EXPECT_TRUE(info("maybe").optional);
  EXPECT_EQ(info("maybe").default_value, OptionValue());
  EXPECT_TRUE(info("list").list);
  EXPECT_EQ(info("count").allowed(), "an integer >= 1");
  EXPECT_EQ(info("ratio").allowed(), "a number >= 0 and <= 1");
  EXPECT_EQ(info("maybe").allowed(), "an integer > 0, or auto");
  EXPECT_EQ(info("color").allowed(), "one of: red, green");
  EXPECT_EQ(info("list").allowed(), "a comma-separated list, each a number >= 0");
}

TEST(Options, TextAndBackForEveryKind) {
  AllKinds changed;
  changed.flag = false;
  changed.count = 12345678901234;
  changed.ratio = 0.1 + 0.2 - 0.3 + 1e-3;
  changed.components = 0.95;
  changed.text = "b = c";
  changed.color = Color::Red;
  changed.maybe = 4;
  changed.list = {1e-300, 1.0 / 3};
  changed.sizes = {};
  changed.words = {"x", "y"};
  for (const AllKinds& options : {AllKinds{}, changed}) {
    OptionValues parsed;
    for (const auto& [name, value] : option_values(options))
      parsed.push_back({name, parse_option(info(name), to_text(value), "test")});
    const auto read_back = option_values(make_options<AllKinds>(parsed, "test"));
    const auto expected = option_values(options);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(read_back[i].value, expected[i].value) << expected[i].name;
  }
}

TEST(Options, WholeNumbersAreRealsToo) {
  EXPECT_EQ(make_options<AllKinds>({{"ratio", std::int64_t{1}}}, "test").ratio, 1.0);
}

TEST(Options, MessagesSayWhoWhatGotAndAllowed) {
  const auto message = [](const OptionValues& values) {
    return [values] { make_options<AllKinds>(values, "isomap"); };
  };
  expect_error(ErrorKind::InvalidOption, "isomap: count=0 must be an integer >= 1",
               message({{"count", std::int64_t{0}}}));
  expect_error(ErrorKind::InvalidOption, "isomap: count=5.5 must be an integer", message({{"count", 5.5}}));
  expect_error(ErrorKind::InvalidOption, "isomap: count=true must be", message({{"count", true}}));
  expect_error(ErrorKind::InvalidOption, "isomap: count=5 must be", message({{"count", std::string("5")}}));
  expect_error(ErrorKind::InvalidOption, "ratio=nan", message({{"ratio", std::nan("")}}));
  expect_error(ErrorKind::InvalidOption, "ratio=1.5", message({{"ratio", 1.5}}));
  expect_error(ErrorKind::InvalidOption, "components=2.5 must be a whole number, or a fraction",
               message({{"components", 2.5}}));
  expect_error(ErrorKind::InvalidOption, "maybe=0", message({{"maybe", std::int64_t{0}}}));
  expect_error(ErrorKind::InvalidOption, "must be one of: red, green; did you mean 'green'?",
               message({{"color", std::string("gren")}}));
  expect_error(ErrorKind::InvalidOption, "list=1,-2", message({{"list", std::vector<double>{1, -2}}}));
  expect_error(ErrorKind::InvalidOption, "there is no option 'cuont'; did you mean 'count'?",
               message({{"cuont", std::int64_t{1}}}));
  expect_error(ErrorKind::InvalidOption, "count=auto", message({{"count", OptionValue{}}}));
}

TEST(Options, TextOfTheWrongKindIsRefused) {
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"count", "1e3"},
                                                                                   {"count", "9223372036854775808"},
                                                                                   {"count", ""},
                                                                                   {"count", " 1"},
                                                                                   {"ratio", "0,5"},
                                                                                   {"ratio", "0x1p-1"},
                                                                                   {"flag", "maybe"},
                                                                                   {"list", "1,,2"},
                                                                                   {"list", "1,x"}}) {
    const auto& option = info(name);
    const auto& given = text;
    expect_error(ErrorKind::InvalidOption, option.name, [&] { parse_option(option, given, "test"); });
  }
}

TEST(Options, StructsAreValidatedAsTheyAre) {
  AllKinds options;
  EXPECT_NO_THROW(validate_options(options, "test"));
  options.ratio = -1;
  expect_error(ErrorKind::InvalidOption, "test: ratio=-1", [&] { validate_options(options, "test"); });
}

}  // namespace
}  // namespace unroll
