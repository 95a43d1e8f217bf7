#include "report/stroke_font.h"

#include <algorithm>
#include <array>
#include <optional>

namespace unroll {
namespace {

// Every letter is a few strokes, separated by blanks, of points with two characters each: x from '0', and y, where 'd'
// or 'D' is the baseline, 'j' the height of small letters, 'm' that of capitals. The stroke passes through points in
// small letters; capitals are control points of quadratic curves, and between two of these lies a point in the middle,
// as in TrueType.
constexpr std::array<std::string_view, 96> kLetters{
    "",                                       // space
    "0m0g 0d0d",                              // !
    "0m0k 2m2k",                              // "
    "1d2m 4d5m 0g6g 0j6j",                    // #
    "5k5M0M0k0I5H5f5D0D0f 2n2c",              // $
    "0k0M2M2k2I0I0k 4f4H6H6f6D4D4f 5m1d",     // %
    "6d1j1M4M4k4I0H0f0D5D6h",                 // &
    "0m0k",                                   // '
    "2n0K0E2b",                               // (
    "0n2K2E0b",                               // )
    "2m2i 0l4j 4l0j",                         // *
    "0h6h 3k3e",                              // +
    "1e0b",                                   // ,
    "0h3h",                                   // -
    "0d0d",                                   // .
    "0c4m",                                   // /
    "0h0i0M5M5i5h5D0D0h",                     // 0
    "1k3m3d",                                 // 1
    "0k0M5M5k5I0d5d",                         // 2
    "0l0M5M5k5I2i 2i5I5g5D0D0f",              // 3
    "4d4m0g5g",                               // 4
    "5m0m0h1J5J5g5D0D0f",                     // 5
    "5k5M0M0h0g 0g0D5D5g5J0J0g",              // 6
    "0m5m2d",                                 // 7
    "0k0M5M5k5I0I0k 0f0g0I5I5g5f5D0D0f",      // 8
    "5j5M0M0j0G5G5j5h5D0D0f",                 // 9
    "0d0d 0i0i",                              // :
    "1i1i 1e0b",                              // ;
    "5k0h5e",                                 // <
    "0i5i 0f5f",                              // =
    "0k5h0e",                                 // >
    "0k0M4M4k4H2H2g 2d2d",                    // ?
    "6h6J3J3h3F6F6h 6j6g6F8F8i8M0M0h0C4C7d",  // @
    "0d3m6d 1g5g",                            // A
    "0d0m3m5M5I3i0i 3i6I6D3d0d",              // B
    "6k6M0M0i0h0D6D6f",                       // C
    "0d0m2m6M6i6h6D2d0d",                     // D
    "5m0m0d5d 0i4i",                          // E
    "5m0m0d 0i4i",                            // F
    "6k6M0M0i0h0D6D6f6h4h",                   // G
    "0d0m 6d6m 0i6i",                         // H
    "0d0m",                                   // I
    "4m4f4D0D0f",                             // J
    "0d0m 5m0h 2j6d",                         // K
    "0m0d5d",                                 // L
    "0d0m3f4f7m7d",                           // M
    "0d0m6d6m",                               // N
    "0i0M6M6i6h6D0D0h0i",                     // O
    "0d0m3m6M6H3h0h",                         // P
    "0i0M6M6i6h6D0D0h0i 4f6c",                // Q
    "0d0m3m6M6H3h0h 3h6d",                    // R
    "6k6M0M0k0I6H6f6D0D0f",                   // S
    "0m6m 3m3d",                              // T
    "0m0g0D6D6g6m",                           // U
    "0m3d6m",                                 // V
    "0m2d4m6d8m",                             // W
    "0m6d 6m0d",                              // X
    "0m3h6m 3h3d",                            // Y
    "0m5m0d5d",                               // Z
    "2n0n0b2b",                               // [
    "0m4c",                                   // backslash
    "0n2n2b0b",                               // ]
    "0j2m4j",                                 // ^
    "0c6c",                                   // _
    "0m1k",                                   // `
    "5j5d 5g5J0J0g0D5D5g",                    // a
    "0m0d 0g0J5J5g5D0D0g",                    // b
    "4i4J0J0g0D4D4e",                         // c
    "5m5d 5g5J0J0g0D5D5g",                    // d
    "0g5g5J0J0g0D4D5e",                       // e
    "3m1M1k1d 0j3j",                          // f
    "5j5c5A0A0b 5g5J0J0g0D5D5g",              // g
    "0m0d 0h0J5J5h5d",                        // h
    "0j0d 0m0m",                              // i
    "1j1b1A0a 1m1m",                          // j
    "0m0d 4j0f 1g4d",                         // k
    "0m0d",                                   // l
    "0j0d 0h0J4J4h4d 4h4J8J8h8d",             // m
    "0j0d 0h0J5J5h5d",                        // n
    "0g0J5J5g5D0D0g",                         // o
    "0j0a 0g0J5J5g5D0D0g",                    // p
    "5j5a 5g5J0J0g0D5D5g",                    // q
    "0j0d 0h0J3j",                            // r
    "4i4J0J0G4G4D0D0e",                       // s
    "1l1f1D3d 0j3j",                          // t
    "0j0f0D5D5f 5j5d",                        // u
    "0j2d4j",                                 // v
    "0j2d4j6d8j",                             // w
    "0j4d 4j0d",                              // x
    "0j2d 4j1a0a",                            // y
    "0j4j0d4d",                               // z
    "3n1N1k1I0h1G1d1B3b",                     // {
    "0n0b",                                   // |
    "0n2N2k2I3h2G2d2B0b",                     // }
    "0g0I3I3G6G6i",                           // ~
    "0d0m5m5d0d",                             // any other character
};

constexpr double kUnitsPerSize = 12.7;  // capitals of 9 units are 0.7 of the size
constexpr double kGap = 2.3;            // between letters, from pen to pen
constexpr double kBlank = 3.4;

struct PenPoint {
  double x = 0;
  double y = 0;
};

std::string_view letter_of(char32_t character) {
  return character >= ' ' && character <= '~' ? kLetters[static_cast<std::size_t>(character - U' ')] : kLetters.back();
}

/// Calls `f` with every character: bytes of ASCII, or the first bytes of longer sequences of UTF-8.
template <class F>
void for_each_character(std::string_view text, F&& f) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) f(static_cast<char32_t>(byte));
  }
}

