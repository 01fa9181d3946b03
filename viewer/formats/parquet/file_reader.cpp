#include "viewer/formats/parquet/file_reader.h"

#include "proto/wire/batch_codec.h"
#include "viewer/formats/parquet/unpacking.h"

#include <zstd.h>

#include <algorithm>
#include <utility>

namespace sla::formats::parquet {

// The pages of one chunk become values.
class ChunkDecoder {
public:
    ChunkDecoder(const ColumnInfo& column, const ChunkInfo& chunk, std::size_t& space)
        : column_(column), chunk_(chunk), space_(space) {}

    Result<ColumnValues> decode(std::string_view bytes) {
        while (rows_ < static_cast<std::size_t>(chunk_.values)) {
            const auto page = read_page_header(bytes);
            if (!page.ok()) return page.error();
            bytes.remove_prefix(page->header);
            if (bytes.size() < page->compressed) return damaged("a page ends behind its column chunk");
            if (auto taken = take_page(*page, bytes.substr(0, page->compressed)); !taken.ok()) return taken.error();
            bytes.remove_prefix(page->compressed);
        }
        return std::move(values_);
    }

private:
    Result<void> take_page(const PageInfo& page, std::string_view bytes) {
        const bool is_packed = chunk_.codec != static_cast<std::int32_t>(Codec::kNone);
        const std::size_t size = is_packed ? page.uncompressed : page.compressed;
        if (size > space_)
            return damaged("a row group unpacks to more than " + std::to_string(FileReader::kGroupBytes >> 20) +
                           " MiB; make the file anew with smaller row groups");
        space_ -= size;
        if (chunk_.codec == static_cast<std::int32_t>(Codec::kZstd)) {
            unpacked_.resize(page.uncompressed);
            const std::size_t got = ZSTD_decompress(unpacked_.data(), unpacked_.size(), bytes.data(), bytes.size());
            if (ZSTD_isError(got) != 0 || got != unpacked_.size()) return damaged("a page cannot be unpacked");
            bytes = unpacked_;
        } else if (is_packed) {
            return damaged("it is packed by codec " + std::to_string(chunk_.codec) + " of Parquet; read are zstd and none");
        }
        return page.type == static_cast<std::int32_t>(PageType::kDictionary) ? take_dictionary(page, bytes)
                                                                             : take_data(page, bytes);
    }

    Result<void> take_dictionary(const PageInfo& page, std::string_view bytes) {
        if (!dictionary_.empty()) return damaged("a column chunk has two dictionaries");
        return take_plain(page.values, bytes, dictionary_) ? Result<void>() : damaged("a dictionary makes no sense");
    }

    // Texts go behind those that are there already, and stand by their places. What no event has room for is cut off.
    bool take_plain(std::size_t count, std::string_view bytes, std::vector<std::uint64_t>& out) {
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_text = column_.type == static_cast<std::int32_t>(Physical::kBytes);
            auto number = take_fixed(bytes, is_text ? 4 : 8);
            if (!number) return false;
            if (is_text) {
                if (*number > bytes.size()) return false;
                const auto size = static_cast<std::size_t>(*number);
                number = values_.texts_.size();
                values_.texts_.emplace_back(bytes.substr(0, std::min(size, wire::kMaxTextBytes)));
                bytes.remove_prefix(size);
            }
            out.push_back(*number);
        }
        return true;
    }

    bool take_indices(std::size_t count, std::string_view bytes, std::vector<std::uint64_t>& out) const {
        const auto width = take_fixed(bytes, 1);
        if (!width || !take_runs(bytes, static_cast<unsigned>(*width), count, out)) return false;
        for (std::uint64_t& number : out) {
            if (number >= dictionary_.size()) return false;
            number = dictionary_[static_cast<std::size_t>(number)];
        }
        return true;
    }

