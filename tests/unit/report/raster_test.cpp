#include "report/raster.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "report/png.h"

namespace unroll {
namespace {

constexpr Color kWhite{255, 255, 255}, kBlack{0, 0, 0};

/// How many pixels are covered, in all.
double covered_area(const Raster& raster) {
  double sum = 0;
  for (const std::uint8_t value : raster.rgb()) sum += 255 - value;
  return sum / 3 / 255;
}

TEST(Raster, CoversTheAreaOfADisc) {
  for (const double radius : {1.0, 2.3, 4.2, 17.5})
    for (const double shift : {0.0, 0.25, 0.6}) {
      Raster raster(60, 50, kWhite);
      raster.paint_disc(30 + shift, 25 - shift, radius, kBlack, 1);
      const double area = std::numbers::pi * radius * radius;
      EXPECT_NEAR(covered_area(raster), area, 0.06 * area + 0.1) << radius << ' ' << shift;
    }
}

TEST(Raster, LaysDiscsOverEachOther) {
  Raster raster(20, 20, kWhite);
  for (int i = 0; i < 3; ++i) raster.paint_disc(10, 10, 5, kBlack, 0.5);
  const std::vector<std::uint8_t> rgb = raster.rgb();
  const std::size_t middle = 10 * 20 + 10;
  EXPECT_EQ(rgb[3 * middle], std::lround(255 * 0.125));  // half of it is let through three times
  EXPECT_EQ(rgb[0], 255);
}

TEST(Raster, CutsWhatLiesOutside) {
  Raster raster(10, 10, kWhite);
  raster.paint_disc(-1e9, 5, 3, kBlack, 1);
  raster.paint_box({-5, -5, 4, 100}, kBlack);
  raster.paint_strokes({{-50, -50, -20, -20}}, 3, kBlack);
  EXPECT_EQ(covered_area(raster), 0);
  raster.paint_box({8, 8, 100, 100}, kBlack);
  EXPECT_NEAR(covered_area(raster), 4, 1e-9);
}

TEST(Raster, PaintsShareOfPixels) {
  Raster raster(10, 10, kWhite);
  raster.paint_box({2.25, 3, 4, 1.5}, kBlack);
  EXPECT_NEAR(covered_area(raster), 6, 0.02);
}

TEST(Raster, PaintsStrokesOnce) {
  Raster once(40, 40, kWhite), twice(40, 40, kWhite);
  const Stroke stroke{10, 10, 30, 22};
  once.paint_strokes({stroke}, 2, {100, 100, 100});
  twice.paint_strokes({stroke, stroke}, 2, {100, 100, 100});
  EXPECT_EQ(once.rgb(), twice.rgb());
}

TEST(StrokeFont, HasEveryLetter) {
  std::vector<std::vector<Stroke>> letters;
  for (char c = '!'; c <= '~'; ++c) letters.push_back(text_strokes(std::string_view(&c, 1), 12.7));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    EXPECT_FALSE(letters[i].empty()) << static_cast<char>('!' + i);
    for (const Stroke& stroke : letters[i])
      for (const double y : {stroke.y1, stroke.y2}) EXPECT_TRUE(y >= -3 && y <= 10) << static_cast<char>('!' + i);
    for (std::size_t j = 0; j < i; ++j) {
      const bool equal = std::equal(letters[i].begin(), letters[i].end(), letters[j].begin(), letters[j].end(),
                                    [](const Stroke& a, const Stroke& b) {
                                      return a.x1 == b.x1 && a.y1 == b.y1 && a.x2 == b.x2 && a.y2 == b.y2;
                                    });
      EXPECT_FALSE(equal) << static_cast<char>('!' + i);
    }
  }
}

TEST(StrokeFont, HasAWidth) {
  EXPECT_EQ(text_length("", 12), 0);
  EXPECT_NEAR(text_length("ab", 24), 2 * text_length("ab", 12), 1e-12);
  EXPECT_NEAR(text_length("ab", 12), text_length("a", 12) + text_length("b", 12), 1e-12);
  EXPECT_EQ(text_length("\xC3\xB6\xC3\xB6", 12), 2 * text_length("\xC3\xB6", 12));  // a box each
  EXPECT_TRUE(has_all_letters("az AZ 09 ~"));
  EXPECT_FALSE(has_all_letters("\xC3\xB6"));
}

TEST(Png, IsReadBack) {
  constexpr std::int64_t kWidth = 37, kHeight = 11;
  std::vector<std::uint8_t> rgb(3 * kWidth * kHeight);
  std::iota(rgb.begin(), rgb.end(), std::uint8_t{0});
  const std::string file = png_file(rgb, kWidth, kHeight);
  const auto number = [&](std::size_t place) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<std::uint8_t>(file[place + i]);
    return value;
  };
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(number(16), 37U);
  EXPECT_EQ(number(20), 11U);
  const std::size_t data = 8 + 12 + 13;
  EXPECT_EQ(file.substr(data + 4, 4), "IDAT");
  std::vector<Bytef> lines((3 * kWidth + 1) * kHeight);
  uLongf size = lines.size();
  ASSERT_EQ(uncompress(lines.data(), &size, reinterpret_cast<const Bytef*>(file.data()) + data + 8, number(data)),
            Z_OK);
  ASSERT_EQ(size, lines.size());
  for (std::size_t y = 0; y < kHeight; ++y) {
    EXPECT_EQ(lines[y * (3 * kWidth + 1)], 0);
    EXPECT_TRUE(std::equal(rgb.begin() + static_cast<std::ptrdiff_t>(y * 3 * kWidth),
                           rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * 3 * kWidth),
                           lines.begin() + static_cast<std::ptrdiff_t>(y * (3 * kWidth + 1) + 1)));
  }
  EXPECT_EQ(file.substr(file.size() - 8, 4), "IEND");
}

}  // namespace
}  // namespace unroll
