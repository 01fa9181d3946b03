// What a Parquet file says of itself at its end, as far as we read it. From outside: sizes are held against the file's, columns
// must be flat.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/parquet/layout.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats::parquet {

struct ColumnInfo {
    std::string name;
    std::int32_t type = 0;
    bool is_optional = false;
};

struct ChunkInfo {
    std::int32_t codec = 0;
    std::int64_t at = 0;  // of its first page
    std::int64_t size = 0;
    std::int64_t values = 0;
    // Bounds of the values as they lie in pages; empty: the file does not say.
    std::string least;
    std::string most;
};

struct GroupInfo {
    std::int64_t rows = 0;
    std::vector<ChunkInfo> chunks;  // as the columns
};

struct FileInfo {
    std::vector<ColumnInfo> columns;
    std::vector<GroupInfo> groups;
    std::int64_t rows = 0;
    std::map<std::string, std::string, std::less<>> key_values;

    // SIZE_MAX: there is none.
    [[nodiscard]] std::size_t column_named(std::string_view name) const;
};

struct PageInfo {
    std::int32_t type = -1;
    std::size_t uncompressed = 0;
    std::size_t compressed = 0;
    std::size_t values = 0;
    std::int32_t encoding = -1;
    std::size_t header = 0;  // bytes of it
};

// Of the bytes between the row groups and the length at the end; `file_size` bounds what it may name.
Result<FileInfo> read_metadata(std::string_view bytes, std::int64_t file_size);
// Of a page's first bytes.
Result<PageInfo> read_page_header(std::string_view bytes);

}  // namespace sla::formats::parquet
