// sigrok sessions (version 1 and 2): the logic channels, a level event at every change. Read in blocks; the zip is libzip's.
#include "viewer/formats/lines.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/sr/sr.h"

#include <zip.h>

#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{16} << 20;
constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{1}
                                            << 36;  // unpacked: what a small hostile archive may cost in time

struct CloseZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
};
struct CloseFile {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Zip = std::unique_ptr<zip_t, CloseZip>;
using ZipFile = std::unique_ptr<zip_file_t, CloseFile>;

struct Session {
    std::string capture_file;
    std::uint64_t rate_hz = 0;
    std::size_t unit_bytes = 0;
    std::map<std::size_t, std::string> probes;  // from 1
    bool analog = false;
};

Result<Zip> open_zip(const std::string& path, std::string_view bytes) {
    int code = 0;
    zip_error_t error;
    zip_error_init(&error);
    Zip zip;
    if (bytes.empty()) {
        zip.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
    } else if (zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error); source != nullptr) {
        zip.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
        if (!zip) zip_source_free(source);
    }
    zip_error_fini(&error);
    if (!zip) return damaged("it is no zip archive, or a damaged one; sigrok sessions are");
    return zip;
}

Result<std::string> read_small(zip_t* zip, const char* name) {
    const ZipFile file(zip_fopen(zip, name, 0));
    if (!file) return damaged(std::string("it has no `") + name + "`; a sigrok session has");
    std::string out(kMaxHeaderBytes + 1, '\0');
    const zip_int64_t size = zip_fread(file.get(), out.data(), out.size());
    if (size < 0) return damaged(std::string("its `") + name + "` cannot be unpacked");
    if (static_cast<std::size_t>(size) > kMaxHeaderBytes)
        return damaged(std::string("its `") + name + "` is larger than 16 MiB");
    out.resize(static_cast<std::size_t>(size));
    return out;
}

// "10 MHz", "1000".
std::optional<std::uint64_t> rate_of(const std::string& text) {
    const std::size_t unit = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string name = text.substr(std::min(text.find_first_not_of(' ', unit), text.size()));
    const int shift = name == "GHz" ? 9 : name == "MHz" ? 6 : name == "kHz" ? 3 : name == "Hz" || name.empty() ? 0 : -1;
    const auto rate = shift < 0 ? std::nullopt : read_scaled(text.substr(0, unit), shift);
    if (!rate || *rate <= 0 || *rate > 1'000'000'000'000) return std::nullopt;
    return static_cast<std::uint64_t>(*rate);
}

Result<Session> parse_metadata(const std::string& text) {
    Session session;
    std::istringstream in(text);
    bool device = false;
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.starts_with("[")) device = line.starts_with("[device 1]");
        const std::size_t equals = line.find('=');
        if (!device || equals == std::string::npos) continue;
        const std::string key = line.substr(0, equals);
        const std::string value = line.substr(equals + 1);
        if (key == "capturefile") session.capture_file = value;
        if (key == "unitsize") session.unit_bytes = read_number<std::size_t>(value).value_or(0);
        if (key == "samplerate") session.rate_hz = rate_of(value).value_or(0);
        if (key.starts_with("analog")) session.analog = true;
        if (!key.starts_with("probe")) continue;
        const auto number = read_number<std::size_t>(std::string_view(key).substr(5));
        if (!number || *number == 0) continue;
        if (*number > kMaxSrChannels) return damaged("it has more than " + std::to_string(kMaxSrChannels) + " channels");
        session.probes[*number] = value;
    }
    if (session.capture_file.empty() || session.probes.empty()) return damaged("its metadata name no logic channels");
    if (session.rate_hz == 0) return damaged("its metadata have no sample rate");
    const std::size_t needed = (session.probes.rbegin()->first + 7) / 8;
    if (session.unit_bytes == 0) session.unit_bytes = needed;
    if (session.unit_bytes < needed || session.unit_bytes > kMaxSrChannels / 8)
        return damaged("its unitsize does not fit its channels");
    return session;
}

// Turns samples into levels.
class Edges {
public:
    Edges(CaptureSink& sink, const Session& session) : sink_(sink), session_(session), last_(session.unit_bytes, '\0') {}

