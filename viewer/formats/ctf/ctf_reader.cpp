// CTF traces of `sla export`: one stream file a channel, packets as drawn in ctf_stream.h.
#include "proto/base/whole_file.h"
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/ctf/ctf_stream.h"
#include "viewer/formats/ctf/ctf_stream_file.h"
#include "viewer/formats/ctf/metadata_reader.h"
#include "viewer/formats/lines.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/source_facts.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <queue>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxMetadataBytes = std::size_t{64} << 20;

// An event as it stands in the file.
struct CtfEvent {
    std::uint8_t id = 0;
    std::uint32_t thread = 0;
    SinkEvent event;
    wire::RowExtra extra;
};

// A text and a loss have no text besides.
bool is_known_id(std::uint8_t id) {
    const auto code = static_cast<std::uint8_t>(id & (kCtfDetails - 1));
    const bool has_text = (id & kCtfText) != 0;
    return id < kCtfIds && wire::is_known_code(code) && !(has_text && (code == SLA_CODE_TEXT || code == SLA_CODE_GAP));
}

// Of an id that events have.
void read_event_fields(CtfCursor& cursor, CtfEvent& out) {
    SinkEvent& event = out.event;
    if (event.code == SLA_CODE_TEXT) {
        out.extra.text = cursor.text();
    } else if (event.code == SLA_CODE_LEVEL) {
        event.value = cursor.number<std::uint8_t>();
    } else if (wire::has_value(event.code)) {
        event.value = cursor.number<std::uint64_t>();
    }
    if (event.code == SLA_CODE_GAP) {
        out.extra.until_tick = std::min(cursor.number<std::uint64_t>(), SLA_TICK_MASK);
        const auto cause = cursor.number<std::uint8_t>();
        if (cause <= static_cast<std::uint8_t>(wire::kLastLossCause)) out.extra.cause = static_cast<wire::LossCause>(cause);
    }
    if ((out.id & kCtfText) != 0) out.extra.text = cursor.text();
    if ((out.id & kCtfDetails) == 0) return;
    out.extra.detail[0] = cursor.number<std::uint64_t>();
    out.extra.detail[1] = cursor.number<std::uint64_t>();
}

class CtfImport {
public:
    CtfImport(CtfMetadata metadata, CaptureSink& sink) : metadata_(std::move(metadata)), sink_(sink) {
        sink_.set_clock(metadata_.clock);
        read_source_facts(metadata_.sources, sink_);
    }

    Result<void> declare() {
        for (const auto& [number, channel] : metadata_.channels) {
            const std::uint32_t source = sink_.source(channel.source, channel.pid);
            const auto id = sink_.channel(source, channel.name, channel.format);
            if (!id.ok()) return id.error();
            lanes_[number] = {source, *id};
        }
        return {};
    }

    // The event that the file stands at.
    Result<void> take_event(CtfStreamFile& file) {
        const auto lane = lanes_.find(file.stream());
        if (lane == lanes_.end())
            return damaged("a packet is of stream " + std::to_string(file.stream()) + ", which has no channel");
        while (true) {
            CtfCursor cursor(file.rest());
            CtfEvent event;
            event.id = cursor.number<std::uint8_t>();
            event.event.tick = cursor.number<std::uint64_t>();
            event.thread = cursor.number<std::uint32_t>();
            event.event.code = event.id & (kCtfDetails - 1);
            if (!is_known_id(event.id))
                return damaged("an event has the id " + std::to_string(event.id) + ", which no event has");
            read_event_fields(cursor, event);
            if (!cursor.bad()) {
                file.take(cursor.at());
                return put(lane->second, std::move(event));
            }
            const auto more = file.read_on();
            if (!more.ok()) return more.error();
            if (!*more) return damaged("an event goes beyond the end of its packet");
        }
    }

private:
    struct Lane {
        std::uint32_t source = 0;
        std::uint32_t channel = 0;
    };

