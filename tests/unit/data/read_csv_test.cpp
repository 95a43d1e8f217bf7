#include <cmath>
#include <limits>
#include <locale>

#include "data/csv_number.h"
#include "data/csv_text.h"
#include "read_support.h"

namespace unroll {
namespace {

using testing_support::Failure;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::has_warning;
using testing_support::read_bytes;
using testing_support::values_of;
using Values = std::vector<double>;
using Words = std::vector<std::string>;

const Values kCsvValues{1, 2, 3, 4};

void expect_one_to_four(std::string_view text, const ReadOptions& options = {}) {
  const Table table = read_bytes("x.csv", text, options);
  EXPECT_EQ(table.view().rows(), 2) << text;
  EXPECT_EQ(table.view().cols(), 2) << text;
  EXPECT_EQ(values_of(table), kCsvValues) << text;
  EXPECT_TRUE(table.column_names.empty()) << text;
  EXPECT_TRUE(table.row_names.empty()) << text;
  EXPECT_TRUE(table.warnings.empty()) << text;
}

TEST(ReadCsv, Delimiters) {
  for (const char* text : {"1,2\n3,4\n", "1;2\n3;4\n", "1\t2\n3\t4\n", "1 2\n3 4\n", "  1   2\n\t3 \t 4  \n",
                           "1 , 2\n3 ,4 \n", " 1, 2\n 3, 4\n", "1 ; 2\n3;4\n", "1\t 2\n3\t4 \n"})
    expect_one_to_four(text);
  EXPECT_EQ(read_bytes("x.csv", "1,2\n3,4\n").format, "csv");
  EXPECT_EQ(read_bytes("x.csv.gz", gzipped("1,2\n3,4\n")).format, "csv+gzip");
}

TEST(ReadCsv, DelimiterByOption) {
  expect_one_to_four("1|2\n3|4\n", {.delimiter = '|'});
  expect_one_to_four("1,2\n3,4\n", {.delimiter = ','});
  expect_one_to_four("1  2\n3\t4\n", {.delimiter = ' '});
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2\n3,4\n", {.delimiter = ';'}).says("cannot read '3,4' as a number"));
  for (const char c : {'1', 'e', '.', '-', '+', '"', '#', '\n', '\r', '\0', '\xe9'})
    EXPECT_EQ(failure_of_bytes("x.csv", "1,2\n", {.delimiter = c}).kind, ErrorKind::InvalidOption) << c;
}

TEST(CsvDelimiter, WordsOfAHeaderDoNotDecide) {
  const Table table = read_bytes("x.txt", "a,b c;d\n1 2\n3 4\n");
  EXPECT_EQ(table.column_names, (std::vector<std::string>{"a,b", "c;d"}));
  EXPECT_EQ(values_of(table), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "a; in m, b\n1,2\n3,4\n")), (std::vector<double>{1, 2, 3, 4}));
}

TEST(CsvDelimiter, LinesThatDisagreeAreAnError) {
  EXPECT_EQ(failure_of_bytes("x.csv", "a,b\n1,2\n3\n").message,
            "x.csv:3: 1 field, expected 2; complete the row, or remove it");
  EXPECT_EQ(failure_of_bytes("x.csv", "a,b\n1\n2\n").message,
            "x.csv:2: 1 field, expected 2, as many as the header has names; complete the row, or remove it");
}

TEST(ReadCsv, DelimiterIsTheOneThatFitsEveryLine) {
  EXPECT_EQ(read_bytes("x.csv", "a;b,c\n1,2\n3,4\n").column_names, (Words{"a;b", "c"}));
  EXPECT_EQ(read_bytes("x.csv", "\"a;b;c\",d\n1,2\n").column_names, (Words{"a;b;c", "d"}));
  EXPECT_EQ(read_bytes("x.csv", "a, b;c\n1;2\n3;4\n").column_names, (Words{"a, b", "c"}));
}

TEST(ReadCsv, LineEnds) {
  for (const char* text : {"1,2\n3,4", "1,2\r\n3,4\r\n", "1,2\r\n3,4", "1,2\r3,4\r", "1,2\r3,4", "1,2\r\n3,4\n",
                           "1 2\r\n3 4\r\n", "1 2 \r\n3 4 \r\n", "1\t2\r3\t4"})
    expect_one_to_four(text);
}

TEST(ReadCsv, BlankLinesAndComments) {
  for (const char* text : {"\n\n1,2\n\n3,4\n\n\n", "# a, comment\n1,2\n#\n3,4\n# \"quotes\n", "  \n1,2\n \t \n3,4\n",
                           "\r\n1,2\r\n\r\n3,4\r\n", "#a\r1,2\r\r3,4"})
    expect_one_to_four(text);
  EXPECT_TRUE(failure_of_bytes("x.csv", "# only\n\n# comments\n").says("nothing but blank lines and comments"));
}

