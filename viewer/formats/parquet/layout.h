// Words of the Parquet file format, as its specification (parquet-format, parquet.thrift) numbers them, and what our columns
// are. A file:
//
//   PAR1 │ row group: a chunk a column, of a dictionary page and a data page each │ … │ metadata (Thrift) │ its length │ PAR1
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sla::formats::parquet {

inline constexpr std::string_view kMagic = "PAR1";

enum class Physical : std::int32_t { kInt64 = 2, kDouble = 5, kBytes = 6 };
enum class Encoding : std::int32_t { kPlain = 0, kPlainDictionary = 2, kRuns = 3, kDeltas = 5, kDictionary = 8 };
enum class Codec : std::int32_t { kNone = 0, kZstd = 6 };
enum class PageType : std::int32_t { kData = 0, kDictionary = 2 };

// What a column is to people.
enum class Meaning : std::uint8_t { kInteger, kUnsigned, kReal, kName, kText };
constexpr Physical physical_of(Meaning meaning) {
    if (meaning == Meaning::kInteger || meaning == Meaning::kUnsigned) return Physical::kInt64;
    return meaning == Meaning::kReal ? Physical::kDouble : Physical::kBytes;
}

struct ColumnSpec {
    const char* name;
    Meaning meaning;
    bool is_optional;  // a row may have nothing there
};

// Numbers of fields within the structs of the metadata.
namespace field {
enum FileMetadata { kVersion = 1, kSchema, kRows, kRowGroups, kKeyValues, kCreatedBy, kColumnOrders };
enum SchemaElement { kType = 1, kRepetition = 3, kName, kChildren, kConverted, kLogical = 10 };
enum RowGroup { kColumns = 1, kTotalBytes, kGroupRows, kSorting, kGroupOffset, kGroupCompressed };
enum ColumnChunk { kChunkOffset = 2, kMetadata };
enum ColumnMetadata {
    kColumnType = 1,
    kEncodings,
    kPath,
    kCodec,
    kValues,
    kUncompressed,
    kCompressed,
    kDataPage = 9,
    kDictionaryPage = 11,
    kStatistics
};
enum Statistics { kNullCount = 3, kMaxValue = 5, kMinValue };
enum PageHeader { kPageType = 1, kPageUncompressed, kPageCompressed, kDataHeader = 5, kDictionaryHeader = 7 };
enum DataHeader { kDataValues = 1, kDataEncoding, kDefinitionEncoding, kRepetitionEncoding };
}  // namespace field

}  // namespace sla::formats::parquet
