#include "viewer/formats/parquet/metadata.h"

#include "viewer/formats/parquet/thrift_reader.h"

#include <algorithm>

namespace sla::formats::parquet {

namespace {

constexpr std::int64_t kMaxGroupRows = std::int64_t{1} << 20;
constexpr std::int64_t kMaxPageBytes = std::int64_t{128} << 20;
constexpr std::int64_t kMaxChunkBytes = std::int64_t{1} << 30;
constexpr std::size_t kMaxColumns = 1000;

// Elements of a list of structs.
template <typename Read>
void each(CompactReader& in, ThriftType type, Read read) {
    const CompactReader::List list = in.list(type);
    if (list.type != ThriftType::kStruct && list.size > 0) return in.skip(ThriftType::kMap);  // makes it bad
    for (std::size_t i = 0; i < list.size && !in.is_bad(); ++i) read();
}

// The schema is a tree in preorder; ours is a root and its leaves.
struct Schema {
    std::vector<ColumnInfo> columns;
    bool is_flat = true;
    bool has_root = false;
};

void read_column(CompactReader& in, Schema& schema) {
    ColumnInfo column;
    std::int64_t children = 0;
    std::int64_t repetition = 0;
    for (ThriftField at; in.next(at);) {
        switch (at.number) {
            case field::kType: column.type = static_cast<std::int32_t>(in.integer(at.type)); break;
            case field::kRepetition: repetition = in.integer(at.type); break;
            case field::kName: column.name = in.text(at.type); break;
            case field::kChildren: children = in.integer(at.type); break;
            default: in.skip(at.type);
        }
    }
    if (!schema.has_root) {
        schema.has_root = true;
        return;
    }
    column.is_optional = repetition == 1;
    schema.is_flat = schema.is_flat && children == 0 && (repetition == 0 || repetition == 1);
    schema.columns.push_back(std::move(column));
}

void read_statistics(CompactReader& in, ChunkInfo& chunk) {
    for (ThriftField at; in.next(at);) {
        switch (at.number) {
            case field::kMaxValue: chunk.most = in.text(at.type); break;
            case field::kMinValue: chunk.least = in.text(at.type); break;
            default: in.skip(at.type);
        }
    }
}

ChunkInfo read_chunk_metadata(CompactReader& in) {
    ChunkInfo chunk;
    std::int64_t data_at = 0;
    std::int64_t dictionary_at = 0;
    for (ThriftField at; in.next(at);) {
        if (at.number == field::kStatistics && at.type == ThriftType::kStruct) {
            read_statistics(in, chunk);
            continue;
        }
        switch (at.number) {
            case field::kCodec: chunk.codec = static_cast<std::int32_t>(in.integer(at.type)); break;
            case field::kValues: chunk.values = in.integer(at.type); break;
            case field::kCompressed: chunk.size = in.integer(at.type); break;
            case field::kDataPage: data_at = in.integer(at.type); break;
            case field::kDictionaryPage: dictionary_at = in.integer(at.type); break;
            default: in.skip(at.type);
        }
    }
    chunk.at = dictionary_at > 0 ? std::min(dictionary_at, data_at) : data_at;
    return chunk;
}

GroupInfo read_group(CompactReader& in) {
    GroupInfo group;
    const auto read_chunk = [&] {
        ChunkInfo chunk;
        for (ThriftField at; in.next(at);) {
            if (at.number == field::kMetadata && at.type == ThriftType::kStruct) {
                chunk = read_chunk_metadata(in);
            } else {
                in.skip(at.type);
            }
        }
        group.chunks.push_back(chunk);
    };
    for (ThriftField at; in.next(at);) {
        switch (at.number) {
            case field::kColumns: each(in, at.type, read_chunk); break;
            case field::kGroupRows: group.rows = in.integer(at.type); break;
            default: in.skip(at.type);
        }
    }
    return group;
}

void read_key_value(CompactReader& in, FileInfo& info) {
    std::string key;
    std::string value;
    for (ThriftField at; in.next(at);) {
        switch (at.number) {
            case 1: key = in.text(at.type); break;
            case 2: value = in.text(at.type); break;
            default: in.skip(at.type);
        }
    }
    info.key_values[key] = value;
}

Result<void> check_group(const GroupInfo& group, std::size_t columns, std::int64_t file_size) {
    if (group.rows < 0 || group.rows > kMaxGroupRows)
        return damaged("a row group has " + std::to_string(group.rows) + " rows; 1048576 are the most that is read");
    if (group.chunks.size() != columns) return damaged("a row group has not a chunk for each column");
    for (const ChunkInfo& chunk : group.chunks) {
        const bool is_within =
            chunk.at >= 4 && chunk.at <= file_size && chunk.size >= 0 && chunk.size <= file_size - chunk.at;
        if (!is_within || chunk.size > kMaxChunkBytes) return damaged("a column chunk lies outside of the file");
        if (chunk.values != group.rows) return damaged("a column chunk has not a value for each row");
    }
    return {};
}

}  // namespace

std::size_t FileInfo::column_named(std::string_view name) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& one) { return one.name == name; });
    return found == columns.end() ? SIZE_MAX : static_cast<std::size_t>(found - columns.begin());
}

