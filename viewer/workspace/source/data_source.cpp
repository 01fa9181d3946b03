#include "viewer/workspace/source/data_source.h"

#include "proto/wire/address.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/spill.h"
#include "viewer/ingest/standard_input.h"
#include "viewer/ingest/stream_client.h"
#include "viewer/timeline/readable.h"
#include "viewer/workspace/source/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace sla::workspace {

namespace {

// Of a capture too large for memory; the refiner has some of its own, and the window shall stay below 500 MB.
constexpr std::size_t kCacheBytes = std::size_t{64} << 20;

class LiveSource final : public DataSource {
public:
    LiveSource(const wire::Address& address, const SourceMemory& memory)
        : address_(address),
          name_(address.text()),
          memory_(chosen(memory)),
          client_(options_for(address, queue_bytes())),
          applier_(session_),
          spill_(session_, {memory_.bytes - queue_bytes(), memory_.directory}) {
        applier_.on_growth([this](store::Lane& lane) { spill_.tend(lane); });
        client_.start();
    }

    store::Session& session() override { return session_; }

    [[nodiscard]] SourceStatus status() const override {
        const ingest::StreamReport report = client_.report();
        SourceStatus status{stopped_ ? SourceState::kStopped : state_of(report.state), name_, stopped_ ? "" : report.message,
                            0, report.bytes};
        if (!stopped_ && retry_.is_waiting() && status.state != SourceState::kLive) {
            status.retry_in = retry_.left(Retry::Clock::now());
            status.state = has_ended_ ? SourceState::kEnded : SourceState::kLost;
            status.message = has_ended_ ? std::string() : retry_.why() + ". It is tried again by itself";
        }
        status.memory_bytes = used_.memory_bytes + report.queued_bytes;
        status.memory_limit = memory_.bytes;
        status.disk_bytes = used_.disk_bytes;
        if (status.message.empty() && is_full_ && !used_.failure.empty()) {
            if (status.state == SourceState::kLive) status.state = SourceState::kFull;
            status.message = fmt::format(
                "What comes now is not kept until there is room in {}: the {} for live rows are full, and older ones cannot "
                "go "
                "there ({}). All rows up to here are kept; the agent counts what this window misses.",
                memory_.directory, timeline::readable_bytes(static_cast<double>(memory_.bytes)), used_.failure);
        }
        return status;
    }

    // In short turns: each may find that there is no more room.
    void poll(std::chrono::milliseconds budget) override {
        constexpr std::chrono::milliseconds kTurn{2};
        spill_.poll();
        const auto until = std::chrono::steady_clock::now() + budget;
        while (!(is_full_ = spill_.is_full()) && client_.poll(applier_, kTurn) > 0 &&
               std::chrono::steady_clock::now() < until) {
        }
        used_ = spill_.report();
        stay_connected();
    }

    void run() override {
        stopped_ = false;
        retry_.forget();
        client_.reconnect();
    }
    void stop() override {
        stopped_ = true;
        retry_.forget();
        client_.stop();
    }
    [[nodiscard]] Loader make_snapshot(std::size_t cache_bytes, std::uint64_t until) override {
        return spill_.snapshot(cache_bytes, until);
    }
    [[nodiscard]] bool can_run() const override { return true; }
    [[nodiscard]] std::optional<wire::Address> address() const override { return address_; }
    [[nodiscard]] std::string target() const override { return name_; }

private:
    // An agent that ended as it should may be started again as well as one that was cut off.
    void stay_connected() {
        if (stopped_) return;
        const ingest::StreamReport report = client_.report();
        const auto now = Retry::Clock::now();
        const bool ends = report.state == ingest::StreamState::kEnded;
        const bool is_away = report.state == ingest::StreamState::kLost || ends;
        const bool is_news = !retry_.is_waiting() || (ends && !has_ended_);
        const bool stood = is_away && session_.has_origin() && is_news;  // if only between two polls
        if (report.state == ingest::StreamState::kLive || stood) {
            retry_.stands(now);
            has_ended_ = ends;
        }
        if (is_away && retry_.is_due(now, report.message)) client_.reconnect();
    }
    static SourceMemory chosen(SourceMemory memory) {
        if (memory.bytes == 0) memory.bytes = ingest::default_memory_bytes();
        if (memory.directory.empty()) memory.directory = ingest::default_spill_directory();
        memory.bytes = std::max(memory.bytes, SourceMemory::kMinBytes);
        return memory;
    }
    // What waits to be taken in: a second or so of ten million events a second, and an eighth of the memory at most.
    [[nodiscard]] std::size_t queue_bytes() const {
        return static_cast<std::size_t>(std::min(memory_.bytes / 8, std::uint64_t{256} << 20));
    }
    static ingest::StreamOptions options_for(const wire::Address& address, std::size_t queue_bytes) {
        ingest::StreamOptions options;
        options.address = address;
        options.queue_bytes = queue_bytes;
        options.client = "sla-viewer";
        return options;
    }
    static SourceState state_of(ingest::StreamState state) {
        switch (state) {
            case ingest::StreamState::kIdle: return SourceState::kStopped;
            case ingest::StreamState::kConnecting: return SourceState::kConnecting;
            case ingest::StreamState::kLive: return SourceState::kLive;
            case ingest::StreamState::kEnded: return SourceState::kEnded;
            case ingest::StreamState::kLost: return SourceState::kLost;
        }
        return SourceState::kLost;
    }