TEST(ReadCsv, ALineOfTabsIsARowOfMissingValuesInATabSeparatedText) {
  EXPECT_TRUE(failure_of_bytes("x.tsv", "1\t2\n\t\n3\t4\n").says("x.tsv:2: column 1: cannot read ''"));
}

TEST(ReadCsv, Encodings) {
  expect_one_to_four(
      "\xef\xbb\xbf"
      "1,2\n3,4\n");
  EXPECT_EQ(read_bytes("x.csv",
                       "\xef\xbb\xbf"
                       "a,b\n1,2\n")
                .column_names,
            (Words{"a", "b"}));
  for (const std::string& text : {std::string("\xff\xfe"
                                              "1\0,\0",
                                              6),
                                  std::string("\xfe\xff\0"
                                              "1\0,",
                                              6)})
    EXPECT_TRUE(failure_of_bytes("x", text).says("UTF-16; save it as UTF-8"));
  EXPECT_EQ(read_bytes("x.csv", "größe,ширина\n1,2\n").column_names, (Words{"größe", "ширина"}));
}

TEST(ReadCsv, NulBytes) {
  EXPECT_TRUE(failure_of_bytes("x.csv", std::string("1,2\n3,\0\n", 8)).says("x.csv:2: a NUL byte"));
}

TEST(ReadCsv, NothingToRead) {
  EXPECT_TRUE(failure_of_bytes("x.csv", "").says("the file is empty"));
  EXPECT_TRUE(failure_of_bytes("x.csv.gz", gzipped("")).says("the file is empty"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "\xef\xbb\xbf").says("the file is empty"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "\n\n").says("nothing but blank lines"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n").says("a header and no rows"));
}

TEST(ReadCsv, Quotes) {
  const Table table = read_bytes("x.csv", "\"a \"\"b\"\"\",\"c,\nd\" , e\n\"1\", \"2\" ,3\n");
  EXPECT_EQ(table.column_names, (Words{"a \"b\"", "c,\nd", "e"}));
  EXPECT_EQ(values_of(table), (Values{1, 2, 3}));
  EXPECT_EQ(read_bytes("x.csv", "5\" pipe,b\n1,2\n").column_names, (Words{"5\" pipe", "b"}));
  EXPECT_EQ(read_bytes("x.txt", "\"a b\" c\n1 2\n").column_names, (Words{"a b", "c"}));
  EXPECT_EQ(read_bytes("x.csv", "\"\"\"\",b\n1,2\n").column_names, (Words{"\"", "b"}));
}

TEST(ReadCsv, BadQuotes) {
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n1,\"2\n3,4\n").says("x.csv:2: a quote opens here and never closes"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n1,\"2\"3\n").says("x.csv:2: text behind a closing quote"));
  EXPECT_TRUE(failure_of_bytes("x.txt", "a b\n1 \"2\"3\n").says("x.txt:2: text behind a closing quote"));
}

TEST(ReadCsv, LineNumbersCountLineEndsInsideQuotes) {
  EXPECT_TRUE(
      failure_of_bytes("x.csv", "# c\n\"a\n\n\",b\n1,2\n\n1,x\n").says("x.csv:7: column 'b' (2): cannot read 'x'"));
}

TEST(ReadCsv, NumbersAsTheyAreWritten) {
  const Table table =
      read_bytes("x.csv", "+1,-2.5,1e3,1E-3,.5,5.,+.5e+1,-0,007,1e-400,4.9e-324,179769313486231570000\n");
  EXPECT_EQ(values_of(table), (Values{1, -2.5, 1000, 0.001, 0.5, 5, 5, 0, 7, 0, 5e-324, 179769313486231570000.0}));
  EXPECT_TRUE(std::signbit(values_of(table)[7]));
  const Values hard =
      values_of(read_bytes("x.csv", "0.1,2.2250738585072011e-308,9007199254740993,1.7976931348623157e308\n"));
  EXPECT_EQ(hard, (Values{0.1, 2.2250738585072011e-308, 9007199254740992, 1.7976931348623157e308}));
}

