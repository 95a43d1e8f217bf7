#include <cmath>

#include "read_support.h"

namespace unroll {
namespace {

using testing_support::Failure;
using testing_support::failure_of_bytes;
using testing_support::has_warning;
using testing_support::read_bytes;
using testing_support::values_of;
using Values = std::vector<double>;
using Words = std::vector<std::string>;

TEST(CsvHeader, IsALineWithText) {
  const Table table = read_bytes("x.csv", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(table.column_names, (Words{"a", "b"}));
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4}));
  EXPECT_TRUE(table.warnings.empty());
  EXPECT_TRUE(read_bytes("x.csv", "1,2\n3,4\n").column_names.empty());
}

TEST(CsvHeader, WordsForMissingValuesAreNoNames) {
  const Table table = read_bytes("x.csv", "1,NA\n3,4\n", {.missing = MissingValues::Drop});
  EXPECT_TRUE(table.column_names.empty());
  EXPECT_EQ(values_of(table), (Values{3, 4}));
}

TEST(CsvHeader, ByOption) {
  const Table yes = read_bytes("x.csv", "2019,2020\n1,2\n", {.header = Header::Yes});
  EXPECT_EQ(yes.column_names, (Words{"2019", "2020"}));
  EXPECT_EQ(values_of(yes), (Values{1, 2}));
  EXPECT_TRUE(
      failure_of_bytes("x.csv", "a,b\n1,2\n", {.header = Header::No}).says("x.csv:1: column 2: cannot read 'b'"));
  const Table no = read_bytes("x.csv", "r1,1,2\nr2,3,4\n", {.header = Header::No});
  EXPECT_EQ(no.row_names, (Words{"r1", "r2"}));
  EXPECT_EQ(values_of(no), (Values{1, 2, 3, 4}));
}

TEST(CsvHeader, NumbersAmongTheNamesAreAWarning) {
  EXPECT_TRUE(has_warning(read_bytes("x.csv", "name,2019,2020\nx,1,2\n"), "header-guessed"));
  EXPECT_TRUE(has_warning(read_bytes("x.csv", "1,2x\n3,4\n"), "header-guessed"));
  EXPECT_TRUE(read_bytes("x.csv", "name,2019\nx,1\n", {.header = Header::Yes}).warnings.empty());
}

TEST(CsvRowNames, TextInEveryRow) {
  const Table table = read_bytes("x.csv", "sample,a,b\nx 1,1,2\n\"y,\"\"2\"\"\",3,4\n");
  EXPECT_EQ(table.row_names, (Words{"x 1", "y,\"2\""}));
  EXPECT_EQ(table.column_names, (Words{"a", "b"}));
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4}));
}

TEST(CsvRowNames, AColumnThatIsNotAlwaysTextIsAnError) {
  const Failure failure = failure_of_bytes("x.csv", "sample,a\nx,1\ny,2\n7,3\n");
  EXPECT_TRUE(failure.says("x.csv:2: column 'sample' (1): cannot read 'x' as a number")) << failure.message;
  EXPECT_TRUE(failure_of_bytes("x.csv", "sample,a\n7,1\ny,2\n").says("x.csv:3: column 'sample' (1): cannot read 'y'"));
}

TEST(CsvRowNames, ColumnWithoutANameAsPandasAndRWriteIt) {
  const Table pandas = read_bytes("x.csv", ",a,b\n0,1,2\n1,3,4\n");
  EXPECT_EQ(pandas.row_names, (Words{"0", "1"}));
  EXPECT_EQ(pandas.column_names, (Words{"a", "b"}));
  const Table write_csv = read_bytes("x.csv", "\"\",\"a\",\"b\"\n\"1\",1,2\n\"2\",3,4\n");
  EXPECT_EQ(write_csv.row_names, (Words{"1", "2"}));
  EXPECT_EQ(values_of(write_csv), (Values{1, 2, 3, 4}));
}

TEST(CsvRowNames, EmptyCornerBeforeColumnsThatAreCounted) {
  // pandas' to_csv and R's write.csv(as.matrix(dist(x))) of tables without names.
  for (const char* text : {",1,2\n1,0,5\n2,5,0\n", "\"\",\"1\",\"2\"\n\"1\",0,5\n\"2\",5,0\n"}) {
    const Table table = read_bytes("x.csv", text);
    EXPECT_EQ(table.column_names, (Words{"1", "2"})) << text;
    EXPECT_EQ(table.row_names, (Words{"1", "2"})) << text;
    EXPECT_EQ(values_of(table), (Values{0, 5, 5, 0})) << text;
  }
}