    Result<void> begin() {
        // The capture's clock may not be slower than 1 kHz; slower samples lie several ticks apart.
        while (session_.rate_hz * ticks_per_sample_ < 1000) ticks_per_sample_ *= 10;
        sink_.set_clock({0, static_cast<double>(session_.rate_hz * ticks_per_sample_), 0, 0});
        const std::uint32_t source = sink_.source("sigrok");
        for (const auto& [number, name] : session_.probes) {
            const auto channel = sink_.channel(source, unlike_others(name, number));
            if (!channel.ok()) return channel.error();
            channels_.push_back({number - 1, *channel});
        }
        return {};
    }

    Result<void> take(std::string_view bytes) {
        pending_ += bytes;
        std::size_t at = 0;
        for (; pending_.size() - at >= session_.unit_bytes; at += session_.unit_bytes, ++sample_) {
            const std::string_view now = std::string_view(pending_).substr(at, session_.unit_bytes);
            if (now == last_ && sample_ > 0) continue;
            for (const auto& [bit, channel] : channels_) {
                const bool high = (now[bit / 8] >> (bit % 8) & 1) != 0;
                const bool before = (last_[bit / 8] >> (bit % 8) & 1) != 0;
                if (high == before && sample_ > 0) continue;
                const SinkEvent event{sample_ * ticks_per_sample_, SLA_CODE_LEVEL, high ? std::uint64_t{1} : 0, 0};
                if (auto put = sink_.put(channel, event); !put.ok()) return put;
            }
            last_ = now;
        }
        pending_.erase(0, at);
        return {};
    }

private:
    std::string unlike_others(std::string name, std::size_t number) {
        if (!names_.insert(name).second) {
            name += "#" + std::to_string(number);
            while (!names_.insert(name).second) name += '#';
        }
        return name;
    }

    CaptureSink& sink_;
    const Session& session_;
    std::set<std::string> names_;
    std::vector<std::pair<std::size_t, std::uint32_t>> channels_;  // bit, channel
    std::string last_;
    std::string pending_;
    std::uint64_t sample_ = 0;
    std::uint64_t ticks_per_sample_ = 1;
};

// False: there is no such file.
Result<bool> read_samples(zip_t* zip, const std::string& name, Edges& edges, std::uint64_t& done, const Progress& progress) {
    const ZipFile file(zip_fopen(zip, name.c_str(), 0));
    if (!file) return false;
    std::string block(std::size_t{1} << 18, '\0');
    while (true) {
        if (progress && !progress(done, 0)) return import_stopped();
        const zip_int64_t size = zip_fread(file.get(), block.data(), block.size());
        if (size < 0) return damaged("its `" + name + "` cannot be unpacked");
        if (size == 0) return true;
        done += static_cast<std::uint64_t>(size);
        if (done > kMaxUnpackedBytes) return damaged("it unpacks to more than 64 GB");
        if (auto taken = edges.take(std::string_view(block).substr(0, static_cast<std::size_t>(size))); !taken.ok())
            return taken.error();
    }
}

}  // namespace

Result<void> import_sr(const std::string& path, std::string_view bytes, CaptureSink& sink, Notes& notes,
                       const Progress& progress) {
    auto zip = open_zip(path, bytes);
    if (!zip.ok()) return zip.error();
    const auto metadata = read_small(zip->get(), "metadata");
    if (!metadata.ok()) return metadata.error();
    const auto session = parse_metadata(*metadata);
    if (!session.ok()) return session.error();
    Edges edges(sink, *session);
    if (auto begun = edges.begin(); !begun.ok()) return begun;
    std::uint64_t done = 0;
    auto whole = read_samples(zip->get(), session->capture_file, edges, done, progress);
    if (!whole.ok()) return whole.error();
    for (std::uint64_t piece = 1; !*whole; ++piece) {
        const auto found =
            read_samples(zip->get(), session->capture_file + "-" + std::to_string(piece), edges, done, progress);
        if (!found.ok()) return found.error();
        if (!*found && piece == 1) return damaged("it has no samples called `" + session->capture_file + "`");
        if (!*found) break;
    }
    if (session->analog) notes.emplace_back("its analog channels are left out");
    notes.emplace_back("every channel of a sigrok session is a level; one tick is one sample");
    return {};
}

}  // namespace sla::formats
