// CTF traces of `sla export`: one stream file a channel, packets as drawn in ctf_stream.h.
#include "proto/base/whole_file.h"
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/ctf/ctf_stream.h"
#include "viewer/formats/ctf/metadata_reader.h"
#include "viewer/formats/lines.h"
#include "viewer/formats/number_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxPacketBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxMetadataBytes = std::size_t{64} << 20;
constexpr std::uint8_t kDetails = 16;

// Little-endian words of one packet; a read beyond its end makes it bad for good.
class Cursor {
public:
    explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
    template <typename T>
    T number() {
        if (bytes_.size() - at_ < sizeof(T)) bad_ = true;
        T out = 0;
        for (std::size_t i = 0; !bad_ && i < sizeof(T); ++i)
            out =
                static_cast<T>(out | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i)));
        at_ += bad_ ? 0 : sizeof(T);
        return out;
    }
    std::string text() {
        const std::size_t end = bytes_.find('\0', at_);
        if (end == std::string_view::npos) {
            bad_ = true;
            return {};
        }
        std::string out(bytes_.substr(at_, end - at_));
        at_ = end + 1;
        return out;
    }
    [[nodiscard]] bool bad() const { return bad_; }
    [[nodiscard]] bool done() const { return at_ == bytes_.size(); }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool bad_ = false;
};

class CtfImport {
public:
    CtfImport(CtfMetadata metadata, CaptureSink& sink) : metadata_(std::move(metadata)), sink_(sink) {
        sink_.set_clock(metadata_.clock);
    }

    Result<void> declare() {
        for (const auto& [number, channel] : metadata_.channels) {
            const std::uint32_t source = sink_.source(channel.source);
            const auto id = sink_.channel(source, channel.name, channel.format);
            if (!id.ok()) return id.error();
            lanes_[number] = {source, *id};
        }
        return {};
    }

    Result<void> packet(std::uint32_t stream, std::string_view events) {
        const auto lane = lanes_.find(stream);
        if (lane == lanes_.end())
            return damaged("a packet is of stream " + std::to_string(stream) + ", which has no channel");
        Cursor cursor(events);
        while (!cursor.done()) {
            if (auto put = event(lane->second, cursor); !put.ok()) return put;
        }
        return {};
    }

private:
    struct Lane {
        std::uint32_t source = 0;
        std::uint32_t channel = 0;
    };

    Result<void> event(const Lane& lane, Cursor& cursor) {
        const auto id = cursor.number<std::uint8_t>();
        SinkEvent event;
        event.tick = cursor.number<std::uint64_t>();
        event.thread = thread(lane.source, cursor.number<std::uint32_t>());
        event.code = id & (kDetails - 1);
        if (id >= 2 * kDetails || !wire::is_known_code(event.code))
            return damaged("an event has the id " + std::to_string(id) + ", which no event has");
        wire::Extra extra;
        if (event.code == SLA_CODE_TEXT) {
            extra.text = cursor.text();
        } else if (event.code == SLA_CODE_LEVEL) {
            event.value = cursor.number<std::uint8_t>();
        } else if (wire::has_value(event.code)) {
            event.value = cursor.number<std::uint64_t>();
        }
        if (event.code == SLA_CODE_GAP) {
            extra.until_tick = std::min(cursor.number<std::uint64_t>(), SLA_TICK_MASK);
            const auto cause = cursor.number<std::uint8_t>();
            if (cause <= static_cast<std::uint8_t>(wire::kLastLossCause)) extra.cause = static_cast<wire::LossCause>(cause);
        }
        if ((id & kDetails) != 0) {
            extra.detail[0] = cursor.number<std::uint64_t>();
            extra.detail[1] = cursor.number<std::uint64_t>();
        }
        if (cursor.bad()) return damaged("an event goes beyond the end of its packet");
        const bool plain = id < kDetails && event.code != SLA_CODE_TEXT && event.code != SLA_CODE_GAP;
        return plain ? sink_.put(lane.channel, event) : sink_.put(lane.channel, event, std::move(extra));
    }

    std::uint32_t thread(std::uint32_t source, std::uint32_t number) {
        if (number == 0) return 0;
        const auto [at, fresh] = threads_.try_emplace({source, number}, 0);
        if (!fresh) return at->second;
        const auto named = metadata_.threads.find(number);
        const std::string name = named == metadata_.threads.end() ? std::to_string(number) : named->second;
        const std::size_t slash = name.rfind('/');
        const auto tid =
            read_number<std::uint32_t>(slash == std::string::npos ? name : std::string_view(name).substr(slash + 1));
        const std::string own = tid ? (slash == std::string::npos ? "" : name.substr(0, slash)) : name;
        if (threads_.size() > kMaxThreads) return 0;
        return at->second = sink_.thread(source, own, tid.value_or(0));
    }