TEST(CsvRowNames, HeaderShorterByOneAsRWritesIt) {
  const Table table = read_bytes("x.txt", "\"a\" \"b\"\n\"1\" 1 2\n\"2\" 3 4\n");
  EXPECT_EQ(table.row_names, (Words{"1", "2"}));
  EXPECT_EQ(table.column_names, (Words{"a", "b"}));
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4}));
  const Table numbered = read_bytes("x.txt", "\"1\" \"2\"\n\"r\" 1 2\n\"s\" 3 4\n");
  EXPECT_EQ(numbered.column_names, (Words{"1", "2"}));
  EXPECT_EQ(numbered.row_names, (Words{"r", "s"}));
}

TEST(CsvRowNames, ColumnCalledId) {
  const Table table = read_bytes("x.csv", "id,a\n17,1\n18,2\n");
  EXPECT_EQ(table.row_names, (Words{"17", "18"}));
  EXPECT_EQ(values_of(table), (Values{1, 2}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "id\n17\n")), (Values{17})) << "the only column is data";
}

TEST(CsvTrailingDelimiter, IsIgnoredWhereNothingIsNamed) {
  for (const char* text : {"1,2,\n3,4,\n", "1,2,\n3,4, \n", "1,2,\r\n3,4,\r\n"}) {
    const Table table = read_bytes("x.csv", text);
    EXPECT_EQ(table.view().cols(), 2) << text;
    EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4})) << text;
  }
  for (const char* text : {"a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4\n"}) {
    const Table table = read_bytes("x.csv", text);
    EXPECT_EQ(table.column_names, (Words{"a", "b"})) << text;
    EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4})) << text;
  }
  EXPECT_EQ(values_of(read_bytes("x.csv", "1,\n")), (Values{1}));
}

TEST(CsvTrailingDelimiter, IsAMissingValueWhereSomethingIsExpected) {
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b,c\n1,2,\n").says("x.csv:2: column 'c' (3): cannot read ''"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2,\n3,4,5\n").says("x.csv:1: column 3: cannot read ''"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2,\n3,4,\n5,6,7\n").says("x.csv:3: 3 fields, expected 2"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2,\n3,4,\n5,6,,\n").says("x.csv:3: 4 fields, expected 2"));
}

TEST(CsvLabels, ByName) {
  const Table table = read_bytes("x.csv", "a,species,b\n1,setosa,2\n3,\"v, x\",4\n", {.label_column = "species"});
  EXPECT_EQ(table.labels, (Words{"setosa", "v, x"}));
  EXPECT_EQ(table.column_names, (Words{"a", "b"}));
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4}));
  EXPECT_TRUE(table.warnings.empty());
}

TEST(CsvLabels, ByNumber) {
  const Table table = read_bytes("iris.data", "5.1,3.5,Iris-setosa\n4.9,3.0,Iris-virginica\n", {.label_column = "3"});
  EXPECT_EQ(table.labels, (Words{"Iris-setosa", "Iris-virginica"}));
  EXPECT_EQ(values_of(table), (Values{5.1, 3.5, 4.9, 3.0}));
  EXPECT_TRUE(table.column_names.empty());
  const Table first = read_bytes("x.csv", "y,a\n1,2\n3,4\n", {.label_column = "1"});
  EXPECT_EQ(first.labels, (Words{"1", "3"}));
  EXPECT_EQ(first.column_names, (Words{"a"}));
  const Table named = read_bytes("x.csv", "a,1\n5,6\n", {.header = Header::Yes, .label_column = "1"});
  EXPECT_EQ(named.labels, (Words{"6"})) << "a name comes first";
}

TEST(CsvLabels, BesideRowNames) {
  const Table table = read_bytes("x.csv", "gene,a,kind\nx,1,u\ny,2,v\n", {.label_column = "kind"});
  EXPECT_EQ(table.row_names, (Words{"x", "y"}));
  EXPECT_EQ(table.labels, (Words{"u", "v"}));
  EXPECT_EQ(table.column_names, (Words{"a"}));
  const Table r = read_bytes("x.txt", "a kind\nr1 1 u\nr2 2 v\n", {.label_column = "kind"});
  EXPECT_EQ(r.labels, (Words{"u", "v"}));
  EXPECT_EQ(r.row_names, (Words{"r1", "r2"}));
}

TEST(CsvLabels, MayBeEmpty) {
  EXPECT_EQ(read_bytes("x.csv", "a,y\n1,\n2,u\n", {.label_column = "y"}).labels, (Words{"", "u"}));
  EXPECT_EQ(read_bytes("x.csv", "1,\n2,\n3,u\n", {.label_column = "2"}).labels, (Words{"", "", "u"}));
}

