#include "viewer/ui/feed.h"

#include "proto/wire/address.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/stream_client.h"

#include <filesystem>
#include <optional>

namespace sla::ui {

namespace {

// Of a capture too large for memory; the refiner has some of its own, and the window shall stay below 500 MB.
constexpr std::size_t kCacheBytes = std::size_t{96} << 20;

class LiveFeed final : public Feed {
public:
    explicit LiveFeed(const wire::Address& address)
        : address_(address), name_(address.text()), client_(options_for(address)), applier_(session_) {
        client_.start();
    }

    store::Session& session() override { return session_; }

    [[nodiscard]] FeedStatus status() const override {
        const ingest::StreamReport report = client_.report();
        return {stopped_ ? FeedState::kStopped : state_of(report.state), name_, stopped_ ? "" : report.message, 0,
                report.bytes};
    }

    void poll(std::chrono::milliseconds budget) override { client_.poll(applier_, budget); }

    void run() override {
        stopped_ = false;
        client_.reconnect();
    }
    void stop() override {
        stopped_ = true;
        client_.stop();
    }
    [[nodiscard]] bool can_run() const override { return true; }
    [[nodiscard]] std::optional<wire::Address> address() const override { return address_; }
    [[nodiscard]] std::string target() const override { return name_; }

private:
    static ingest::StreamOptions options_for(const wire::Address& address) {
        ingest::StreamOptions options;
        options.address = address;
        options.client = "sla-viewer";
        return options;
    }
    static FeedState state_of(ingest::StreamState state) {
        switch (state) {
            case ingest::StreamState::kIdle: return FeedState::kStopped;
            case ingest::StreamState::kConnecting: return FeedState::kConnecting;
            case ingest::StreamState::kLive: return FeedState::kLive;
            case ingest::StreamState::kEnded: return FeedState::kEnded;
            case ingest::StreamState::kLost: return FeedState::kLost;
        }
        return FeedState::kLost;
    }

    wire::Address address_;
    std::string name_;
    store::Session session_;
    ingest::StreamClient client_;
    ingest::FrameApplier applier_;
    bool stopped_ = false;
};

class FileFeed final : public Feed {
public:
    explicit FileFeed(std::string path) : path_(std::move(path)), applier_(session_) {
        ingest::FileOptions options;
        options.cache_bytes = kCacheBytes;
        Result<ingest::FileSource> opened = ingest::FileSource::open(path_, options);
        if (opened) {
            source_.emplace(std::move(*opened));
        } else {
            failure_ = opened.error().message;
        }
    }

    store::Session& session() override { return session_; }

    [[nodiscard]] FeedStatus status() const override {
        const std::string name = std::filesystem::path(path_).filename().string();
        if (!failure_.empty()) return {FeedState::kLost, name, failure_, 0, 0};
        if (!done_) return {FeedState::kLoading, name, {}, source_->progress(), 0};
        return {FeedState::kLoaded, name, {}, 1, 0};
    }

    void poll(std::chrono::milliseconds budget) override {
        if (source_ && !done_) done_ = !source_->step(applier_, budget);
        if (source_ && done_) source_->poll();
    }

    [[nodiscard]] Fill another() const override {
        if (!source_ || !source_->is_paged()) return {};
        return source_->another();
    }

    [[nodiscard]] std::string target() const override {
        std::error_code failed;
        const std::filesystem::path whole = std::filesystem::absolute(path_, failed);
        return failed ? path_ : whole.lexically_normal().string();
    }

private:
    std::string path_;
    store::Session session_;
    ingest::FrameApplier applier_;
    std::optional<ingest::FileSource> source_;
    std::string failure_;
    bool done_ = false;
};

class NoFeed final : public Feed {
public:
    store::Session& session() override { return session_; }
    [[nodiscard]] FeedStatus status() const override { return {FeedState::kNone, "", {}, 0, 0}; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
};

// Says what is wrong with what was typed.
class FailedFeed final : public Feed {
public:
    FailedFeed(std::string name, std::string message)
        : status_{FeedState::kLost, std::move(name), std::move(message), 0, 0} {}
    store::Session& session() override { return session_; }
    [[nodiscard]] FeedStatus status() const override { return status_; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
    FeedStatus status_;
};

}  // namespace

std::unique_ptr<Feed> open_feed(const std::string& target) {
    if (target.empty()) return std::make_unique<LiveFeed>(wire::default_address());
    if (!wire::looks_like_address(target)) return std::make_unique<FileFeed>(target);
    const Result<wire::Address> address = wire::parse_address(target);
    if (!address) return std::make_unique<FailedFeed>(target, address.error().message);
    return std::make_unique<LiveFeed>(*address);
}

std::unique_ptr<Feed> no_feed() {
    return std::make_unique<NoFeed>();
}

}  // namespace sla::ui
