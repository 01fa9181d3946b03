#include "viewer/formats/perfetto/perfetto_packets.h"

#include "viewer/formats/conversion.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::uint64_t kMaxPacketBytes = std::uint64_t{64} << 20;

// False: they are damaged, or too many.
bool inflate_packets(const std::string& compressed, std::string& out) {
    constexpr std::size_t kPiece = std::size_t{1} << 18;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return false;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    stream.avail_in = static_cast<uInt>(compressed.size());
    int state = Z_OK;
    while (state == Z_OK && out.size() <= kMaxPacketBytes) {
        const std::size_t before = out.size();
        out.resize(before + kPiece);
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
        stream.avail_out = static_cast<uInt>(kPiece);
        state = inflate(&stream, Z_NO_FLUSH);
        out.resize(before + kPiece - stream.avail_out);
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END && out.size() <= kMaxPacketBytes;
}

}  // namespace

bool begins_compressed(std::string_view head) {
    if (head.empty() || head.front() != kPerfettoTag) return false;
    head.remove_prefix(1);
    while (!head.empty() && (head.front() & 0x80) != 0) head.remove_prefix(1);
    return head.size() > 1 && head.substr(1).starts_with("\x92\x03");  // its length, and the tag of compressed_packets
}

struct PerfettoPackets::Unpacked {
    explicit Unpacked(std::string bytes) : stream(std::move(bytes)) {}
    std::istringstream stream;
    PerfettoPackets packets{stream};
};

bool PerfettoPackets::next(sla::perfetto::TracePacket& packet) {
    while (true) {
        if (unpacked_ && unpacked_->packets.next_as_it_stands(packet)) return true;
        if (unpacked_ && unpacked_->packets.problem()) return fail("packets that were compressed cannot be read");
        unpacked_.reset();
        if (!next_as_it_stands(packet)) return false;
        if (packet.compressed_packets().empty()) return true;
        if (!unpack(packet.compressed_packets())) return false;
    }
}

bool PerfettoPackets::unpack(const std::string& compressed) {
    std::string bytes;
    if (!inflate_packets(compressed, bytes)) return fail("compressed packets cannot be unpacked");
    unpacked_ = std::make_shared<Unpacked>(std::move(bytes));
    return true;
}

bool PerfettoPackets::next_as_it_stands(sla::perfetto::TracePacket& packet) {
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