TEST(CsvLabels, UnknownColumn) {
  const Failure failure = failure_of_bytes("x.csv", "a,species\n1,u\n", {.label_column = "specis"});
  EXPECT_EQ(failure.kind, ErrorKind::InvalidOption);
  EXPECT_EQ(failure.message,
            "x.csv: label_column='specis': there is no such column; did you mean 'species'?; there are: a, species");
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2\n", {.label_column = "3"}).says("there are 2 columns"));
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2\n", {.header = Header::No, .label_column = "y"}).says("no names"));
  for (const char* number : {"0", "-1"})
    EXPECT_EQ(failure_of_bytes("x.csv", "1,2\n", {.label_column = number}).kind, ErrorKind::InvalidOption) << number;
  EXPECT_TRUE(failure_of_bytes("x.csv", "a\nu\n", {.label_column = "a"}).says("no column of numbers"));
}

TEST(CsvMissing, IsAnErrorWithAHint) {
  const Failure failure = failure_of_bytes("data.csv", "a,b\n1,2\n3,NA\n");
  EXPECT_EQ(failure.kind, ErrorKind::InvalidData);
  EXPECT_EQ(failure.message,
            "data.csv:3: column 'b' (2): cannot read 'NA' as a number; leave out rows with missing values or fill them "
            "in with --na drop|mean");
  for (const char* word : {"", "NA", "N/A", "nan", "NaN", "null", "?", "-nan", "\"\"", " ", "n/a"})
    EXPECT_TRUE(failure_of_bytes("x.csv", std::string("1,2,3\n4,") + word + ",5\n").says("--na drop|mean")) << word;
}

TEST(CsvMissing, Drop) {
  const std::string text = "g,a,b,y\nu,1,2,p\nv,,2,q\nw,3,4,\nx,NaN,?,r\ny,5,6,s\n";
  const Table table = read_bytes("x.csv", text, {.missing = MissingValues::Drop, .label_column = "y"});
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(table.row_names, (Words{"u", "w", "y"}));
  EXPECT_EQ(table.labels, (Words{"p", "", "s"}));
  ASSERT_TRUE(has_warning(table, "rows-dropped"));
  EXPECT_NE(table.warnings[0].message.find("2 rows with missing values left out (lines 3, 5)"), std::string::npos);
}

TEST(CsvMissing, DropShowsTheFirstLinesOnly) {
  std::string text = "1,2\n";
  for (int i = 0; i < 9; ++i) text += "NA,1\n";
  const Table table = read_bytes("x.csv", text, {.missing = MissingValues::Drop});
  EXPECT_NE(table.warnings.at(0).message.find("9 rows with missing values left out (lines 2, 3, 4, 5, 6, ...)"),
            std::string::npos);
}

TEST(CsvMissing, DropAllRows) {
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n1,\n,2\n", {.missing = MissingValues::Drop}).says("none is left"));
}

TEST(CsvMissing, Mean) {
  const Table table = read_bytes("x.csv", "a,b\n1,NA\n,4\n2,6\n6,?\n", {.missing = MissingValues::Mean});
  EXPECT_EQ(values_of(table), (Values{1, 5, 3, 4, 2, 6, 6, 5}));
  ASSERT_TRUE(has_warning(table, "values-imputed"));
  EXPECT_NE(table.warnings[0].message.find("3 missing values in 3 rows filled in"), std::string::npos);
  EXPECT_NE(table.warnings[0].message.find("lines 2, 3, 5"), std::string::npos);
}

TEST(CsvMissing, MeanOfValuesWhoseSumIsNoDouble) {
  const Table table = read_bytes("x.csv", "1.5e308\n1.5e308\nNA\n", {.missing = MissingValues::Mean});
  EXPECT_EQ(values_of(table)[2], 1.5e308);
}

TEST(CsvHeader, NumbersThatMayBeNames) {
  const auto is_doubted = [](std::string_view text) {
    return has_warning(read_bytes("x.csv", text), "header-guessed");
  };
  EXPECT_TRUE(is_doubted("400,402,404\n0.5,1.5,2\n"));
  EXPECT_TRUE(is_doubted("2021,2020,2019\n5,3,8\n"));
  EXPECT_TRUE(is_doubted("1,2,4,8,16,32,64,128\n0.5,1,1,1,1,1,1,1\n"));
  EXPECT_FALSE(is_doubted("1,2,4,8\n0.5,1,1,1\n"));   // few, and not in equal steps
  EXPECT_FALSE(is_doubted("1,2,3\n4,5,6\n"));         // the next line is such a one, too
  EXPECT_FALSE(is_doubted("1,2,3\n2,9,6\n"));         // numbers of one kind
  EXPECT_FALSE(is_doubted("0.5,1,1.5\n0.25,1,2\n"));  // not whole
  EXPECT_FALSE(has_warning(read_bytes("x.csv", "400,402,404\n0.5,1,2\n", {.header = Header::No}), "header-guessed"));
  const Table corner = read_bytes("x.csv", ",400,402,404\ns1,0.5,1.5,2\n");
  EXPECT_EQ(corner.column_names, (Words{"400", "402", "404"}));
  EXPECT_FALSE(has_warning(corner, "header-guessed"));
  const Table few = read_bytes("x.csv", ",400,402\ns1,0.5,1.5\ns2,1,2\n");
  EXPECT_EQ(few.column_names, (Words{"400", "402"}));
  EXPECT_TRUE(has_warning(few, "header-guessed"));
  const Table nameless = read_bytes("x.csv", ",400,402\ns1,0.5,1.5\ns2,1,2\n", {.id_column = "1"});
  EXPECT_EQ(values_of(nameless).size(), 6U) << "a sample whose name is missing";
}

