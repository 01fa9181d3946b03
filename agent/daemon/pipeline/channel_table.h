// All channels there are, each with its open batch: names come in and become ids, merged rows come in and leave as encoded
// batches for the retention.
//
//   living ── end_source ──► ending: rows still wait ── all gone out ──► ended: only its figures are left ──► retired
//     ▲                                                                    │            (by the retention)
//     └─────────────────────────── begin_source ──────────────────────────┘
//
// A step walks the channels that are awake: rows came, or wait in their runs. What only lives costs it nothing; ended channels
// cost memory alone, and that is counted under --memory. What a retired channel recorded and lost goes into a sum, so that
// totals stay exact. Owned by the stepping thread.
#pragma once

#include "agent/daemon/pipeline/announcements.h"
#include "agent/daemon/pipeline/channel_policy.h"
#include "agent/daemon/pipeline/notices.h"
#include "agent/drain/channel.h"
#include "agent/retain/retention.h"
#include "agent/shots/trigger_watch.h"
#include "agent/source/directory.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

// One channel on its way out.
struct OpenChannel : drain::DrainedChannel {
    SourceId source;
    std::string name;
    wire::EventBatch open;
    std::size_t watched = 0;     // rows of `open` that triggers have been shown
    bool is_among_open = false;  // in the table's list of open batches
    std::uint64_t next_index = 0;
    std::uint32_t idle_looks = 0;      // how often trim() found it unused, one time after the other
    std::uint64_t capped_version = 0;  // of the rules by which it was reported that it finds too little memory
    ChannelSettings settings;

    // The memory of `open`, which is empty or of no more use.
    void give_back_open() {
        open = {};
        open.channel = id;
    }
};

// What all retired channels recorded and lost.
struct RetiredLedger {
    std::uint64_t sources = 0;
    std::uint64_t channels = 0;
    drain::LossLedger ledger;
};

class ChannelTable {
public:
    // All must outlive this.
    ChannelTable(retain::Retention& retention, ChannelPolicy& channel_policy, shots::TriggerWatch& triggers,
                 Notices& notices)
        : retention_(retention), channel_policy_(channel_policy), triggers_(triggers), notices_(notices) {}

    // The id of a source that is here, or here again; it is announced by announce_source.
    SourceId begin_source(std::uint64_t segment_id, std::uint64_t start_time);
    void announce_source(const SourceFacts& facts);
    // Nothing new comes of it; what waits still goes out.
    void end_source(SourceId source);
    // No source has more than SLA_MAX_CHANNELS; further names share the channel "sla.too-many-channels".
    OpenChannel& channel(SourceId source, const ring::ChannelDescription& description);
    // For one more ring, until release_thread.
    ThreadId thread(SourceId source, std::uint32_t tid, const std::string& name);
    // Of threads without a ring the names of the last kMaxIdleThreads of each source are kept.
    void release_thread(SourceId source, ThreadId thread);
    static constexpr std::size_t kMaxIdleThreads = 16'384;

    // Space for `count` more rows at the end of channel.open, whose ticks are above all before them.
    void make_space(OpenChannel& channel, std::size_t count);
    // So many rows came into runs since the last merge.
    void note_taken(std::size_t rows) { unmerged_rows_ += rows; }
    // What waits in runs of those that are awake, up to the watermark, goes into open batches. `closes`: these are closed in the
    // same pass, while a channel and its rows are in the cache. Gives how many rows wait beyond the watermark.
    std::size_t merge(std::uint64_t watermark, bool closes = false);
    // Batches that would be closed now, about: one of each channel that has one open, or rows that may go into one.
    [[nodiscard]] std::size_t open_batches() const { return std::max(open_.size(), awake_.size() + round_.woken.size()); }
    // Closing them now would cost more for the batches than for their rows.
    [[nodiscard]] bool has_many_small_batches() const {
        return open_batches() > kManyBatches && open_rows() < kSmallBatch * open_batches();
    }
    // Of the rows that may wait in open batches, which part does.
    [[nodiscard]] double open_fullness() const {
        return static_cast<double>(open_rows()) / static_cast<double>(std::max<std::size_t>(most_open_rows_, 1));
    }
    // True when there was any row.
    bool close_batches();
    // Ended sources whose rows have all gone out are handed over to the retention.
    void settle_ended(std::uint64_t now);
    // Forgets what the retention has retired.
    void forget_retired();
    // Once more what is wanted of each channel, after a change.
    void apply_settings();
    // Gives back columns that were not used for some tens of calls. What all that there are take in memory. While that is more
    // than `most`, a channel keeps no columns that are empty: else each would keep for ever what it needed once.
    std::uint64_t trim(std::uint64_t most);

