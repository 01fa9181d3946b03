#include "viewer/workspace/source/live_source.h"

#include "viewer/ingest/intake.h"
#include "viewer/ingest/spill.h"
#include "viewer/ingest/stream_client.h"
#include "viewer/timeline/readable.h"
#include "viewer/workspace/source/awaited_socket.h"
#include "viewer/workspace/source/longer_history.h"
#include "viewer/workspace/source/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace sla::workspace {

namespace {

// Of rows in memory, when nobody chose: a window that stands open for days does not grow with them.
constexpr std::uint64_t kAimBytes = std::uint64_t{48} << 20;
constexpr std::chrono::seconds kFetchPause{5};  // after a fetch that was cut off

class LiveSource final : public DataSource {
public:
    LiveSource(const wire::Address& address, const SourceMemory& memory)
        : address_(address),
          name_(address.text()),
          is_memory_chosen_(memory.bytes != 0),
          memory_(chosen(memory)),
          client_(options_for(address, queue_bytes(), memory_.history_ns)),
          applier_(session_),
          spill_(session_, {.memory_bytes = memory_.bytes - queue_bytes(),
                            .directory = memory_.directory,
                            .aim_bytes = is_memory_chosen_ ? 0 : kAimBytes}) {
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
        status.held_back = std::chrono::duration<double>(report.held_back).count();
        if (longer_ != nullptr && session_.history()) status.fetched = share_fetched(longer_->session_, session_);
        status.is_older_gone = is_older_gone_;
        if (status.message.empty() && is_full_ && !used_.failure.empty()) {
            if (status.state == SourceState::kLive) status.state = SourceState::kFull;
            status.message = fmt::format(
                "What comes now is not kept until there is room in {}: the {} for live rows are full, and older ones cannot "
                "go there ({}). All rows up to here are kept; the agent counts what this window misses.",
                memory_.directory, timeline::readable_bytes(static_cast<double>(memory_.bytes)), used_.failure);
        }
        return status;
    }

    // What came since the last one is taken in here only by who gives no time for that beside the frames. A source that is
    // behind is no reason: frames that take in are longer, and leave the intake less.
    void poll(std::chrono::milliseconds budget) override {
        spill_.poll();
        const auto until = std::chrono::steady_clock::now() + budget;
        if (!std::exchange(has_rested_, false)) {
            while (take_in() && std::chrono::steady_clock::now() < until) {
            }
        }
        used_ = spill_.report();
        stay_connected();
        if (longer_ != nullptr) poll_longer(budget);
    }

    void begin_rest() override {
        has_rested_ = true;
        intake_.begin();
        if (longer_ != nullptr) longer_->begin_rest();
    }
    void end_rest() override {
        intake_.end();
        if (longer_ != nullptr) longer_->end_rest();
    }

    void fetch_back_to(std::uint64_t tick) override {
        const std::optional<store::History>& history = session_.history();
        if (longer_ != nullptr || stopped_ || !history || tick >= history->from_tick || is_older_gone_) return;
        if (!is_up_to_date(*history)) return;
        if (client_.report().state != ingest::StreamState::kLive || Retry::Clock::now() < no_fetch_before_) return;
        is_older_gone_ = history->capture_id != session_.origin().capture_id || !is_all_held(session_);
        if (is_older_gone_) return;
        const std::uint64_t now = std::max(session_.watermark(), session_.last_tick());
        const std::uint64_t all = now - std::min(now, history->oldest_tick);
        const std::uint64_t wanted = now - std::min(now, std::max(tick, history->oldest_tick));
        SourceMemory memory = memory_;
        if (!is_memory_chosen_) memory.bytes = 0;
        // What is looked at and as much again, so that the next step back needs no fetch; of nearly all, all.
        const double seconds = 2 * static_cast<double>(wanted) / session_.clock().ticks_per_second();
        memory.history_ns = wanted >= all / 2 ? 0 : static_cast<std::int64_t>(seconds * 1e9);
        longer_ = std::make_unique<LiveSource>(address_, memory);
        for (LiveSource* one : {this, longer_.get()}) one->spill_.aim_at(one->aim_bytes() / 2);
    }

    [[nodiscard]] std::unique_ptr<DataSource> take_longer() override {
        if (longer_ == nullptr || !has_reached(longer_->session_, session_)) return nullptr;
        if (!has_all_of(longer_->session_, session_)) {
            is_older_gone_ = true;
            leave_longer();
            return nullptr;
        }
        longer_->spill_.aim_at(longer_->aim_bytes());
        return std::exchange(longer_, nullptr);
    }