TEST(CsvTitle, IsALineOfWordsAboveALargerTable) {
  const Table table = read_bytes("x.csv", "Some title\n\na,b,c\n1,2,3\n4,5,6\n");
  EXPECT_EQ(table.column_names, (Words{"a", "b", "c"}));
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(table.notes.size(), 1U);
  EXPECT_TRUE(read_bytes("x.csv", "a,b,c\n1,2,3\n4,5,6\n").notes.empty());
  EXPECT_TRUE(failure_of_bytes("x.csv", "one\n1,2\n").thrown);
}

TEST(CsvDelimiter, IsToldByExcel) {
  for (const std::string_view end : {"\n", "\r\n"}) {
    std::string text = "sep=;|a;b|1;2|3;4|";
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|')) text.replace(at, 1, end);
    EXPECT_EQ(values_of(read_bytes("x.csv", text)), (Values{1, 2, 3, 4})) << text;
  }
  EXPECT_TRUE(failure_of_bytes("x.csv", "sep=;\na;b\n1;x\n").says("x.csv:3:"));
}

TEST(CsvDecimal, MayBeAComma) {
  EXPECT_EQ(values_of(read_bytes("x.csv", "a;b\n1,5;2\n-0,25;1e3\n", {.decimal = ','})), (Values{1.5, 2, -0.25, 1000}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "\"1,5\",\"2\"\n", {.delimiter = ',', .decimal = ','})), (Values{1.5, 2}));
  EXPECT_TRUE(failure_of_bytes("x.csv", "a;b\n1.234;2\n3,5;1\n", {.decimal = ','}).says("cannot read '1.234'"));
}

TEST(CsvNames, KeepTheNameOfTheirColumn) {
  EXPECT_EQ(read_bytes("x.csv", "cell,a,b\nr,1,2\n").id_name, "cell");
  EXPECT_EQ(read_bytes("x.csv", "a,b\n1,2\n").id_name, "");
}

TEST(Transposed, NamesAndValues) {
  const Table table = read_bytes("x.csv", "gene,s1,s2,s3\nA,1,2,3\nB,4,5,6\n", {.transpose = true});
  EXPECT_EQ(table.column_names, (Words{"A", "B"}));
  EXPECT_EQ(table.row_names, (Words{"s1", "s2", "s3"}));
  EXPECT_EQ(values_of(table), (Values{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(table.places, (std::vector<Index>{0, 1}));
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2\n", {.label_column = "1", .transpose = true}).says("transpose"));
}

TEST(CsvMissing, WordsForIt) {
  const ReadOptions drop{.missing = MissingValues::Drop};
  EXPECT_EQ(values_of(read_bytes("x.csv", "1,2\n#N/A,3\n4,#n/a\n", drop)), (Values{1, 2}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "1,2\n# a comment\n3,4\n", drop)), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values_of(read_bytes("x.csv", "a,b\n1,2\n-,3\n4,n.d.\n",
                                 {.missing = MissingValues::Drop, .na_values = {"-", "n.d."}})),
            (Values{1, 2}));
  EXPECT_TRUE(failure_of_bytes("x.csv", "a,b\n1,2\n-,3\n4,5\n", drop).says("na_values='-'"));
}

TEST(CsvMissing, MeanOfNothing) {
  const Failure failure = failure_of_bytes("x.csv", "g,a,b\nx,1,\ny,2,NA\n", {.missing = MissingValues::Mean});
  EXPECT_EQ(failure.kind, ErrorKind::InvalidData);
  EXPECT_TRUE(failure.says("column 'b' (3) has no value at all")) << failure.message;
}

TEST(CsvMissing, NothingMissingIsNoWarning) {
  for (const auto missing : {MissingValues::Drop, MissingValues::Mean})
    EXPECT_TRUE(read_bytes("x.csv", "1,2\n", {.missing = missing}).warnings.empty());
}

TEST(CsvMissing, InfinityIsNotMissing) {
  EXPECT_TRUE(failure_of_bytes("x.csv", "1,2\n3,inf\n", {.missing = MissingValues::Drop}).says("infinite"));
}

}  // namespace
}  // namespace unroll