    Result<void> put(const Lane& lane, CtfEvent read) {
        SinkEvent& event = read.event;
        event.thread = thread(lane.source, read.thread);
        const bool plain = read.id < kCtfDetails && event.code != SLA_CODE_TEXT && event.code != SLA_CODE_GAP;
        return plain ? sink_.put(lane.channel, event) : sink_.put(lane.channel, event, std::move(read.extra));
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

Result<std::vector<std::string>> stream_files(const std::string& directory) {
    std::error_code error;
    std::vector<std::string> files;
    for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
        std::error_code unknown;
        const std::string name = at->path().filename();
        if (name != "metadata" && !name.starts_with(".") && at->is_regular_file(unknown)) files.push_back(at->path());
    }
    if (error) return unavailable("cannot list '" + directory + "': " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

// What is more than was written another program has added, in packets.
Result<void> check_size(const std::string& path, const std::string& file, const CtfChannel& channel) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error) return unavailable("cannot look at '" + path + "': " + error.message());
    if (!channel.bytes || bytes >= *channel.bytes) return {};
    return damaged(file + ", of '" + channel.name + "', has " + std::to_string(bytes) + " of its " +
                   std::to_string(*channel.bytes) + " bytes: it was cut off");
}

// A channel whose file is not there is noted, one whose file is none or was cut off is an error.
Result<void> check_channel_files(const std::string& directory, const CtfMetadata& metadata, Notes& notes) {
    for (const auto& [id, channel] : metadata.channels) {
        std::error_code error;
        const std::string file = "channel_" + std::to_string(id);
        const auto status = std::filesystem::status(directory + "/" + file, error);
        if (status.type() == std::filesystem::file_type::not_found) {
            notes.push_back("there is no " + file + ", of '" + channel.name + "': its events are missing");
        } else if (error) {
            return unavailable("cannot look at '" + directory + "/" + file + "': " + error.message());
        } else if (!std::filesystem::is_regular_file(status)) {
            return damaged(file + ", of '" + channel.name + "', is no file");
        } else if (auto whole = check_size(directory + "/" + file, file, channel); !whole.ok()) {
            return whole;
        }
    }
    return {};
}

// Streams are lanes, and packets of theirs overlap: an event at a time is read of the one that lags most, so that they come in
// order however many there are.
class SideBySide {
public:
    SideBySide(CtfImport& import, const std::vector<std::string>& files) : import_(import) {
        constexpr std::size_t kOfAll = std::size_t{64} << 20;
        const std::size_t block =
            std::clamp(kOfAll / std::max<std::size_t>(files.size(), 1), std::size_t{4} << 10, std::size_t{256} << 10);
        for (const std::string& file : files) files_.emplace_back(file, block);
    }

    Result<void> read(const Progress& progress) {
        for (std::size_t i = 0; i < files_.size(); ++i) {
            if (auto queued = queue(i); !queued.ok()) return queued;
        }
        constexpr std::uint64_t kEventsPerLook = 1 << 14;
        for (std::uint64_t events = 0; !waiting_.empty(); ++events) {
            if (events % kEventsPerLook == 0 && progress && !progress(bytes_read(), 0)) return import_stopped();
            const std::size_t next = waiting_.top().second;
            waiting_.pop();
            if (auto taken = import_.take_event(files_[next]); !taken.ok()) return taken;
            if (auto queued = queue(next); !queued.ok()) return queued;
        }
        return {};
    }

private:
    [[nodiscard]] std::uint64_t bytes_read() const {
        std::uint64_t bytes = 0;
        for (const CtfStreamFile& file : files_) bytes += file.bytes_read();
        return bytes;
    }
    Result<void> queue(std::size_t file) {
        const auto found = files_[file].find_event();
        if (!found.ok()) return found.error();
        if (*found) waiting_.emplace(files_[file].tick(), file);
        return {};
    }

    using Place = std::pair<std::uint64_t, std::size_t>;  // tick, file
    CtfImport& import_;
    std::deque<CtfStreamFile> files_;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> waiting_;
};

}  // namespace

Result<void> import_ctf(const std::string& directory, CaptureSink& sink, Notes& notes, const Progress& progress) {
    const Result<std::string> text = read_whole_file(directory + "/metadata", kMaxMetadataBytes);
    if (!text.ok()) return text.error();
    auto metadata = parse_ctf_metadata(*text);
    if (!metadata.ok()) return metadata.error();
    const auto files = stream_files(directory);
    if (!files.ok()) return files.error();
    if (auto checked = check_channel_files(directory, *metadata, notes); !checked.ok()) return checked;
    CtfImport import(std::move(metadata).value(), sink);
    if (auto declared = import.declare(); !declared.ok()) return declared;
    return SideBySide(import, *files).read(progress);
}

}  // namespace sla::formats