TEST(ReadCsv, WhatIsNotANumber) {
  for (const std::string word : {"0x1p3", "0x10",  "1,5",    "\xef\xbc\x91\xef\xbc\x92",
                                 "1e",    "1e+",   "--1",    "+-1",
                                 "+",     "-",     ".",      "e5",
                                 "1 2",   "1_000", "nan(7)", "1.5f",
                                 "abc",   "1..2",  "\xe9",   "1\x01"}) {
    const Failure failure = failure_of_bytes("x.csv", "a;b\n1;" + word + "\n", {.delimiter = ';'});
    EXPECT_EQ(failure.kind, ErrorKind::InvalidData) << word;
    EXPECT_TRUE(failure.says("x.csv:2: column 'b' (2): cannot read '")) << failure.message;
  }
  EXPECT_TRUE(failure_of_bytes("x.csv", "a;b\n1;1,5\n").says("with a point"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n1,\xe9\x07\n").says("cannot read '\\xe9\\x07'"));
}

TEST(ReadCsv, InfinityAndRange) {
  for (const char* word : {"inf", "-inf", "Infinity", "+INF"})
    EXPECT_TRUE(failure_of_bytes("x.csv", std::string("1,2\n3,") + word + "\n").says("x.csv:2: column 2: '"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2\n3,inf\n").says("'inf' is infinite"));
  for (const char* word : {"1e400", "-1e400", "1e99999999999999999999", "+2e308"})
    EXPECT_TRUE(failure_of_bytes("x.csv", std::string("1,2\n3,") + word + "\n").says("out of range")) << word;
}

TEST(ReadCsv, ErrorsNameLineAndColumn) {
  const Failure failure = failure_of_bytes("data.csv", "name,h,age\nx,1,2\ny,3,abc\n");
  EXPECT_EQ(failure.kind, ErrorKind::InvalidData);
  EXPECT_EQ(failure.message,
            "data.csv:3: column 'age' (3): cannot read 'abc' as a number; correct it, or take the column for labels "
            "(label_column='age') or leave it out (drop='age'); if it means a missing value, use na_values='abc'");
  EXPECT_TRUE(failure_of_bytes("data.csv", "1,2\n3,x\n").says("data.csv:2: column 2: cannot read 'x'"));
  const std::string novel(1000, 'x');
  EXPECT_LT(failure_of_bytes("data.csv", "1,2\n3," + novel + "\n").message.size(), 200U);
}

TEST(ReadCsv, RaggedRows) {
  EXPECT_EQ(failure_of_bytes("data.csv", "a,b,c\n1,2,3\n4,5\n").message,
            "data.csv:3: 2 fields, expected 3; complete the row, or remove it");
  EXPECT_EQ(failure_of_bytes("data.csv", "1,2,3\n\n4,5,6,7\n").message,
            "data.csv:3: 4 fields, expected 3; take out the fields that are too many, or the row");
  EXPECT_EQ(failure_of_bytes("data.csv", "1,2\n3,4,5\n").message,
            "data.csv:2: 3 fields, expected 2; take out the fields that are too many, or the row");
  EXPECT_EQ(failure_of_bytes("data.txt", "1 2 3\n4 5\n").message,
            "data.txt:2: 2 fields, expected 3; complete the row, or remove it");
  EXPECT_TRUE(failure_of_bytes("data.csv", "a,b\n1,2,3,4\n").says("data.csv:2: 4 fields, expected 2"));
}

class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ReadCsv, IndependentOfTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new DecimalComma));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const Values values = values_of(read_bytes("x.csv", "1.5,1000.25\n"));
  const Failure failure = failure_of_bytes("x.csv", "a;b\n1;1,5\n");
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  EXPECT_EQ(values, (Values{1.5, 1000.25}));
  EXPECT_TRUE(failure.says("cannot read '1,5'"));
}

/// Several pieces' worth of text with a few odd lines in it.
std::string long_text() {
  std::string text = "a,b,c\n";
  for (int i = 0; text.size() < (5U << 20); ++i) {
    if (i % 1000 == 7) text += "# comment\n\n";
    text += std::to_string(i) + "." + std::to_string(i % 97) + ",-" + std::to_string(i * 7) + ", " +
            (i % 3 == 0 ? "\"1e5\"" : "1e-5") + "\n";
  }
  return text;
}

TEST(ReadCsv, SameAnswerAtAnyThreadCount) {
  const std::string text = long_text();
  const Values one = values_of(read_bytes("x.csv", text, {}, unroll::Run{.threads = 1}));
  EXPECT_EQ(one[3], 1.1);
  EXPECT_EQ(one[4], -7);
  EXPECT_EQ(one[5], 1e-5);
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(values_of(read_bytes("x.csv", text, {}, unroll::Run{.threads = threads})), one) << threads;
}

TEST(ReadCsv, TheFirstErrorIsReportedAtAnyThreadCount) {
  std::string text = long_text();
  for (const std::size_t fraction : {4U, 3U, 2U}) {
    const std::size_t line = text.find('\n', text.size() / 5 * fraction) + 1;
    text.insert(line, "1,bad" + std::to_string(fraction) + ",3\n");
  }
  const std::size_t first = text.find("bad2");
  const Index line = 1 + std::count(text.begin(), text.begin() + static_cast<Index>(first), '\n');
  const std::string expected = "x.csv:" + std::to_string(line) + ": column 'b' (2): cannot read 'bad2'";
  for (const int threads : {1, 2, 3, 8})
    EXPECT_TRUE(failure_of_bytes("x.csv", text, {}, unroll::Run{.threads = threads}).says(expected)) << threads;
}

TEST(ReadCsv, AMillionColumnsOnOneLine) {
  constexpr Index kColumns = 1000000;
  std::string text = "0";
  for (Index i = 1; i < kColumns; ++i) text += i % 10 == 0 ? ",1" : ",2.5";
  const Table table = read_bytes("x.csv", text);
  EXPECT_EQ(table.view().rows(), 1);
  EXPECT_EQ(table.view().cols(), kColumns);
  const Values values = values_of(table);
  EXPECT_EQ(values[999990], 1);
  EXPECT_EQ(values[999999], 2.5);
}

TEST(ReadCsv, MemoryBudget) {
  std::string text;
  while (text.size() < (1U << 20)) text += "1,2\n";
  // 1 MiB of text becomes 4 MiB of doubles.
  const Failure failure = failure_of_bytes("x.csv", text, {}, unroll::Run{.memory_budget = 4 << 20});
  EXPECT_EQ(failure.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(failure.says("the table")) << failure.message;
  const unroll::Run enough{.memory_budget = 6 << 20};
  EXPECT_EQ(testing_support::rows_of(read_bytes("x.csv", text, {}, enough)), 1 << 18);
  // Leaving out a row takes a second table for a moment.
  EXPECT_EQ(failure_of_bytes("x.csv", text + "NA,1\n", {.missing = MissingValues::Drop}, enough).kind,
            ErrorKind::OutOfMemory);
}

TEST(ReadCsv, ProgressAndCancel) {
  Words stages;
  const unroll::Run watched{.progress = [&](const Progress& progress) {
    if (stages.empty() || stages.back() != progress.stage) stages.emplace_back(progress.stage);
    return true;
  }};
  read_bytes("x.csv", "1,2\n", {}, watched);
  EXPECT_EQ(stages, (Words{"reading", "parsing"}));
  const unroll::Run stopped{.progress = [&](const Progress& progress) { return progress.stage != "parsing"; }};
  EXPECT_EQ(failure_of_bytes("x.csv", "1,2\n", {}, stopped).kind, ErrorKind::Cancelled);
}

TEST(CsvNumber, TellsTooLargeFromTooSmall) {
  using Kind = CsvNumber::Kind;
  const std::string zeros(400, '0');
  EXPECT_EQ(parse_csv_number("1" + zeros).kind, Kind::TooLarge);
  EXPECT_EQ(parse_csv_number("0." + zeros + "1").kind, Kind::Finite);
  EXPECT_EQ(parse_csv_number("-0." + zeros + "1").value, 0);
  EXPECT_EQ(parse_csv_number("0." + zeros + "1e500").value, 1e99);
  EXPECT_EQ(parse_csv_number("0." + zeros + "1e800").kind, Kind::TooLarge);
  EXPECT_EQ(parse_csv_number("1" + zeros + "e-800").kind, Kind::Finite);
  EXPECT_EQ(parse_csv_number("1e-99999999999999999999").value, 0);
  EXPECT_EQ(parse_csv_number("1e+99999999999999999999").kind, Kind::TooLarge);
  EXPECT_EQ(parse_csv_number("1E400").kind, Kind::TooLarge);
}

TEST(CsvNumber, MissingWords) {
  for (const char* word : {"", "NA", "na", "N/A", "n/a", "nan", "NaN", "NAN", "-nan", "null", "NULL", "?"})
    EXPECT_EQ(parse_csv_number(word).kind, CsvNumber::Kind::Missing) << word;
  for (const char* word : {"nana", "n", "N.A.", "none", "missing", "??", "-"})
    EXPECT_EQ(parse_csv_number(word).kind, CsvNumber::Kind::Text) << word;
}

TEST(QuotedForMessage, KeepsTextAndEscapesTheRest) {
  EXPECT_EQ(quoted_for_message("größe 日本 \xf0\x9f\x98\x80"), "'größe 日本 \xf0\x9f\x98\x80'");
  EXPECT_EQ(quoted_for_message("a\tb\x7f"), "'a\\x09b\\x7f'");
  EXPECT_EQ(quoted_for_message("\xc3"), "'\\xc3'");
  EXPECT_EQ(quoted_for_message("\xe0\x80\x80"), "'\\xe0\\x80\\x80'");
  EXPECT_EQ(quoted_for_message(std::string(100, 'a')), "'" + std::string(40, 'a') + "...'");
}

}  // namespace
}  // namespace unroll
