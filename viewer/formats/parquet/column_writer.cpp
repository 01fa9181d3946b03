#include "viewer/formats/parquet/column_writer.h"

#include "viewer/formats/parquet/packing.h"
#include "viewer/formats/parquet/thrift.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace sla::formats::parquet {

namespace {

constexpr std::size_t kLargeDictionary = std::size_t{1} << 20;
constexpr std::size_t kLongBound = 64;  // a longer text is not written as a bound

void put_fixed(std::uint64_t number, unsigned bytes, std::string& out) {
    for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
}

// As this machine has them: the lowest byte first.
void put_fixed(std::span<const std::uint64_t> numbers, std::string& out) {
    static_assert(std::endian::native == std::endian::little);
    out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void put_plain_text(std::string_view text, std::string& out) {
    put_fixed(text.size(), 4, out);
    out += text;
}

struct PageSizes {
    std::int64_t uncompressed = 0;  // with the header
    std::int64_t compressed = 0;
};

void put_header(PageType type, const PageSizes& sizes, std::int32_t values, Encoding encoding, std::string& out) {
    CompactWriter header(out);
    header.int32(field::kPageType, static_cast<std::int32_t>(type));
    header.int32(field::kPageUncompressed, static_cast<std::int32_t>(sizes.uncompressed));
    header.int32(field::kPageCompressed, static_cast<std::int32_t>(sizes.compressed));
    header.begin_struct(type == PageType::kData ? field::kDataHeader : field::kDictionaryHeader);
    header.int32(field::kDataValues, values);
    header.int32(field::kDataEncoding, static_cast<std::int32_t>(encoding));
    if (type == PageType::kData) {
        header.int32(field::kDefinitionEncoding, static_cast<std::int32_t>(Encoding::kRuns));
        header.int32(field::kRepetitionEncoding, static_cast<std::int32_t>(Encoding::kRuns));
    }
    header.end_struct();
    header.end_struct();
}

Result<PageSizes> put_page(PageType type, std::string_view page, std::int64_t values, Encoding encoding, PageCodec& codec,
                           std::string& out) {
    if (page.size() > INT32_MAX / 2) return invalid_input("texts of one row group are too long for a Parquet page");
    const auto compressed = codec.compress(page);
    if (!compressed.ok()) return compressed.error();
    const auto size = static_cast<std::int64_t>(compressed->size());
    const std::size_t begin = out.size();
    put_header(type, {static_cast<std::int64_t>(page.size()), size}, static_cast<std::int32_t>(values), encoding, out);
    const auto header = static_cast<std::int64_t>(out.size() - begin);
    out += *compressed;
    return PageSizes{header + static_cast<std::int64_t>(page.size()), header + size};
}

std::string plain(std::uint64_t bits) {
    std::string out;
    put_fixed(bits, sizeof bits, out);
    return out;
}

}  // namespace

// Texts that hardly repeat are shorter as they stand.
bool ColumnWriter::is_dictionary() const {
    if (physical_of(spec_.meaning) != Physical::kBytes || texts_.empty()) return false;
    return spec_.meaning == Meaning::kName || texts_.cost() <= kLargeDictionary || texts_.size() * 2 <= values_.size();
}

Encoding ColumnWriter::encoding() const {
    if (is_dictionary()) return Encoding::kDictionary;
    return physical_of(spec_.meaning) == Physical::kInt64 ? Encoding::kDeltas : Encoding::kPlain;
}

void ColumnWriter::put_values(std::string& page) const {
    switch (encoding()) {
        case Encoding::kDictionary: {
            const unsigned width = std::max(1U, bit_width(texts_.empty() ? 0 : texts_.size() - 1));
            page += static_cast<char>(width);
            return put_runs(values_, width, page);
        }
        case Encoding::kDeltas: return put_deltas(values_, page);
        default:
            if (physical_of(spec_.meaning) == Physical::kBytes) {
                for (const std::uint64_t value : values_) put_plain_text(texts_[value], page);
            } else {
                put_fixed(values_, page);
            }
    }
}

void ColumnWriter::put_bounds(ChunkMetadata& chunk) const {
    if (values_.empty()) return;
    if (spec_.meaning == Meaning::kInteger) {
        const auto less = [](std::uint64_t a, std::uint64_t b) {
            return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
        };
        const auto [least, most] = std::minmax_element(values_.begin(), values_.end(), less);
        chunk.least = plain(*least);
        chunk.most = plain(*most);
    } else if (spec_.meaning == Meaning::kUnsigned) {
        const auto [least, most] = std::minmax_element(values_.begin(), values_.end());
        chunk.least = plain(*least);
        chunk.most = plain(*most);
    } else if (spec_.meaning == Meaning::kReal) {
        double least = HUGE_VAL;
        double most = -HUGE_VAL;
        for (const std::uint64_t value : values_) {
            const auto number = std::bit_cast<double>(value);
            if (std::isnan(number)) return;  // bounds say nothing of what is not a number: then none are written
            least = std::min(least, number);
            most = std::max(most, number);
        }
        // Of two zeros either may stand for both.
        chunk.least = plain(std::bit_cast<std::uint64_t>(least == 0 ? -0.0 : least));
        chunk.most = plain(std::bit_cast<std::uint64_t>(most == 0 ? 0.0 : most));
    } else {
        std::string_view least = texts_[0];
        std::string_view most = least;
        for (std::size_t i = 1; i < texts_.size(); ++i) {
            least = std::min(least, texts_[i]);
            most = std::max(most, texts_[i]);
        }
        if (least.size() <= kLongBound) chunk.least = least;
        if (most.size() <= kLongBound) chunk.most = most;
    }
}

Result<void> ColumnWriter::put_dictionary(ChunkMetadata& chunk, PageCodec& codec, std::string& out) const {
    std::string& page = codec.page();
    for (std::size_t i = 0; i < texts_.size(); ++i) put_plain_text(texts_[i], page);
    const auto sizes =
        put_page(PageType::kDictionary, page, static_cast<std::int64_t>(texts_.size()), Encoding::kPlain, codec, out);
    if (!sizes.ok()) return sizes.error();
    chunk.uncompressed += sizes->uncompressed;
    chunk.compressed += sizes->compressed;
    return {};
}

Result<ChunkMetadata> ColumnWriter::flush(PageCodec& codec, std::string& out) {
    ChunkMetadata chunk;
    chunk.encoding = encoding();
    chunk.nulls = nulls_;
    chunk.values = static_cast<std::int64_t>(values_.size()) + nulls_;
    chunk.has_dictionary = is_dictionary();
    chunk.at = static_cast<std::int64_t>(out.size());
    put_bounds(chunk);
    if (chunk.has_dictionary) {
        if (auto put = put_dictionary(chunk, codec, out); !put.ok()) return put.error();
    }
    chunk.data_at = static_cast<std::int64_t>(out.size());
    std::string& page = codec.page();
    if (spec_.is_optional) {
        page.resize(4);
        put_runs(levels_, 1, page);
        const auto size = static_cast<std::uint32_t>(page.size() - 4);
        for (unsigned i = 0; i < 4; ++i) page[i] = static_cast<char>(size >> (8 * i));
    }
    put_values(page);
    const auto sizes = put_page(PageType::kData, page, chunk.values, chunk.encoding, codec, out);
    if (!sizes.ok()) return sizes.error();
    chunk.uncompressed += sizes->uncompressed;
    chunk.compressed += sizes->compressed;
    values_.clear();
    levels_.clear();
    nulls_ = 0;
    texts_.clear();
    return chunk;
}

}  // namespace sla::formats::parquet
