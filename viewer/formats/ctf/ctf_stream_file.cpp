#include "viewer/formats/ctf/ctf_stream_file.h"

#include "viewer/formats/ctf/ctf_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxPacketBytes = std::size_t{64} << 20;
constexpr std::size_t kEventHeadBytes = 1 + 8;  // id, tick

struct CloseStreamFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<bool> CtfStreamFile::find_event() {
    while (packet_left_ == 0) {
        if (auto filled = fill(kCtfHeadBytes); !filled.ok()) return filled.error();
        if (here() == 0) return false;
        if (auto entered = enter_packet(); !entered.ok()) return entered.error();
    }
    const std::size_t wanted = std::min(packet_left_, kEventHeadBytes);
    if (auto filled = fill(wanted); !filled.ok()) return filled.error();
    if (here() < wanted) return wrong("a packet is cut off");
    CtfCursor cursor(rest());
    cursor.number<std::uint8_t>();
    tick_ = cursor.number<std::uint64_t>();
    return true;
}

Result<bool> CtfStreamFile::read_on() {
    const std::size_t before = here();
    if (before >= packet_left_) return false;
    if (auto filled = fill(std::min(packet_left_, 2 * before + 1)); !filled.ok()) return filled.error();
    if (here() == before) return wrong("a packet is cut off");
    return true;
}

Result<void> CtfStreamFile::enter_packet() {
    CtfCursor cursor(std::string_view(buffer_).substr(taken_));
    const auto magic = cursor.number<std::uint32_t>();
    stream_ = cursor.number<std::uint32_t>();
    cursor.number<std::uint64_t>();  // begin
    cursor.number<std::uint64_t>();  // end
    const auto bits = cursor.number<std::uint64_t>();
    const auto packet_bits = cursor.number<std::uint64_t>();
    cursor.number<std::uint64_t>();  // discarded
    if (cursor.bad() || magic != kCtfMagic) return wrong("no packet begins here");
    if (bits % 8 != 0 || bits != packet_bits || bits / 8 < kCtfHeadBytes || bits / 8 > kMaxPacketBytes)
        return wrong("the size of a packet makes no sense");
    taken_ += kCtfHeadBytes;
    packet_left_ = bits / 8 - kCtfHeadBytes;
    return {};
}

Result<void> CtfStreamFile::fill(std::size_t wanted) {
    if (here() >= wanted || at_end_) return {};
    const std::unique_ptr<std::FILE, CloseStreamFile> file(std::fopen(path_.c_str(), "rbe"));
    if (!file || fseeko(file.get(), static_cast<off_t>(read_), SEEK_SET) != 0)
        return system_error("cannot open '" + path_ + "'", errno);
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    std::string bytes = buffer_.substr(taken_);
    const std::size_t before = bytes.size();
    bytes.resize(std::max(block_, wanted));
    const std::size_t got = std::fread(bytes.data() + before, 1, bytes.size() - before, file.get());
    if (std::ferror(file.get()) != 0) return system_error("cannot read '" + path_ + "'", errno);
    at_end_ = before + got < bytes.size();
    bytes.resize(before + got);
    buffer_ = std::move(bytes);
    taken_ = 0;
    read_ += got;
    return {};
}

Error CtfStreamFile::wrong(const std::string& what) const {
    return damaged("stream '" + std::filesystem::path(path_).filename().string() + "', byte " +
                   std::to_string(read_ - here()) + ": " + what);
}

}  // namespace sla::formats