    static constexpr std::size_t kMaxThreads = 1 << 20;
    CtfMetadata metadata_;
    CaptureSink& sink_;
    std::map<std::uint32_t, Lane> lanes_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> threads_;
};

Result<std::vector<std::filesystem::path>> stream_files(const std::string& directory) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
        const std::string name = entry.path().filename();
        if (name != "metadata" && !name.starts_with(".") && entry.is_regular_file(error)) files.push_back(entry.path());
    }
    if (error) return unavailable("cannot list '" + directory + "': " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

// Lanes come one after the other, so a trace larger than the window cannot be put into order on the way: the streams are
// read side by side, always on from the one whose packets lag most.
class CtfStreamFile {
public:
    explicit CtfStreamFile(const std::filesystem::path& path) : in_(path, std::ios::binary), name_(path.filename()) {
        advance();
    }

    [[nodiscard]] bool done() const { return !has_; }
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint32_t stream() const { return stream_; }
    [[nodiscard]] std::string_view events() const { return events_; }
    [[nodiscard]] const Result<void>& problem() const { return problem_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    void advance() {
        has_ = false;
        std::string head(kCtfHeadBytes, '\0');
        in_.read(head.data(), static_cast<std::streamsize>(head.size()));
        if (in_.gcount() == 0) return;
        Cursor cursor(head);
        const auto magic = cursor.number<std::uint32_t>();
        stream_ = cursor.number<std::uint32_t>();
        begin_ = cursor.number<std::uint64_t>();
        cursor.number<std::uint64_t>();
        const auto bits = cursor.number<std::uint64_t>();
        const auto packet_bits = cursor.number<std::uint64_t>();
        if (static_cast<std::size_t>(in_.gcount()) < kCtfHeadBytes || magic != kCtfMagic)
            return fail("no packet begins here");
        if (bits % 8 != 0 || bits != packet_bits || bits / 8 < kCtfHeadBytes || bits / 8 > kMaxPacketBytes)
            return fail("the size of a packet makes no sense");
        events_.resize(bits / 8 - kCtfHeadBytes);
        in_.read(events_.data(), static_cast<std::streamsize>(events_.size()));
        if (static_cast<std::size_t>(in_.gcount()) != events_.size()) return fail("a packet is cut off");
        bytes_ += bits / 8;
        has_ = true;
    }

private:
    void fail(const std::string& what) {
        problem_ = damaged("stream '" + name_ + "', byte " + std::to_string(bytes_) + ": " + what);
    }

    std::ifstream in_;
    std::string name_;
    std::string events_;
    std::uint32_t stream_ = 0;
    std::uint64_t begin_ = 0;
    std::uint64_t bytes_ = 0;
    bool has_ = false;
    Result<void> problem_;
};

}  // namespace

Result<void> import_ctf(const std::string& directory, CaptureSink& sink, Notes& notes, const Progress& progress) {
    const Result<std::string> text = read_whole_file(directory + "/metadata", kMaxMetadataBytes);
    if (!text.ok()) return text.error();
    auto metadata = parse_ctf_metadata(*text);
    if (!metadata.ok()) return metadata.error();
    const auto files = stream_files(directory);
    if (!files.ok()) return files.error();
    for (const auto& [id, channel] : metadata->channels) {
        std::error_code ignored;
        const std::string file = "channel_" + std::to_string(id);
        if (!std::filesystem::exists(directory + "/" + file, ignored))
            notes.push_back("there is no " + file + ", of '" + channel.name + "': its events are missing");
    }
    CtfImport import(std::move(metadata).value(), sink);
    if (auto declared = import.declare(); !declared.ok()) return declared;
    std::vector<std::unique_ptr<CtfStreamFile>> streams;
    for (const auto& file : *files) streams.push_back(std::make_unique<CtfStreamFile>(file));
    std::uint64_t done = 0;
    while (true) {
        CtfStreamFile* next = nullptr;
        for (const auto& stream : streams) {
            if (!stream->problem().ok()) return stream->problem();
            if (!stream->done() && (next == nullptr || stream->begin() < next->begin())) next = stream.get();
        }
        if (next == nullptr) return {};
        done += next->events().size();
        if (progress && !progress(done, 0)) return import_stopped();
        if (auto taken = import.packet(next->stream(), next->events()); !taken.ok()) return taken;
        next->advance();
    }
}

}  // namespace sla::formats