Result<FileInfo> read_metadata(std::string_view bytes, std::int64_t file_size) {
    FileInfo info;
    Schema schema;
    CompactReader in(bytes);
    for (ThriftField at; in.next(at);) {
        switch (at.number) {
            case field::kSchema: each(in, at.type, [&] { read_column(in, schema); }); break;
            case field::kRows: info.rows = in.integer(at.type); break;
            case field::kRowGroups: each(in, at.type, [&] { info.groups.push_back(read_group(in)); }); break;
            case field::kKeyValues: each(in, at.type, [&] { read_key_value(in, info); }); break;
            default: in.skip(at.type);
        }
    }
    if (in.is_bad()) return damaged("its metadata makes no sense");
    if (!schema.is_flat) return damaged("it has columns within columns; an event table has none");
    if (schema.columns.empty() || schema.columns.size() > kMaxColumns) return damaged("it has no columns, or too many");
    info.columns = std::move(schema.columns);
    for (const GroupInfo& group : info.groups) {
        if (auto good = check_group(group, info.columns.size(), file_size); !good.ok()) return good.error();
    }
    return info;
}

Result<PageInfo> read_page_header(std::string_view bytes) {
    PageInfo page;
    std::int64_t uncompressed = -1;
    std::int64_t compressed = -1;
    std::int64_t values = -1;
    CompactReader in(bytes);
    for (ThriftField at; in.next(at);) {
        const bool is_sort = at.number == field::kDataHeader || at.number == field::kDictionaryHeader;
        if (is_sort && at.type == ThriftType::kStruct) {
            for (ThriftField within; in.next(within);) {
                switch (within.number) {
                    case field::kDataValues: values = in.integer(within.type); break;
                    case field::kDataEncoding: page.encoding = static_cast<std::int32_t>(in.integer(within.type)); break;
                    default: in.skip(within.type);
                }
            }
            continue;
        }
        switch (at.number) {
            case field::kPageType: page.type = static_cast<std::int32_t>(in.integer(at.type)); break;
            case field::kPageUncompressed: uncompressed = in.integer(at.type); break;
            case field::kPageCompressed: compressed = in.integer(at.type); break;
            default: in.skip(at.type);
        }
    }
    const auto is_size = [](std::int64_t size) { return size >= 0 && size <= kMaxPageBytes; };
    if (in.is_bad() || !is_size(uncompressed) || !is_size(compressed)) return damaged("a page's header makes no sense");
    page.uncompressed = static_cast<std::size_t>(uncompressed);
    page.compressed = static_cast<std::size_t>(compressed);
    page.header = in.at();
    const bool is_known = page.type == static_cast<std::int32_t>(PageType::kData) ||
                          page.type == static_cast<std::int32_t>(PageType::kDictionary);
    if (!is_known)
        return damaged("it has pages of type " + std::to_string(page.type) +
                       "; read are data pages of version 1 and dictionaries");
    if (values < 0 || values > kMaxGroupRows) return damaged("a page's header makes no sense");
    page.values = static_cast<std::size_t>(values);
    return page;
}

}  // namespace sla::formats::parquet
