// A table that is written row by row is the same as one that was collected, but for the widths of its text form.
#include "viewer/formats/table/flowing_table.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::formats {
namespace {

std::vector<Field> row_of(std::uint64_t i) {
    return {i, std::string(1 + i % 7, 'x'), Ps{static_cast<std::int64_t>(i) * 1500}, std::monostate()};
}

std::string flowing(Format format, std::uint64_t rows) {
    std::string written;
    Output output = Output::to_string(written);
    FlowingTable table({"n", "word", "time_ns", "none"}, format, output);
    for (std::uint64_t i = 0; i < rows; ++i) EXPECT_TRUE(*table.add(row_of(i)));
    EXPECT_EQ(table.size(), rows);
    EXPECT_TRUE(table.finish().ok());
    return written;
}

std::string collected(Format format, std::uint64_t rows) {
    SmallTable table({"n", "word", "time_ns", "none"});
    for (std::uint64_t i = 0; i < rows; ++i) table.add(row_of(i));
    ByteBuffer out;
    table.append_to(out, format);
    return std::string(out.view());
}

TEST(FlowingTable, IsTheSameAsOneThatWasCollected) {
    for (const std::uint64_t rows : {0U, 1U, 499U, 500U, 501U, 30'000U}) {
        for (const Format format : {Format::kCsv, Format::kTsv, Format::kJson, Format::kJsonl}) {
            ASSERT_EQ(flowing(format, rows), collected(format, rows)) << rows;
        }
    }
    EXPECT_EQ(flowing(Format::kText, 499), collected(Format::kText, 499)) << "as wide as all of few rows need";
}

TEST(FlowingTable, HasRowsThatAreWiderThanTheFirstOnesWholeInItsTextForm) {
    std::string written;
    Output output = Output::to_string(written);
    FlowingTable table({"word"}, Format::kText, output);
    for (int i = 0; i < 600; ++i) ASSERT_TRUE(table.add({std::string("short")}).ok());
    ASSERT_TRUE(table.add({std::string(300, 'w')}).ok());
    ASSERT_TRUE(table.finish().ok());
    EXPECT_NE(written.find(std::string(300, 'w')), std::string::npos);
}

}  // namespace
}  // namespace sla::formats
