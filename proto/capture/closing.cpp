#include "proto/capture/closing.h"

#include <fmt/format.h>

#include <array>

namespace sla::capture {
namespace {

bool has_chunk_behind_header(const File& file) {
    std::array<char, kChunkHeaderBytes> bytes;
    return decode_chunk_header({bytes.data(), file.read_at(kFileHeaderBytes, bytes.data(), bytes.size())}).has_value();
}

}  // namespace

Result<std::optional<std::uint32_t>> check_file_header(const File& file) {
    if (file.bytes() == 0) return damaged("'" + file.path() + "' is empty: nothing was recorded into it");
    std::array<char, kFileHeaderBytes> bytes;
    const std::string_view header(bytes.data(), file.read_at(0, bytes.data(), bytes.size()));
    if (const std::optional<std::uint32_t> version = decode_file_header(header)) {
        if (*version >= kOldestVersion && *version <= kFormatVersion) return version;
        return damaged(fmt::format("'{}' is a capture of version {}, this program reads version {}; use a newer program",
                                   file.path(), *version, kFormatVersion));
    }
    if (has_chunk_behind_header(file)) return std::optional<std::uint32_t>();
    const std::string_view magic = kFileMagic.substr(0, header.size());
    if (header.starts_with(magic) && header.size() < kFileHeaderBytes) {
        return damaged("'" + file.path() + "' is cut off within its header: nothing was recorded into it");
    }
    return damaged("'" + file.path() + "' is not a capture: it does not begin like one (sla record makes them)");
}

std::optional<ClosingMark> read_closing_mark(const File& file) {
    if (file.bytes() < kFileHeaderBytes + kClosingMarkBytes) return std::nullopt;
    std::array<char, kClosingMarkBytes> bytes;
    return decode_closing_mark({bytes.data(), file.read_at(file.bytes() - bytes.size(), bytes.data(), bytes.size())});
}

}  // namespace sla::capture