double advance_of(char32_t character) {
  if (character == ' ') return kBlank;
  const std::string_view letter = letter_of(character);
  char widest = '0';
  for (std::size_t i = 0; i < letter.size(); i += letter[i] == ' ' ? 1U : 2U) widest = std::max(widest, letter[i]);
  return widest - '0' + kGap;
}

/// Straight pieces in place of the quadratic curve from a to b.
void add_curve(PenPoint a, PenPoint control, PenPoint b, std::vector<Stroke>& strokes) {
  constexpr int kPieces = 6;
  PenPoint last = a;
  for (int i = 1; i <= kPieces; ++i) {
    const double t = static_cast<double>(i) / kPieces, s = 1 - t;
    const PenPoint next{s * s * a.x + 2 * s * t * control.x + t * t * b.x,
                        s * s * a.y + 2 * s * t * control.y + t * t * b.y};
    strokes.push_back({last.x, last.y, next.x, next.y});
    last = next;
  }
}

/// The pieces of a letter whose left end is at x.
void add_letter(std::string_view letter, double x, std::vector<Stroke>& strokes) {
  std::optional<PenPoint> pen, control;
  for (std::size_t i = 0; i < letter.size(); i += 2) {
    if (letter[i] == ' ') {
      pen.reset();
      ++i;
    }
    const bool is_on = letter[i + 1] >= 'a';
    const PenPoint next{x + (letter[i] - '0'), static_cast<double>(letter[i + 1] - (is_on ? 'd' : 'D'))};
    if (!pen) {
      pen = next;
    } else if (is_on) {
      if (control)
        add_curve(*pen, *control, next, strokes);
      else
        strokes.push_back({pen->x, pen->y, next.x, next.y});
      pen = next;
      control.reset();
    } else {
      if (control) {
        const PenPoint middle{(control->x + next.x) / 2, (control->y + next.y) / 2};
        add_curve(*pen, *control, middle, strokes);
        pen = middle;
      }
      control = next;
    }
  }
}

}  // namespace

std::vector<Stroke> text_strokes(std::string_view text, double size) {
  std::vector<Stroke> strokes;
  double x = 0;
  for_each_character(text, [&](char32_t character) {
    add_letter(letter_of(character), x, strokes);
    x += advance_of(character);
  });
  const double unit = size / kUnitsPerSize;
  for (Stroke& stroke : strokes)
    for (double* value : {&stroke.x1, &stroke.y1, &stroke.x2, &stroke.y2}) *value *= unit;
  return strokes;
}

double text_length(std::string_view text, double size) {
  double length = 0;
  for_each_character(text, [&](char32_t character) { length += advance_of(character); });
  return length * size / kUnitsPerSize;
}

double pen_width(double size, bool bold) { return size * (bold ? 0.135 : 0.095); }

bool has_all_letters(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace unroll
