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
  EXPECT_EQ(base64(std::vector<float>{1, -2}), "AACAPwAAAMA=") << "the low byte first";
}

TEST(PageText, HtmlHasNoTagsOrQuotes) {
  EXPECT_EQ(html_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html_text("tab\tbell\a"), "tab\tbell\xEF\xBF\xBD");
}

}  // namespace
}  // namespace unroll