    void run() override {
        stopped_ = false;
        retry_.forget();
        reconnect();
    }
    void stop() override {
        stopped_ = true;
        retry_.forget();
        client_.stop();
        leave_longer();
    }
    [[nodiscard]] bool can_run() const override { return true; }
    [[nodiscard]] bool are_rows_at_hand() const override { return true; }
    [[nodiscard]] std::optional<wire::Address> address() const override { return address_; }
    [[nodiscard]] std::string target() const override { return name_; }

private:
    // A frame of the stream. False: there is none, or no space.
    bool take_in() {
        is_full_ = spill_.is_full();
        return !is_full_ && client_.poll(applier_, std::chrono::milliseconds(0)) > 0;
    }
    void wait_for_more() {
        if (is_full_) return std::this_thread::sleep_for(std::chrono::microseconds(500));  // until the writer has made space
        client_.wait(std::chrono::milliseconds(100));
    }
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
        const bool is_due = is_away && retry_.is_due(now, report.message);
        const bool has_appeared = is_away && !is_due && !retry_.is_waiting() && !session_.has_origin() &&
                                  address_.family == wire::Address::Family::kUnix && awaited_.is_due(now, address_.path);
        if (is_due || has_appeared) reconnect();
    }
    // What is here already need not come again; a little of it does, for programs that bring events of before.
    void reconnect() {
        constexpr double kMarginSeconds = 2;
        const auto margin = static_cast<std::uint64_t>(session_.clock().ticks_per_second() * kMarginSeconds);
        if (session_.watermark() <= margin) return client_.reconnect();
        client_.reconnect_from(session_.watermark() - margin);
    }
    void poll_longer(std::chrono::milliseconds budget) {
        longer_->poll(budget);
        const ingest::StreamReport report = longer_->client_.report();
        if (report.state == ingest::StreamState::kLive || report.state == ingest::StreamState::kConnecting) return;
        leave_longer();
        no_fetch_before_ = Retry::Clock::now() + kFetchPause;
    }
    // All that was held when this joined is here: before that what is in sight is but what came first.
    [[nodiscard]] bool is_up_to_date(const store::History& history) const {
        const double ticks = static_cast<double>(memory_.history_ns) / 1e9 * session_.clock().ticks_per_second();
        return session_.watermark() >= history.from_tick + static_cast<std::uint64_t>(ticks);
    }
    void leave_longer() {
        longer_.reset();
        spill_.aim_at(aim_bytes());
    }
    [[nodiscard]] std::uint64_t aim_bytes() const { return is_memory_chosen_ ? memory_.bytes - queue_bytes() : kAimBytes; }
    static SourceMemory chosen(SourceMemory memory) {
        if (memory.bytes == 0) memory.bytes = ingest::default_memory_bytes();
        if (memory.directory.empty()) memory.directory = ingest::default_spill_directory();
        memory.bytes = std::max(memory.bytes, SourceMemory::kMinBytes);
        return memory;
    }
    // What waits to be taken in: some frames of ten million events a second, and an eighth of the memory at most.
    [[nodiscard]] std::size_t queue_bytes() const {
        const std::uint64_t most = is_memory_chosen_ ? std::uint64_t{256} << 20 : kAimBytes / 4;
        return static_cast<std::size_t>(std::min(memory_.bytes / 8, most));
    }
    static ingest::StreamOptions options_for(const wire::Address& address, std::size_t queue_bytes,
                                             std::int64_t history_ns) {
        ingest::StreamOptions options;
        options.address = address;
        options.queue_bytes = queue_bytes;
        options.client = "sla-viewer";
        options.last_ns = history_ns;
        options.show_history = history_ns > 0;
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
    bool is_memory_chosen_;  // by the person
    SourceMemory memory_;
    store::Session session_;
    ingest::StreamClient client_;
    ingest::FrameApplier applier_;
    ingest::Spill spill_;
    ingest::SpillReport used_;  // at the last poll
    Retry retry_;
    AwaitedSocket awaited_;
    bool is_full_ = false;
    bool stopped_ = false;
    std::unique_ptr<LiveSource> longer_;  // with older history, on its way
    Retry::Clock::time_point no_fetch_before_;
    bool is_older_gone_ = false;
    bool has_ended_ = false;   // the connection that stood last went because the agent ended
    bool has_rested_ = false;  // since the last poll
    // Last, so that its thread goes first.
    ingest::Intake intake_{{[this] { return take_in(); }, [this] { wait_for_more(); }, [this] { client_.wake(); }}};
};

}  // namespace

std::unique_ptr<DataSource> make_live_source(const wire::Address& address, const SourceMemory& memory) {
    return std::make_unique<LiveSource>(address, memory);
}

}  // namespace sla::workspace
