#include "agent/stream/recorder.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <vector>

namespace sla::stream {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr auto kFlushEvery = std::chrono::seconds(1);  // what a crash of the machine may cost
constexpr auto kLongestNap = std::chrono::milliseconds(100);

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(Options options, retain::Retention& retention) {
    Result<capture::CaptureSeries> series = capture::CaptureSeries::create(options.path, options.limits);
    if (!series) return series.error();
    spdlog::info("recording to {}", series->file());
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(options), std::move(series).value(), retention));
    recorder->thread_ = std::thread([raw = recorder.get()] { raw->run(); });
    return recorder;
}

Recorder::Recorder(Options options, capture::CaptureSeries series, retain::Retention& retention)
    : options_(std::move(options)), series_(std::move(series)), retention_(retention) {
    cursor_.is_recorder = true;
}

Recorder::~Recorder() {
    abandoned_.store(true, std::memory_order_relaxed);  // seen within one wait of run
    if (thread_.joinable()) thread_.join();
}

void Recorder::run() {
    auto last_flush = std::chrono::steady_clock::now();
    while (!abandoned_.load(std::memory_order_relaxed)) {
        Result<bool> more = write_available();
        auto now = std::chrono::steady_clock::now();
        Result<void> flushed;
        if (more && *more && now - last_flush >= kFlushEvery) {
            flushed = series_.flush();
            last_flush = now;
        }
        if (!more || !flushed) return fail(more ? flushed.error() : more.error());
        if (!*more) return;
        retention_.wait_for_much(kLongestNap);
    }
}

void Recorder::fail(Error error) {
    error_ = std::move(error);
    has_failed_.store(true, std::memory_order_relaxed);  // read by is_writing, which looks at nothing else
    std::string why = "recording to " + series_.file() + " stopped: " + error_->message +
                      ". What was written by then can be read; the agent goes on without a recording";
    if (options_.on_failure) options_.on_failure(why);
}

// Writes all that is there; false when that was the end.
Result<bool> Recorder::write_available() {
    std::vector<retain::Delivery> deliveries;
    for (;;) {
        deliveries.clear();
        cursor_.own_bytes = series_.memory();
        bool more = retention_.read(cursor_, kReadBytes, deliveries);
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
    return series_.finish();
}

}  // namespace sla::stream
