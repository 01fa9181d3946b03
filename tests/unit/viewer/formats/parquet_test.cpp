// Parquet files of ours as another reader would see them: columns, groups, bounds of what is trusted.
#include "viewer/formats/parquet/parquet.h"
#include "tests/unit/viewer/formats/imported.h"
#include "tests/unit/viewer/formats/small_capture.h"
#include "viewer/formats/parquet/event_columns.h"
#include "viewer/formats/parquet/file_reader.h"
#include "viewer/formats/parquet/file_writer.h"
#include "viewer/formats/parquet/text_pool.h"
#include "viewer/formats/parquet/thrift.h"

#include <zstd.h>

#include <bit>
#include <iterator>
#include <random>
#include <span>
#include <utility>

namespace sla::formats {
namespace {

using parquet::FileReader;

class Parquet : public WithFiles {
protected:
    static std::string exported(const store::Session& session) {
        std::string bytes;
        Output output = Output::to_string(bytes);
        EXPECT_TRUE(write_parquet(session, *analysis::select(session, {}), output).ok());
        return bytes;
    }
    FileReader reader_of(const std::string& bytes) {
        auto reader = FileReader::open(written("in" + std::to_string(files_++) + ".parquet", bytes));
        if (!reader.ok()) throw std::runtime_error(reader.error().message);
        return std::move(*reader);
    }
    // A number or a text of every row of one column, "-" where there is none.
    static std::vector<std::string> column_of(FileReader& reader, parquet::EventColumn column) {
        std::vector<std::string> out;
        for (std::size_t group = 0; group < reader.info().groups.size(); ++group) {
            const auto values = reader.read(group, column);
            if (!values.ok()) throw std::runtime_error(values.error().message);
            for (std::int64_t i = 0; i < reader.info().groups[group].rows; ++i) {
                const auto row = static_cast<std::size_t>(i);
                const auto type = parquet::physical_of(parquet::kEventColumnSpecs[column].meaning);
                out.push_back(!values->has(row)                    ? "-"
                              : type == parquet::Physical::kBytes  ? std::string(values->text(row))
                              : type == parquet::Physical::kDouble ? std::to_string(std::bit_cast<double>(values->bits(row)))
                                                                   : std::to_string(values->bits(row)));
            }
        }
        return out;
    }
    std::string refusal_of(const std::string& bytes) {
        const auto report = import_bytes(bytes, ImportFormat::kParquet);
        return report.ok() ? "taken" : report.error().message;
    }

private:
    int files_ = 0;
};

support::CaptureBuilder regular(std::uint64_t rows) {
    support::CaptureBuilder capture(1000, 1e9, 40);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    for (std::uint64_t i = 0; i < rows; ++i)
        capture.value(i % 3 == 0 ? a : b, 1000 + i / 2 * 10, static_cast<std::int64_t>(i));
    return capture;
}

TEST_F(Parquet, EveryRowOfTheTableIsARowWithTypedValues) {
    store::Session session;
    small_capture().fill(session);
    FileReader reader = reader_of(exported(session));
    EXPECT_EQ(reader.info().rows, 17);
    const auto values = column_of(reader, parquet::kValueInt);
    const auto kinds = column_of(reader, parquet::kKind);
    const auto large = column_of(reader, parquet::kValueUnsigned);
    const auto texts = column_of(reader, parquet::kText);
    EXPECT_EQ(kinds.size(), 17u);
    EXPECT_EQ(large[3], "18446744073709551615") << "from 2^63 on in a column of their own";
    EXPECT_EQ(values[3], "-");
    EXPECT_EQ(values[1], std::to_string(static_cast<std::uint64_t>(-5)));
    const auto gap = static_cast<std::size_t>(std::find(values.begin(), values.end(), "412") - values.begin());
    ASSERT_LT(gap, kinds.size());
    EXPECT_EQ(kinds[gap], "gap");
    EXPECT_EQ(texts[gap], "overrun");
    EXPECT_EQ(column_of(reader, parquet::kUntilTick)[gap], "1700");
}

TEST_F(Parquet, ManyRowsAreSeveralGroupsAndAllComeBack) {
    constexpr std::uint64_t kRows = 300'000;
    store::Session session;
    regular(kRows).fill(session);
    const std::string bytes = exported(session);
    FileReader reader = reader_of(bytes);
    ASSERT_EQ(reader.info().groups.size(), 3u);
    EXPECT_EQ(reader.info().groups[0].rows, 131'072);
    const auto ticks = column_of(reader, parquet::kTick);
    ASSERT_EQ(ticks.size(), kRows);
    for (std::uint64_t i = 0; i < kRows; ++i) ASSERT_EQ(ticks[i], std::to_string(1000 + i / 2 * 10));
    EXPECT_LT(bytes.size(), kRows * 16) << "some bytes a row";
    store::Session back;
    take_in_bytes(bytes, back);
    EXPECT_EQ(back.lane_named("a")->size() + back.lane_named("b")->size(), kRows);
}

TEST_F(Parquet, PartsOneBehindTheOtherAreTheWholeTable) {
    store::Session session;
    support::CaptureBuilder capture = regular(1000);
    capture.fill(session);
    FileReader whole = reader_of(exported(session));
    std::vector<parquet::EventColumn> columns = {parquet::kTick,       parquet::kChannel,        parquet::kValueInt,
                                                 parquet::kDeltaAnyNs, parquet::kDeltaChannelNs, parquet::kErrorNs};
    std::vector<std::vector<std::string>> joined(columns.size());
    auto selection = *analysis::select(session, {});
    std::size_t parts = 0;
    for (std::uint64_t rows = 0; rows < 1000; ++parts) {
        std::string bytes;
        Output output = Output::to_string(bytes);
        const auto part = write_parquet_part(session, selection, {77, {}}, output);
        ASSERT_TRUE(part.ok());
        ASSERT_GT(part->rows, 0u);
        EXPECT_LE(part->rows, 79u) << "rows of one tick stay together";
        FileReader reader = reader_of(bytes);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto more = column_of(reader, columns[i]);
            joined[i].insert(joined[i].end(), more.begin(), more.end());
        }
        rows += part->rows;
        EXPECT_EQ(part->is_full, rows < 1000);
        selection.from = part->last_tick + 1;
    }
    EXPECT_GT(parts, 10u);
    for (std::size_t i = 0; i < columns.size(); ++i) EXPECT_EQ(joined[i], column_of(whole, columns[i])) << i;
}

TEST_F(Parquet, AnEmptySelectionIsAFileWithoutRows) {
    support::CaptureBuilder capture;
    capture.channel("a");
    store::Session session;
    capture.fill(session);
    FileReader reader = reader_of(exported(session));
    EXPECT_EQ(reader.info().rows, 0);
    EXPECT_EQ(reader.info().columns.size(), std::size_t{parquet::kEventColumns});
}

TEST_F(Parquet, LongTextsThatNeverRepeatComeBackToo) {
    support::CaptureBuilder capture;
    const auto log = capture.channel("log");
    std::mt19937 random(3);
    for (std::uint64_t i = 0; i < 3000; ++i)
        capture.text(log, 1000 + i, std::string(900, static_cast<char>('a' + random() % 26)) + std::to_string(i));
    store::Session session;
    store::Session back;
    capture.fill(session);
    take_in_bytes(exported(session), back);
    for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_EQ(back.lane_named("log")->text(i), session.lane_named("log")->text(i));
}

TEST_F(Parquet, AFileCutOffAnywhereIsRefused) {
    store::Session session;
    small_capture().fill(session);
    const std::string bytes = exported(session);
    for (std::size_t size = 0; size < bytes.size(); size += 37)
        EXPECT_NE(refusal_of(bytes.substr(0, size)), "taken") << size;
    EXPECT_NE(refusal_of("PAR1PAR1").find("is it whole"), std::string::npos);
    EXPECT_NE(refusal_of(std::string("PAR1\xff\xff\xff\x7fPAR1", 12)).find("longer than the file"), std::string::npos);
    EXPECT_NE(refusal_of(std::string("PAR1\0\0\0\0PAR1", 12)), "taken");
}

std::string little_endian(std::size_t number) {
    std::string out;
    for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(number >> (8 * i));
    return out;
}

std::string plain_text(std::string_view text) {
    return little_endian(text.size()) + std::string(text);
}

// Of one value.
std::string packed_page(const std::string& value) {
    namespace field = parquet::field;
    std::string packed(ZSTD_compressBound(value.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), value.data(), value.size(), 1));
    std::string out;
    parquet::CompactWriter header(out);
    header.int32(field::kPageType, 0);
    header.int32(field::kPageUncompressed, static_cast<std::int32_t>(value.size()));
    header.int32(field::kPageCompressed, static_cast<std::int32_t>(packed.size()));
    header.begin_struct(field::kDataHeader);
    header.int32(field::kDataValues, 1);
    header.int32(field::kDataEncoding, 0);
    header.end_struct();
    header.end_struct();
    return out + packed;
}

struct PackedColumn {
    const char* name;
    parquet::Physical type;
    std::string page;
};

void put_schema(parquet::CompactWriter& out, std::span<const PackedColumn> columns) {
    namespace field = parquet::field;
    out.begin_list(field::kSchema, parquet::ThriftType::kStruct, columns.size() + 1);
    out.begin_element();
    out.text(field::kName, "schema");
    out.int32(field::kChildren, static_cast<std::int32_t>(columns.size()));
    out.end_struct();
    for (const PackedColumn& column : columns) {
        out.begin_element();
        out.int32(field::kType, static_cast<std::int32_t>(column.type));
        out.int32(field::kRepetition, 0);
        out.text(field::kName, column.name);
        out.end_struct();
    }
}

void put_clock(parquet::CompactWriter& out) {
    const std::pair<const char*, const char*> clock[] = {{"sla.origin_tick", "0"},
                                                         {"sla.ticks_per_second", "1000000000"},
                                                         {"sla.clock_error_ppb", "0"},
                                                         {"sla.origin_realtime_ns", "0"}};
    out.begin_list(parquet::field::kKeyValues, parquet::ThriftType::kStruct, std::size(clock));
    for (const auto& [key, value] : clock) {
        out.begin_element();
        out.text(1, key);
        out.text(2, value);
        out.end_struct();
    }
}

// A table of so many rows whose channels are texts of 100 MB, packed to some kilobytes each.
std::string file_of_large_texts(std::size_t rows) {
    namespace field = parquet::field;
    const PackedColumn columns[] = {
        {"tick", parquet::Physical::kInt64, packed_page(std::string("\5\0\0\0\0\0\0\0", 8))},
        {"channel", parquet::Physical::kBytes, packed_page(plain_text(std::string(100'000'000, 'a')))},
        {"kind", parquet::Physical::kBytes, packed_page(plain_text("tick"))}};
    std::string file = "PAR1";
    std::string metadata;
    parquet::CompactWriter out(metadata);
    put_schema(out, columns);
    out.begin_list(field::kRowGroups, parquet::ThriftType::kStruct, 1);
    out.begin_element();
    out.begin_list(field::kColumns, parquet::ThriftType::kStruct, 3);
    for (const PackedColumn& column : columns) {
        out.begin_element();
        out.begin_struct(field::kMetadata);
        out.int32(field::kCodec, static_cast<std::int32_t>(parquet::Codec::kZstd));
        out.int64(field::kValues, static_cast<std::int64_t>(rows));
        out.int64(field::kCompressed, static_cast<std::int64_t>(rows * column.page.size()));
        out.int64(field::kDataPage, static_cast<std::int64_t>(file.size()));
        out.end_struct();
        out.end_struct();
        for (std::size_t row = 0; row < rows; ++row) file += column.page;
    }
    out.int64(field::kGroupRows, static_cast<std::int64_t>(rows));
    out.end_struct();
    put_clock(out);
    out.end_struct();
    return file + metadata + little_endian(metadata.size()) + "PAR1";
}

TEST_F(Parquet, ASmallFileThatUnpacksToVeryMuchIsRefused) {
    EXPECT_EQ(refusal_of(file_of_large_texts(1)), "taken") << "its name is cut off";
    const std::string bytes = file_of_large_texts(12);
    EXPECT_LT(bytes.size(), std::size_t{1} << 20);
    EXPECT_NE(refusal_of(bytes).find("unpacks to more than 512 MiB"), std::string::npos) << refusal_of(bytes);
}

TEST_F(Parquet, FlippedBytesAreTakenOrRefusedAndHarmNobody) {
    store::Session session;
    small_capture().fill(session);
    const std::string bytes = exported(session);
    for (std::size_t at = 0; at < bytes.size(); at += 19) {
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
        EXPECT_FALSE(refusal_of(flipped).empty());
    }
}

// So many groups that several are under way, and each has texts of its own.
std::string file_of_many_groups(std::size_t threads) {
    std::string bytes;
    Output output = Output::to_string(bytes);
    static constexpr std::array<parquet::ColumnSpec, 3> kSpecs = {{{"number", parquet::Meaning::kInteger, false},
                                                                   {"name", parquet::Meaning::kName, false},
                                                                   {"text", parquet::Meaning::kText, true}}};
    parquet::FileWriter writer(kSpecs, threads);
    std::mt19937_64 random(9);
    for (std::uint64_t row = 0; row < 9 * parquet::FileWriter::kGroupRows / 2; ++row) {
        writer.column(0).natural(row);
        writer.column(1).text(writer.column(1).intern(std::to_string(writer.group())));
        if (random() % 3 == 0) {
            writer.column(2).null();
        } else {
            writer.column(2).text(writer.column(2).intern(std::to_string(random() % 1'000)));
        }
        EXPECT_TRUE(writer.end_row(output).ok());
    }
    EXPECT_TRUE(writer.finish(output, {}).ok());
    return bytes;
}

TEST_F(Parquet, IsTheSameHoweverManyThreadsEncodeIt) {
    const std::string alone = file_of_many_groups(0);
    EXPECT_GT(alone.size(), std::size_t{1} << 19);
    for (const std::size_t threads : {1, 3}) EXPECT_EQ(file_of_many_groups(threads) == alone, true) << threads;
}

TEST(ParquetTexts, HaveOneNumberEachUntilHardlyAnyRepeats) {
    parquet::TextPool texts;
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t i = 0; i < 100'000; ++i) {
            const std::string text = "a text " + std::to_string(i % 20'000);
            ASSERT_EQ(texts.intern(text), i % 20'000);
            ASSERT_EQ(texts[i % 20'000], text);
        }
        EXPECT_EQ(texts.size(), 20'000u);
        texts.clear();
        EXPECT_TRUE(texts.empty());
    }
    for (std::uint32_t i = 0; i < 60'000; ++i) ASSERT_EQ(texts.intern("a text " + std::to_string(i)), i);
    EXPECT_EQ(texts.intern("a text 7"), 60'000u);  // in a dictionary it would have to be 7
    EXPECT_EQ(texts[60'000], "a text 7");
}

TEST_F(Parquet, AFileOfOthersSaysWhatItLacks) {
    std::string bytes;
    Output output = Output::to_string(bytes);
    const std::array<parquet::ColumnSpec, 1> specs = {{{"price", parquet::Meaning::kReal, false}}};
    parquet::FileWriter writer{specs};
    writer.column(0).real(1.5);
    ASSERT_TRUE(writer.end_row(output).ok());
    ASSERT_TRUE(writer.finish(output, {}).ok());
    EXPECT_NE(refusal_of(bytes).find("has not the clock"), std::string::npos) << refusal_of(bytes);
}

}  // namespace
}  // namespace sla::formats