    wire::Address address_;
    std::string name_;
    SourceMemory memory_;
    store::Session session_;
    ingest::StreamClient client_;
    ingest::FrameApplier applier_;
    ingest::Spill spill_;
    ingest::SpillReport used_;  // at the last poll
    Retry retry_;
    bool is_full_ = false;
    bool stopped_ = false;
    bool has_ended_ = false;  // the connection that stood last went because the agent ended
};

// What came by its descriptor people know as what they piped in, and nobody can come back to it.
bool is_piped_in(const std::string& path) {
    return path.starts_with(ingest::kDescriptors);
}

std::string known_as(const std::string& path) {
    return is_piped_in(path) ? std::string(ingest::kStandardInput) : std::filesystem::path(path).filename().string();
}

std::string in_known_words(std::string message, const std::string& path) {
    const std::size_t at = is_piped_in(path) ? message.find(path) : std::string::npos;
    return at == std::string::npos ? message : message.replace(at, path.size(), ingest::kStandardInput);
}

class CaptureSource final : public DataSource {
public:
    explicit CaptureSource(std::string path) : path_(std::move(path)), name_(known_as(path_)), applier_(session_) {
        formats::keep_from_outputs(path_);
        ingest::FileOptions options;
        options.cache_bytes = kCacheBytes;
        Result<ingest::FileSource> opened = ingest::FileSource::open(path_, options);
        if (opened) {
            source_.emplace(std::move(*opened));
        } else {
            failure_ = in_known_words(opened.error().message, path_);
        }
    }

    store::Session& session() override { return session_; }

    [[nodiscard]] SourceStatus status() const override {
        if (!failure_.empty()) return {SourceState::kLost, name_, failure_, 0, 0};
        if (!done_) return {SourceState::kLoading, name_, {}, source_->progress(), 0};
        return {SourceState::kLoaded, name_, {}, 1, 0};
    }

    void poll(std::chrono::milliseconds budget) override {
        if (source_ && !done_) done_ = !source_->step(applier_, budget);
        if (source_ && done_) source_->poll();
    }

    [[nodiscard]] Loader make_loader(std::size_t cache_bytes) const override {
        if (!source_ || !done_) return {};
        return source_->another(cache_bytes);
    }

    [[nodiscard]] std::string target() const override {
        if (is_piped_in(path_)) return {};
        std::error_code failed;
        const std::filesystem::path whole = std::filesystem::absolute(path_, failed);
        return failed ? path_ : whole.lexically_normal().string();
    }

private:
    std::string path_;
    std::string name_;
    store::Session session_;
    ingest::FrameApplier applier_;
    std::optional<ingest::FileSource> source_;
    std::string failure_;
    bool done_ = false;
};

class NoSource final : public DataSource {
public:
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kNone, "", {}, 0, 0}; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
};

// Says what is wrong with what was typed.
class FailedSource final : public DataSource {
public:
    FailedSource(std::string name, std::string message)
        : status_{SourceState::kLost, std::move(name), std::move(message), 0, 0} {}
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return status_; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
    SourceStatus status_;
};

}  // namespace

std::unique_ptr<DataSource> open_source(const std::string& target, const SourceMemory& memory) {
    if (target.empty()) return std::make_unique<LiveSource>(wire::default_address(), memory);
    if (!wire::looks_like_address(target)) return std::make_unique<CaptureSource>(target);
    const Result<wire::Address> address = wire::parse_address(target);
    if (!address) return std::make_unique<FailedSource>(target, address.error().message);
    return std::make_unique<LiveSource>(*address, memory);
}

std::unique_ptr<DataSource> no_source() {
    return std::make_unique<NoSource>();
}

}  // namespace sla::workspace
