#include "viewer/formats/parquet/file_writer.h"

#include "proto/base/cores.h"
#include "proto/wire/version.h"

#include <algorithm>
#include <utility>

namespace sla::formats::parquet {

namespace {

// As older readers and newer ones call what a column is.
enum Converted : std::int32_t { kUtf8 = 0, kUint64 = 14 };
enum Logical { kString = 1, kInteger = 10 };
enum Repetition : std::int32_t { kRequired = 0, kOptional = 1 };
constexpr std::int32_t kFormatVersion = 2;
constexpr std::size_t kMostThreads = 4;

void put_column_schema(const ColumnSpec& spec, CompactWriter& out) {
    out.begin_element();
    out.int32(field::kType, static_cast<std::int32_t>(physical_of(spec.meaning)));
    out.int32(field::kRepetition, spec.is_optional ? kOptional : kRequired);
    out.text(field::kName, spec.name);
    if (physical_of(spec.meaning) == Physical::kBytes) {
        out.int32(field::kConverted, kUtf8);
        out.begin_struct(field::kLogical);
        out.begin_struct(kString);
        out.end_struct();
        out.end_struct();
    } else if (spec.meaning == Meaning::kUnsigned) {
        out.int32(field::kConverted, kUint64);
        out.begin_struct(field::kLogical);
        out.begin_struct(kInteger);
        out.byte(1, 64);  // bits
        out.truth(2, false);
        out.end_struct();
        out.end_struct();
    }
    out.end_struct();
}

void put_statistics(const ChunkMetadata& chunk, CompactWriter& out) {
    out.begin_struct(field::kStatistics);
    out.int64(field::kNullCount, chunk.nulls);
    if (chunk.most) out.text(field::kMaxValue, *chunk.most);
    if (chunk.least) out.text(field::kMinValue, *chunk.least);
    out.end_struct();
}

void put_chunk(const ColumnSpec& spec, const ChunkMetadata& chunk, std::int64_t group_at, CompactWriter& out) {
    const bool has_dictionary = chunk.has_dictionary;
    out.begin_element();
    out.int64(field::kChunkOffset, 0);
    out.begin_struct(field::kMetadata);
    out.int32(field::kColumnType, static_cast<std::int32_t>(physical_of(spec.meaning)));
    out.begin_list(field::kEncodings, ThriftType::kInt32, has_dictionary ? 3 : 2);
    if (has_dictionary) out.bare_int32(static_cast<std::int32_t>(Encoding::kPlain));
    out.bare_int32(static_cast<std::int32_t>(Encoding::kRuns));
    out.bare_int32(static_cast<std::int32_t>(chunk.encoding));
    out.begin_list(field::kPath, ThriftType::kBytes, 1);
    out.bare_text(spec.name);
    out.int32(field::kCodec, static_cast<std::int32_t>(Codec::kZstd));
    out.int64(field::kValues, chunk.values);
    out.int64(field::kUncompressed, chunk.uncompressed);
    out.int64(field::kCompressed, chunk.compressed);
    out.int64(field::kDataPage, group_at + chunk.data_at);
    if (has_dictionary) out.int64(field::kDictionaryPage, group_at + chunk.at);
    put_statistics(chunk, out);
    out.end_struct();
    out.end_struct();
}

}  // namespace

FileWriter::FileWriter(std::span<const ColumnSpec> columns, std::size_t threads)
    : specs_(columns.begin(), columns.end()), threads_(threads), filled_(std::make_unique<RowGroup>(columns)) {}

std::size_t FileWriter::threads_here() {
    const std::size_t cores = usable_cores();
    return cores < 2 ? 0 : std::min(cores, kMostThreads);
}

Result<void> FileWriter::write(std::string_view bytes, Output& output) {
    written_ += static_cast<std::int64_t>(bytes.size());
    return output.write(bytes);
}

// Hands the group over; one that was handed over before is written when all threads have work.
Result<void> FileWriter::end_group(Output& output) {
    RowGroup* const group = filled_.get();
    const auto policy = threads_ == 0 ? std::launch::deferred : std::launch::async;
    encoded_.push_back({std::move(filled_), std::async(policy, [group] { return group->encode(); })});
    ++group_;
    Result<void> written;
    if (encoded_.size() > threads_) written = write_first(output);
    if (empty_.empty()) {
        filled_ = std::make_unique<RowGroup>(specs_);
    } else {
        filled_ = std::move(empty_.back());
        empty_.pop_back();
    }
    return written;
}

Result<void> FileWriter::write_first(Output& output) {
    HandedOver first = std::move(encoded_.front());
    encoded_.pop_front();
    if (auto done = first.done.get(); !done.ok()) return done;
    if (written_ == 0) {
        if (auto begun = write(kMagic, output); !begun.ok()) return begun;
    }
    const auto rows = static_cast<std::int64_t>(first.group->rows());
    groups_.push_back({first.group->chunks(), rows, written_});
    rows_ += rows;
    if (auto put = write(first.group->bytes(), output); !put.ok()) return put;
    first.group->clear();
    empty_.push_back(std::move(first.group));
    return {};
}

void FileWriter::put_group(const Written& group, CompactWriter& out) const {
    std::int64_t uncompressed = 0;
    std::int64_t compressed = 0;
    out.begin_element();
    out.begin_list(field::kColumns, ThriftType::kStruct, specs_.size());
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        put_chunk(specs_[i], group.chunks[i], group.at, out);
        uncompressed += group.chunks[i].uncompressed;
        compressed += group.chunks[i].compressed;
    }
    out.int64(field::kTotalBytes, uncompressed);
    out.int64(field::kGroupRows, group.rows);
    out.begin_list(field::kSorting, ThriftType::kStruct, 1);
    out.begin_element();
    out.int32(1, 0);      // the first column,
    out.truth(2, false);  // rising,
    out.truth(3, false);  // without nulls
    out.end_struct();
    out.int64(field::kGroupOffset, group.at);
    out.int64(field::kGroupCompressed, compressed);
    out.end_struct();
}

