#include "viewer/formats/perfetto/perfetto_packets.h"

#include "viewer/formats/conversion.h"

#include <algorithm>
#include <cerrno>

namespace sla::formats {

bool PerfettoPackets::next(sla::perfetto::TracePacket& packet) {
    constexpr std::uint64_t kMaxPacketBytes = std::uint64_t{64} << 20;
    const int tag = in_.get();
    if (tag == std::istream::traits_type::eof()) {
        if (in_.bad()) problem_ = read_failed(errno);
        return false;
    }
    if (tag != kPerfettoTag) return fail("no packet begins here");
    std::uint64_t size = 0;
    for (int shift = 0;; shift += 7) {
        const int byte = in_.get();
        if (byte == std::istream::traits_type::eof() || shift > 28) return fail("a packet has no length");
        size |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        ++position_;
        if ((byte & 0x80) == 0) break;
    }
    if (size > kMaxPacketBytes) return fail("a packet has " + std::to_string(size) + " bytes");
    if (!read(size)) return fail("the last packet is cut off");
    position_ += size + 1;
    if (!packet.ParseFromString(bytes_)) return fail("a packet cannot be read");
    return true;
}

// In pieces: what the length promises need not be there.
bool PerfettoPackets::read(std::uint64_t size) {
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
    bytes_.clear();
    while (bytes_.size() < size) {
        const std::size_t before = bytes_.size();
        const auto piece = static_cast<std::size_t>(std::min(kPiece, size - before));
        bytes_.resize(before + piece);
        in_.read(bytes_.data() + before, static_cast<std::streamsize>(piece));
        if (static_cast<std::size_t>(in_.gcount()) < piece) return false;
    }
    return true;
}

bool PerfettoPackets::fail(const std::string& what) {
    problem_ = in_.bad() ? read_failed(errno) : damaged("byte " + std::to_string(position_) + ": " + what);
    return false;
}

}  // namespace sla::formats