    [[nodiscard]] const std::vector<OpenChannel*>& living() const { return living_; }
    // Sources that have ended, with rows that still wait.
    [[nodiscard]] std::size_t ending() const { return ending_.size(); }
    // Of `count` channels, others each time, those whose source has ended.
    std::vector<const OpenChannel*> some_ended(std::size_t count);
    [[nodiscard]] std::size_t size() const { return channels_.size(); }
    [[nodiscard]] const source::Directory& directory() const { return directory_; }
    [[nodiscard]] const RetiredLedger& retired() const { return retired_; }
    // Of all channels that there are and were.
    [[nodiscard]] drain::LossLedger total() const;

    static constexpr std::size_t kBatchEvents = 8192;
    static constexpr std::size_t kManyBatches = 100;
    static constexpr std::size_t kSmallBatch = 1000;  // rows

private:
    struct Thread {
        std::uint32_t tid;
        std::string name;
        std::uint64_t announcement;
        std::uint32_t rings;
    };
    struct Source {
        std::vector<OpenChannel*> channels;
        std::map<ThreadId, Thread> threads;
        std::deque<ThreadId> idle_threads;  // the longest idle first
        bool is_announced = false;
        bool has_own_time = false;
        std::uint64_t newest_word = 0;       // of the source, an announcement's number; 0: there was only the first
        std::vector<std::uint64_t> ledgers;  // the same of the last words on its channels
        bool ending = false;
        bool ended = false;
        bool has_too_many = false;
    };
    [[nodiscard]] std::size_t open_rows() const { return open_rows_ + unmerged_rows_; }
    void merge_channel(OpenChannel& channel, std::uint64_t watermark, bool closes);
    void show_to_triggers(OpenChannel& channel, const wire::EventBatch& batch);
    void close_batch(OpenChannel& channel, wire::EventBatch& batch);
    static void give_back_empty(OpenChannel& channel);
    OpenChannel& add_channel(ChannelId id, SourceId source, const std::string& name);
    void hand_over(SourceId id, Source& source, std::uint64_t now);

    retain::Retention& retention_;
    ChannelPolicy& channel_policy_;
    shots::TriggerWatch& triggers_;
    Notices& notices_;
    source::Directory directory_;
    std::map<SourceId, Source> sources_;
    std::map<ChannelId, std::unique_ptr<OpenChannel>> channels_;
    std::vector<OpenChannel*> living_;  // and ending
    std::vector<OpenChannel*> awake_;   // of these, but for those that round_ has woken since the last merge
    std::vector<OpenChannel*> open_;    // whose batch is open
    wire::EventBatch passing_;          // of a channel that had none open, while it is merged and closed
    std::size_t open_rows_ = 0;         // that triggers have been shown
    std::size_t unmerged_rows_ = 0;     // in runs since the last merge
    std::size_t most_open_rows_ = std::size_t{1} << 20;
    bool are_columns_too_many_ = false;  // as of the last trim()
    drain::MergeRound round_;
    std::vector<SourceId> ending_;
    ChannelId shown_;  // the last that some_ended() looked at
    RetiredLedger retired_;
    bool appended_ = false;
    wire::Frame frame_;  // for batches on their way, so that its columns keep their memory
};

}  // namespace sla::daemon
