#include "report/page_text.h"

#include <gtest/gtest.h>

namespace unroll {
namespace {

TEST(PageText, Base64OfRfc4648) {
  const auto encoded = [](std::string_view text) {
    return base64(std::vector<std::uint8_t>(text.begin(), text.end()));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(base64(std::vector<std::uint16_t>{0x6f66, 0x006f}), "Zm9vAA==") << "the low byte first";
}

TEST(PageText, HtmlHasNoTagsOrQuotes) {
  EXPECT_EQ(html_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html_text("tab\tbell\a"), "tab\tbell\xEF\xBF\xBD");
}

TEST(PageText, JsonCannotLeaveItsScript) {
  EXPECT_EQ(json_text("</script><!--"), R"("\u003c/script\u003e\u003c!--")");
  EXPECT_EQ(json_text("\"\\\n"), R"("\u0022\u005c\u000a")");
  EXPECT_EQ(json_list({"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(json_list({}), "[]");
}

TEST(PageText, BytesThatAreNotUtf8AreReplaced) {
  const std::string good = "\x7f \xC3\xA4 \xE2\x82\xAC \xED\x9F\xBF \xEF\xBF\xBD \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF";
  EXPECT_EQ(valid_utf8(good), good);
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + mark + "z");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), mark + mark) << "overlong";
  EXPECT_EQ(valid_utf8("\xE0\x80\xAF"), mark + mark + mark) << "overlong";
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), mark + mark + mark) << "a surrogate";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark) << "beyond Unicode";
  EXPECT_EQ(valid_utf8("\xE2\x82"), mark + mark) << "cut off";
  EXPECT_EQ(valid_utf8("\xC3"), mark) << "cut off";
}

}  // namespace
}  // namespace unroll
