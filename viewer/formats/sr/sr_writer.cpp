// A sigrok session (format version 2): a zip with `version`, `metadata` and the samples in `logic-1-1`, `logic-1-2`, …
// The samples are made when zip asks for them, one piece at a time; the compressed archive is kept in memory until it is
// whole.
#include "viewer/formats/names.h"
#include "viewer/formats/sr/sampler.h"
#include "viewer/formats/sr/sr.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

namespace sla::formats {

namespace {

constexpr double kFewSamples = 1 << 24;                            // what a rate of our own choice may give,
constexpr double kFewSampleBytes = 1 << 28;                        // and of many channels
constexpr std::uint64_t kMaxSampleBytes = std::uint64_t{1} << 34;  // of samples, before compression
constexpr std::uint64_t kPieceBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kTimeStamp = 946684800;  // 2000-01-01 of every entry: the same capture, the same bytes

// One piece of samples as zip wants to read it.
struct Piece {
    Sampler* sampler = nullptr;
    std::uint64_t count = 0;
    std::uint64_t before = 0;  // samples in earlier pieces
    const Progress* progress = nullptr;
    std::string bytes;
    std::size_t at = 0;
    zip_error_t error{};

    zip_int64_t open() {
        if (*progress && !(*progress)(before, sampler->samples())) {
            zip_error_set(&error, ZIP_ER_CANCELLED, 0);
            return -1;
        }
        bytes = sampler->next(count);
        at = 0;
        return 0;
    }
    zip_int64_t read(void* data, zip_uint64_t size) {
        const std::size_t part = std::min<std::size_t>(size, bytes.size() - at);
        std::memcpy(data, bytes.data() + at, part);
        at += part;
        return static_cast<zip_int64_t>(part);
    }
    zip_int64_t stat(void* data) const {
        auto* out = static_cast<zip_stat_t*>(data);
        zip_stat_init(out);
        out->valid = ZIP_STAT_SIZE | ZIP_STAT_MTIME;
        out->size = count * sampler->bytes_per_sample();
        out->mtime = kTimeStamp;
        return sizeof *out;
    }
};

zip_int64_t piece_call(void* user, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    auto* piece = static_cast<Piece*>(user);
    switch (command) {
        case ZIP_SOURCE_OPEN: return piece->open();
        case ZIP_SOURCE_READ: return piece->read(data, size);
        case ZIP_SOURCE_CLOSE: piece->bytes = std::string(); return 0;
        case ZIP_SOURCE_STAT: return piece->stat(data);
        case ZIP_SOURCE_ERROR: return zip_error_to_data(&piece->error, data, size);
        case ZIP_SOURCE_FREE: return 0;
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        default: return -1;
    }
}

// Of channels of one name each has its program's before it.
std::string metadata_of(const store::Session& session, const analysis::Selection& selection, const Sampler& sampler,
                        std::uint64_t rate_hz) {
    const SourceTexts sources(session);
    std::map<std::string, std::size_t> named;
    for (const store::Lane* lane : selection.lanes) ++named[lane->channel().name];
    std::string out = fmt::format(
        "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\ntotal probes={}\nsamplerate={} Hz\ntotal "
        "analog=0\n",
        selection.lanes.size(), rate_hz);
    for (std::size_t i = 0; i < selection.lanes.size(); ++i) {
        std::string name = selection.lanes[i]->channel().name;
        if (named[name] > 1) name = sources.of(*selection.lanes[i]) + "." + name;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '_');
        out += fmt::format("probe{}={}\n", i + 1, name);
    }
    return out + fmt::format("unitsize={}\n", sampler.bytes_per_sample());
}

class Archive {
public:
    Archive() {
        zip_error_init(&error_);
        source_ = zip_source_buffer_create(nullptr, 0, 0, &error_);
        if (source_ != nullptr) {
            zip_source_keep(source_);
            zip_ = zip_open_from_source(source_, ZIP_CREATE | ZIP_TRUNCATE, &error_);
        }
    }
    ~Archive() {
        if (zip_ != nullptr) zip_discard(zip_);
        if (source_ != nullptr) zip_source_free(source_);
        zip_error_fini(&error_);
    }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    bool add(const std::string& name, const std::string& content) {
        if (zip_ == nullptr) return false;
        texts_.push_back(std::make_unique<std::string>(content));
        return add(name, zip_source_buffer(zip_, texts_.back()->data(), texts_.back()->size(), 0));
    }
    bool add(const std::string& name, Piece& piece) {
        return zip_ != nullptr && add(name, zip_source_function(zip_, piece_call, &piece));
    }
    bool close() {
        if (zip_ == nullptr || zip_close(zip_) != 0) {
            if (zip_ != nullptr) zip_error_set(&error_, zip_error_code_zip(zip_get_error(zip_)), 0);
            return false;
        }
        zip_ = nullptr;
        return true;
    }
    [[nodiscard]] bool cancelled() const { return zip_error_code_zip(&error_) == ZIP_ER_CANCELLED; }
    std::string problem() { return zip_error_strerror(&error_); }
    Result<void> copy_to(Output& output) {
        if (zip_source_open(source_) != 0) return unavailable("the finished archive cannot be read back");
        std::vector<char> block(1 << 20);
        Result<void> written;
        while (written.ok()) {
            const zip_int64_t size = zip_source_read(source_, block.data(), block.size());
            if (size <= 0) break;
            written = output.write(std::string_view(block.data(), static_cast<std::size_t>(size)));
        }
        zip_source_close(source_);
        return written.ok() ? output.finish() : written;
    }

private:
    bool add(const std::string& name, zip_source_t* content) {
        if (content == nullptr) return false;
        const zip_int64_t at = zip_file_add(zip_, name.c_str(), content, ZIP_FL_ENC_UTF_8);
        if (at < 0) {
            zip_source_free(content);
            return false;
        }
        zip_set_file_compression(zip_, static_cast<zip_uint64_t>(at), ZIP_CM_DEFLATE, 1);
        return zip_file_set_mtime(zip_, static_cast<zip_uint64_t>(at), kTimeStamp, 0) == 0;
    }

