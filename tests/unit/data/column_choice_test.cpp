#include "data/column_words.h"
#include "read_support.h"

namespace unroll {
namespace {

using testing_support::failure_of_bytes;
using testing_support::read_bytes;
using testing_support::values_of;
using Columns = std::vector<Index>;
using Values = std::vector<double>;
using Words = std::vector<std::string>;

Columns chosen(std::string_view text, const Words& header, Index count) {
  return ColumnWords("columns", text).columns(header, count, "x.csv");
}

TEST(ColumnWords, NamesNumbersAndRanges) {
  const Words names{"a", "b", "c", "2-3", "5"};
  EXPECT_EQ(chosen("", names, 5), Columns{});
  EXPECT_EQ(chosen("c,a", names, 5), (Columns{2, 0}));
  EXPECT_EQ(chosen("1,3", names, 5), (Columns{0, 2}));
  EXPECT_EQ(chosen("2-4", names, 5), (Columns{1, 2, 3}));
  EXPECT_EQ(chosen("3-", names, 5), (Columns{2, 3, 4}));
  EXPECT_EQ(chosen("1,1-2,a", names, 5), (Columns{0, 1}));
  EXPECT_EQ(chosen("2-3", names, 5), Columns{3}) << "a name wins";
  EXPECT_EQ(chosen("5", Words{"5", "b"}, 2), Columns{0});
  EXPECT_EQ(chosen("a,b", Words{"x", "a,b"}, 2), Columns{1}) << "a comma may be a part of a name";
  EXPECT_EQ(chosen("2-3", {}, 3), (Columns{1, 2}));
}

TEST(ColumnWords, WhatIsNotThere) {
  const auto failure = [](std::string_view text, const Words& header, Index count) {
    try {
      chosen(text, header, count);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidOption);
      EXPECT_EQ(error.option(), "columns");
      EXPECT_EQ(error.who(), "x.csv");
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(failure("lenth", {"length", "b"}, 2),
            "x.csv: columns='lenth': there is no such column; did you mean 'length'?; there are: length, b");
  EXPECT_EQ(failure("a", {}, 2),
            "x.csv: columns='a': the columns have no names; give the number of the column, from 1");
  for (const char* text : {"0", "3", "-1", "1-3", "3-", "0-1", "99999"})
    EXPECT_EQ(failure(text, {"a", "b"}, 2),
              "x.csv: columns='" + std::string(text) + "': there are 2 columns, counted from 1")
        << text;
  for (const char* text : {"2-1", "1--2", "1-2-3", "1.5", "99999999999", " 1"})
    EXPECT_TRUE(failure(text, {"a", "b"}, 2).find("no such column") != std::string::npos) << text;
}

TEST(CsvColumns, TextThatIsLeftOutIsNotRead) {
  const std::string text = "a,kind,b,place\n1,u,2,x\n3,v,4,y\n";
  for (const ReadOptions& options : {ReadOptions{.columns = "a,b"}, ReadOptions{.drop = "2,4"}}) {
    const Table table = read_bytes("x.csv", text, options);
    EXPECT_EQ(table.column_names, (Words{"a", "b"}));
    EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4}));
    EXPECT_EQ(table.places, (Columns{0, 2}));
    EXPECT_EQ(table.file_columns, 4);
  }
}

TEST(CsvColumns, ByNumberTheHeaderIsStillGuessed) {
  EXPECT_EQ(values_of(read_bytes("x.csv", "1,u,2\n3,v,4\n", {.drop = "2"})), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "a,k,b\n1,u,2\n3,v,4\n", {.drop = "2"})), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "1,u,2\n3,v,4\n", {.columns = "1,3"})), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "1,u,2\n3,v,4\n", {.columns = "1,3-"})), (Values{1, 2, 3, 4}));
}

TEST(CsvColumns, RowNames) {
  const std::string text = "a,b,who\n1,2,x\n3,4,7\n";
  EXPECT_EQ(read_bytes("x.csv", text, {.id_column = "who"}).row_names, (Words{"x", "7"}));
  EXPECT_EQ(read_bytes("x.csv", "n,a,b\nx,1,2\ny,3,4\n", {.columns = "b"}).row_names, (Words{"x", "y"}));
  EXPECT_TRUE(read_bytes("x.csv", "n,a,b\nx,1,2\ny,3,4\n", {.drop = "n"}).row_names.empty());
  EXPECT_TRUE(read_bytes("x.csv", "id,a\n1,2\n3,4\n", {.columns = "id,a"}).row_names.empty());
}

TEST(CsvColumns, SeveralLabelsAndTheAnnotation) {
  const std::string text = "a,k,b,l\n1,u,2,x\n3,v,,y\n5,w,6,z\n";
  const Table table =
      read_bytes("x.csv", text, {.missing = MissingValues::Drop, .label_column = "l,k", .annotation = "a"});
  EXPECT_EQ(table.labels, (Words{"x", "z"}));
  EXPECT_EQ(table.label_name, "l");
  ASSERT_EQ(table.more_labels.size(), 1U);
  EXPECT_EQ(table.more_labels[0].name, "k");
  EXPECT_EQ(table.more_labels[0].values, (Words{"u", "w"}));
  EXPECT_EQ(table.annotated_feature, 0);
  const Table colored = read_bytes("x.csv", text, {.missing = MissingValues::Mean, .drop = "l,b", .annotation = "k"});
  EXPECT_EQ(colored.annotation.name, "k");
  EXPECT_EQ(colored.annotation.values, (Words{"u", "v", "w"}));
  EXPECT_TRUE(colored.labels.empty());
  EXPECT_EQ(read_bytes("x.csv", text, {.columns = "a", .annotation = "b"}).annotation.values, (Words{"2", "", "6"}));
  EXPECT_EQ(read_bytes("x.csv", text, {.label_column = "k,l", .drop = "b", .annotation = "l"}).annotation.values,
            (Words{"x", "y", "z"}));
}

TEST(CsvColumns, WhatAModelWasFittedOn) {
  const std::string text = "b,k,a,c\n2,u,1,9\n4,v,3,9\n";
  const Table table = read_bytes("x.csv", text, {.trained = {.names = {"a", "b"}}});
  EXPECT_EQ(table.column_names, (Words{"b", "a"}));
  EXPECT_EQ(table.unknown, (Words{"k", "c"}));
  const Table by_place = read_bytes("x.csv", "2,u,1\n4,v,3\n", {.trained = {.places = {0, 2}, .of = 3}});
  EXPECT_EQ(values_of(by_place), (Values{2, 1, 4, 3}));
  EXPECT_EQ(by_place.unknown, (Words{"2"}));
  // Another number of columns: the places say nothing.
  EXPECT_EQ(values_of(read_bytes("x.csv", "2,1\n4,3\n", {.trained = {.places = {0, 2}, .of = 3}})),
            (Values{2, 1, 4, 3}));
}

TEST(CsvColumns, AllLeftOut) {
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n1,2\n", {.drop = "a,b"}).says("no column of numbers"));
}

}  // namespace
}  // namespace unroll