    Result<void> take_data(const PageInfo& page, std::string_view bytes) {
        if (page.values == 0 || page.values > static_cast<std::size_t>(chunk_.values) - rows_)
            return damaged("pages of a column chunk have not a value for each row");
        rows_ += page.values;
        std::vector<std::uint64_t> levels;
        if (column_.is_optional) {
            const auto size = take_fixed(bytes, 4);
            if (!size || *size > bytes.size() ||
                !take_runs(bytes.substr(0, static_cast<std::size_t>(*size)), 1, page.values, levels))
                return damaged("which rows of a column have values makes no sense");
            bytes.remove_prefix(static_cast<std::size_t>(*size));
        }
        const std::size_t count = column_.is_optional
                                      ? static_cast<std::size_t>(std::count(levels.begin(), levels.end(), std::uint64_t{1}))
                                      : page.values;
        std::vector<std::uint64_t> numbers;
        bool is_good = false;
        switch (static_cast<Encoding>(page.encoding)) {
            case Encoding::kPlain: is_good = take_plain(count, bytes, numbers); break;
            case Encoding::kPlainDictionary:
            case Encoding::kDictionary: is_good = take_indices(count, bytes, numbers); break;
            case Encoding::kDeltas:
                is_good = column_.type == static_cast<std::int32_t>(Physical::kInt64) && take_deltas(bytes, count, numbers);
                break;
            default: return damaged("it has values of encoding " + std::to_string(page.encoding) + ", which is not read");
        }
        if (!is_good) return damaged("values of column '" + column_.name + "' make no sense");
        add(levels, numbers);
        return {};
    }

    void add(const std::vector<std::uint64_t>& levels, const std::vector<std::uint64_t>& numbers) {
        if (!column_.is_optional) {
            values_.numbers_.insert(values_.numbers_.end(), numbers.begin(), numbers.end());
            return;
        }
        std::size_t next = 0;
        for (const std::uint64_t level : levels) {
            values_.present_.push_back(level == 1 ? 1 : 0);
            values_.numbers_.push_back(level == 1 ? numbers[next++] : 0);
        }
    }

    const ColumnInfo& column_;
    const ChunkInfo& chunk_;
    std::size_t& space_;
    ColumnValues values_;
    std::vector<std::uint64_t> dictionary_;
    std::string unpacked_;
    std::size_t rows_ = 0;
};

Result<FileReader> FileReader::open(const std::string& path) {
    constexpr std::int64_t kTail = 8;  // length, "PAR1"
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) return system_error("cannot read '" + path + "'", errno);
    const auto size = static_cast<std::int64_t>(in.tellg());
    std::string tail(kTail, '\0');
    in.seekg(std::max<std::int64_t>(size - kTail, 0));
    if (size < kTail + 4 || !in.read(tail.data(), kTail) || !tail.ends_with(kMagic))
        return damaged("it does not end as a Parquet file does; is it whole?");
    std::string_view rest = tail;
    const auto length = static_cast<std::int64_t>(*take_fixed(rest, 4));
    if (length > size - kTail - 4) return damaged("its metadata would be longer than the file");
    std::string metadata(static_cast<std::size_t>(length), '\0');
    in.seekg(size - kTail - length);
    if (!in.read(metadata.data(), length)) return system_error("cannot read '" + path + "'", errno);
    auto info = read_metadata(metadata, size - kTail - length);
    if (!info.ok()) return info.error();
    return FileReader(std::move(in), std::move(*info));
}

Result<ColumnValues> FileReader::read(std::size_t group, std::size_t column, std::size_t& space) {
    const ChunkInfo& chunk = info_.groups[group].chunks[column];
    std::string bytes(static_cast<std::size_t>(chunk.size), '\0');
    in_.clear();
    in_.seekg(chunk.at);
    if (!in_.read(bytes.data(), chunk.size)) return damaged("a column chunk cannot be read");
    return ChunkDecoder(info_.columns[column], chunk, space).decode(bytes);
}

}  // namespace sla::formats::parquet