    zip_error_t error_;
    zip_source_t* source_ = nullptr;
    zip_t* zip_ = nullptr;
    std::vector<std::unique_ptr<std::string>> texts_;
};

Result<std::uint64_t> choose_rate(const store::Session& session, const analysis::Selection& selection, double wanted) {
    const std::size_t whole_bytes = (selection.lanes.size() + 7) / 8;
    const auto bytes_per_sample = static_cast<double>(whole_bytes);
    std::uint64_t rate = 1'000'000'000;
    if (wanted > 0) {
        rate = static_cast<std::uint64_t>(std::llround(std::clamp(wanted, 1.0, 1e12)));
    } else {
        const double most = std::min(kFewSamples, kFewSampleBytes / bytes_per_sample);
        for (int step = 0; rate > 1 && Sampler::samples_at(session, selection, static_cast<double>(rate)) > most; ++step)
            rate = step % 3 == 1 ? rate * 2 / 5 : rate / 2;  // 1000 500 200 100 …
    }
    const double bytes = Sampler::samples_at(session, selection, static_cast<double>(rate)) * bytes_per_sample;
    if (bytes > static_cast<double>(kMaxSampleBytes))
        return invalid_input(
            fmt::format("{} Hz would give {:.0f} GB of samples; choose a lower --rate, fewer channels or a "
                        "shorter time",
                        rate, bytes / 1e9));
    return rate;
}

std::vector<std::string> left_out(const Sampler& sampler, std::uint64_t rate_hz) {
    std::vector<std::string> out;
    out.push_back(
        fmt::format("sr has one bit a channel, sampled at {} Hz: levels and open spans are high, other events one "
                    "sample long; values, texts, threads and ticks are not in it",
                    rate_hz));
    if (sampler.merged() > 0)
        out.push_back(fmt::format("{} events share a sample with an earlier one of their channel and cannot be told from it",
                                  sampler.merged()));
    if (sampler.losses() > 0)
        out.push_back(fmt::format(
            "sr has no word for losses: {} events were lost or not kept, as far as they are counted; levels and open "
            "spans are low from there until their channel's next event",
            sampler.lost()));
    return out;
}

}  // namespace

Result<ExportReport> write_sr(const store::Session& session, const analysis::Selection& selection, double sample_rate_hz,
                              Output& output, const Progress& progress) {
    if (selection.lanes.empty()) return not_found("sr needs at least one channel");
    if (selection.lanes.size() > kMaxSrChannels)
        return invalid_input(
            fmt::format("an sr session of {} channels is more than can be read again, {}; choose fewer by --channel",
                        selection.lanes.size(), kMaxSrChannels));
    const auto rate = choose_rate(session, selection, sample_rate_hz);
    if (!rate.ok()) return rate.error();
    Sampler sampler(session, selection, *rate);
    Archive archive;
    bool good = archive.add("version", "2") && archive.add("metadata", metadata_of(session, selection, sampler, *rate));
    std::vector<std::unique_ptr<Piece>> pieces;
    const std::uint64_t most = kPieceBytes / sampler.bytes_per_sample();
    for (std::uint64_t done = 0; good && done < sampler.samples();) {
        auto& piece = *pieces.emplace_back(std::make_unique<Piece>());
        piece.sampler = &sampler;
        piece.progress = &progress;
        piece.before = done;
        piece.count = std::min(most, sampler.samples() - done);
        done += piece.count;
        good = archive.add(fmt::format("logic-1-{}", pieces.size()), piece);
    }
    if (!good || !archive.close()) {
        if (archive.cancelled()) return unavailable("stopped; nothing was written");
        return unavailable("cannot make the zip archive: " + archive.problem());
    }
    if (auto written = archive.copy_to(output); !written.ok()) return written.error();
    return ExportReport{sampler.events(), left_out(sampler, *rate)};
}

}  // namespace sla::formats