std::string FileWriter::metadata(const KeyValues& key_values) const {
    std::string bytes;
    CompactWriter out(bytes);
    out.int32(field::kVersion, kFormatVersion);
    out.begin_list(field::kSchema, ThriftType::kStruct, specs_.size() + 1);
    out.begin_element();
    out.text(field::kName, "schema");
    out.int32(field::kChildren, static_cast<std::int32_t>(specs_.size()));
    out.end_struct();
    for (const ColumnSpec& spec : specs_) put_column_schema(spec, out);
    out.int64(field::kRows, rows_);
    out.begin_list(field::kRowGroups, ThriftType::kStruct, groups_.size());
    for (const Written& group : groups_) put_group(group, out);
    out.begin_list(field::kKeyValues, ThriftType::kStruct, key_values.size());
    for (const auto& [key, value] : key_values) {
        out.begin_element();
        out.text(1, key);
        out.text(2, value);
        out.end_struct();
    }
    out.text(field::kCreatedBy, "sla version " + std::string(wire::kProductVersion));
    out.begin_list(field::kColumnOrders, ThriftType::kStruct, specs_.size());
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        out.begin_element();
        out.begin_struct(1);  // as the type orders them
        out.end_struct();
        out.end_struct();
    }
    out.end_struct();
    return bytes;
}

Result<void> FileWriter::finish(Output& output, const KeyValues& key_values) {
    if (filled_->rows() > 0) {
        if (auto ended = end_group(output); !ended.ok()) return ended;
    }
    while (!encoded_.empty()) {
        if (auto written = write_first(output); !written.ok()) return written;
    }
    if (written_ == 0) {
        if (auto begun = write(kMagic, output); !begun.ok()) return begun;
    }
    std::string bytes = metadata(key_values);
    const std::size_t size = bytes.size();
    if (size > UINT32_MAX)
        return invalid_input("so many rows need several Parquet files; take ranges with --from and --until");
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(size >> (8 * i));
    bytes += kMagic;
    return output.finish(bytes);
}

}  // namespace sla::formats::parquet
