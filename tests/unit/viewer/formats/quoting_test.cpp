#include "viewer/formats/table/rows/row_writer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sla::formats {
namespace {

// One row of two texts, the second one prepared beforehand.
std::string row(Format format, std::string_view first, std::string_view second) {
    const auto writer = make_row_writer(format, {{"a", 4, false}, {"b", 4, true}});
    ByteBuffer out;
    if (format == Format::kJson) writer->begin(out);
    writer->begin_row(out);
    writer->text(out, first);
    writer->ready(out, writer->prepare(second));
    writer->end_row(out);
    writer->end(out);
    return std::string(out.view());
}

TEST(Quoting, CsvQuotesOnlyWhatNeedsIt) {
    EXPECT_EQ(row(Format::kCsv, "plain", "with space"), "plain,with space\n");
    EXPECT_EQ(row(Format::kCsv, "a,b", "say \"x\""), "\"a,b\",\"say \"\"x\"\"\"\n");
    EXPECT_EQ(row(Format::kCsv, "two\nlines", "cr\r"), "\"two\nlines\",\"cr\r\"\n");
    EXPECT_EQ(row(Format::kCsv, " blank", ""), "\" blank\",\n");
    EXPECT_EQ(row(Format::kCsv, "größe µs →", "日本"), "größe µs →,日本\n");
}

TEST(Quoting, TsvEscapesWhatWouldBreakALine) {
    EXPECT_EQ(row(Format::kTsv, "a\tb\nc\rd\\e", "x,\"y\""), "a\\tb\\nc\\rd\\\\e\tx,\"y\"\n");
}

TEST(Quoting, JsonReadsBackWhateverTheTextIs) {
    const std::string nasty = std::string("\x01\x1f\x7f\"\\\n\r\t/µ日本") + '\0' + "z";
    const auto parsed = nlohmann::json::parse(row(Format::kJson, nasty, nasty));
    EXPECT_EQ(parsed[0]["a"], nasty);
    EXPECT_EQ(parsed[0]["b"], nasty);
}

TEST(Quoting, TextNeverSteersATerminal) {
    const std::string out = row(Format::kText, "\x1b[31mred", "x\ny");
    EXPECT_EQ(out.find('\x1b'), std::string::npos);
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1);
}

TEST(Quoting, TextCountsCharactersNotBytes) {
    EXPECT_EQ(row(Format::kText, "µµ", "x"), "µµ       x\n");
}

TEST(Formats, AreKnownByNameAndByEnding) {
    EXPECT_EQ(*parse_format("tsv"), Format::kTsv);
    EXPECT_FALSE(parse_format("xml").ok());
    EXPECT_EQ(format_for_file("a/b.json", Format::kText), Format::kJson);
    EXPECT_EQ(format_for_file("-", Format::kText), Format::kText);
}

TEST(ByteBufferNumbers, AreWrittenWhole) {
    ByteBuffer out;
    out.put_ns(-1);
    out.put(' ');
    out.put_ns(std::numeric_limits<std::int64_t>::min());
    out.put(' ');
    out.put_unsigned(~std::uint64_t{0});
    EXPECT_EQ(out.view(), "-0.001 -9223372036854775.808 18446744073709551615");
}

TEST(ByteBufferNumbers, OfEveryLengthAreTheirDigits) {
    std::uint64_t power = 1;
    for (int digits = 1; digits <= 20; ++digits, power *= 10) {
        for (const std::uint64_t number : {power - 1, power, power + 1, power * 9}) {
            ByteBuffer out;
            out.put_unsigned(number);
            ASSERT_EQ(out.view(), std::to_string(number));
        }
    }
}

TEST(ByteBufferNumbers, NothingIsLostWhileItGrows) {
    ByteBuffer out;
    std::string expected;
    for (int i = 0; i < 2000; ++i) {
        out.put_signed(-i);
        out.put(", ");
        expected += (i == 0 ? "0" : "-" + std::to_string(i)) + ", ";
    }
    EXPECT_EQ(out.view(), expected);
    out.clear();
    EXPECT_EQ(out.view(), "");
}

}  // namespace
}  // namespace sla::formats
