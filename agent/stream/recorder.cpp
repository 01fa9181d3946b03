#include "agent/stream/recorder.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/closing.h"
#include "proto/capture/file.h"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace sla::stream {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr auto kFlushEvery = std::chrono::seconds(1);  // what a crash of the machine may cost
constexpr auto kLongestNap = std::chrono::milliseconds(100);
constexpr int kMostKept = 100;
constexpr std::uint64_t kReadWhole = std::uint64_t{1} << 20;  // to see whether an event is in it; a larger one has some

// Whoever wrote it was killed, and it has an event. Not what another agent is writing, nor what is no recording.
bool is_left_unfinished(const std::string& path) {
    const Result<capture::File> file = capture::File::open(path);
    if (!file || capture::File::is_written(path) || !capture::check_file_header(*file)) return false;
    if (capture::read_closing_mark(*file)) return false;
    if (file->bytes() > kReadWhole) return true;
    const Result<capture::CaptureIndex> index = capture::CaptureIndex::of_file(path, {});
    return index && !index->lanes().empty();
}

// It gets a name of its own instead of being written over: what came before a crash is what one wants to see.
void keep_unfinished(const std::string& path) {
    if (!is_left_unfinished(path)) return;
    const std::filesystem::path name(path);
    for (int number = 1; number <= kMostKept; number++) {
        const std::filesystem::path kept = name.parent_path() / (name.stem().string() + ".unfinished-" +
                                                                 std::to_string(number) + name.extension().string());
        if (std::filesystem::exists(kept)) continue;
        if (std::rename(path.c_str(), kept.c_str()) != 0) break;
        spdlog::warn("{} holds a recording that was not finished, as after a crash: it is kept as {}", path, kept.string());
        return;
    }
    spdlog::warn(
        "{} holds a recording that was not finished, as after a crash: it is replaced, there are {} more beside it or "
        "their folder takes none",
        path, kMostKept);
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(Options options, retain::Retention& retention) {
    if (!options.limits.rotates()) keep_unfinished(options.path);
    Result<capture::CaptureSeries> series = capture::CaptureSeries::create(options.path, options.limits);
    if (!series) return series.error();
    spdlog::info("recording to {}", series->file());
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(options), std::move(series).value(), retention));
    recorder->thread_ = std::thread([raw = recorder.get()] { raw->run(); });
    return recorder;
}

Recorder::Recorder(Options options, capture::CaptureSeries series, retain::Retention& retention)
    : options_(std::move(options)), series_(std::move(series)), retention_(retention) {
    read_from_the_start();
    note_file();
}

Recorder::~Recorder() {
    abandoned_.store(true, std::memory_order_relaxed);  // seen within one wait of run
    if (thread_.joinable()) thread_.join();
}

void Recorder::read_from_the_start() {
    cursor_.emplace();
    cursor_->is_recorder = true;
}

void Recorder::note_file() {
    written_as_ = series_.file();
    written_ = FileIdentity::of(written_as_);
}

void Recorder::run() {
    auto last_flush = std::chrono::steady_clock::now();
    while (!abandoned_.load(std::memory_order_relaxed)) {
        const Result<bool> more = write_available();
        if (!more) return fail(more.error());
        const auto now = std::chrono::steady_clock::now();
        bool is_anew = false;
        if (!*more || now - last_flush >= kFlushEvery) {
            Result<void> flushed = *more ? series_.flush() : Result<void>();
            const Result<bool> kept = flushed ? stay_in_place() : Result<bool>(flushed.error());
            if (!kept) return fail(kept.error());
            last_flush = now;
            is_anew = !*kept;
        }
        if (!*more && !is_anew) return;
        if (*more) retention_.wait_for_much(kLongestNap);
    }
}

// False: the file was gone, and is begun anew.
Result<bool> Recorder::stay_in_place() {
    if (series_.file() != written_as_) note_file();
    if (written_.is_at(written_as_)) return true;
    if (Result<void> begun = begin_anew(); !begun) return begun.error();
    return false;
}

// The file that is gone gets its end: it may only have been moved. Of a series the files before are still there: their
// events are not written again, only the names.
Result<void> Recorder::begin_anew() {
    const std::string gone = "'" + written_as_ + "' was removed or moved away while it was written";
    (void)series_.finish();  // of no use to anybody, but where it was moved
    if (!options_.limits.rotates() && FileIdentity::of(written_as_).is_known())
        return unavailable(gone + ", and another file stands there now");
    Result<capture::CaptureSeries> series = capture::CaptureSeries::create(options_.path, options_.limits);
    if (!series) return unavailable(gone + ", and cannot be begun anew: " + series.error().message);
    series_ = std::move(*series);
    note_file();
    was_begun_anew_ = true;
    if (options_.limits.rotates()) {
        cursor_->next_announcement = 0;
    } else {
        read_from_the_start();
    }
    if (options_.say) {
        options_.say(
            gone + ": the recording goes on in '" + written_as_ + "', " +
            (options_.limits.rotates() ? "what was in it is missing" : "with what the agent still holds in memory"));
    }
    return {};
}

void Recorder::fail(Error error) {
    error_ = std::move(error);
    has_failed_.store(true, std::memory_order_relaxed);  // read by is_writing, which looks at nothing else
    std::string why = "recording to " + series_.file() + " stopped: " + error_->message +
                      (written_.is_at(written_as_) ? ". What was written by then can be read; " : ". ") +
                      "the agent goes on without a recording";
    if (options_.say) options_.say(why);
}

// Writes all that is there; false when that was the end.
Result<bool> Recorder::write_available() {
    std::vector<retain::Delivery> deliveries;
    for (;;) {
        deliveries.clear();
        cursor_->own_bytes = series_.memory();
        bool more = retention_.read(*cursor_, kReadBytes, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            Result<void> written = series_.append(delivery.message(), delivery.frame_facts());
            if (!written) return written.error();
        }
        if (!more) return false;
        if (deliveries.empty()) return true;
    }
}

Result<void> Recorder::join() {
    if (thread_.joinable()) thread_.join();
    if (error_) return *error_;
    if (Result<void> finished = series_.finish(); !finished) return finished;
    if (written_.is_at(written_as_)) return {};
    return unavailable("the recording '" + written_as_ + "' was removed or moved away");
}

}  // namespace sla::stream
