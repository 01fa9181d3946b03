// Session: everything a viewer knows of one capture, live or from a file. Filled by ingest, read by all other rooms of the
// viewer.
//
// Owner: one thread; no locks. Lanes, sources, channels and threads are never removed, and references to lanes stay valid.
// Ticks are raw; clock() turns them into picoseconds from the capture's start (Origin::start_tick).
#pragma once

#include "proto/time/clock_map.h"
#include "proto/time/shown_rate.h"
#include "viewer/store/lane.h"
#include "viewer/store/merged.h"
#include "viewer/store/names.h"
#include "viewer/store/session_view.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::store {

// Of an agent's history a part was asked for: the rest, from the oldest that the agent held until then, is still there, and
// no loss.
struct History {
    std::uint64_t oldest_tick = 0;
    std::uint64_t from_tick = 0;
    std::uint64_t capture_id = 0;  // the agent's, as Origin has it: another one does not have it
};

// What a session knows beside its lanes, and does not change with every batch.
struct SessionFacts {
    bool has_origin = false;
    Origin origin;
    std::map<SourceId, Source> sources;
    std::map<ThreadId, Thread> threads;
    std::shared_ptr<std::map<ChannelId, Ledger>> ledgers = std::make_shared<std::map<ChannelId, Ledger>>();
    std::vector<time::ClockSnapshot> snapshots;
    std::vector<PeerClock> peer_clocks;
    std::map<std::uint32_t, Host> hosts;
    time::ClockMap clock;
    time::ShownRate shown;
    Health health;
    std::vector<Shot> shots;
    std::vector<Note> notes;
    std::uint64_t damage_count = 0;
    bool begins_late = false;
    std::optional<History> history;
    bool ended = false;
    std::string end_reason;
};

class Session {
public:
    Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // ---- filling (ingest, tests) ----
    void set_origin(Origin origin);
    Source& add_source(Source source);  // or replaces the description of the same id
    Lane& add_channel(Channel channel);
    void add_thread(Thread thread);
    void add_clock(std::uint32_t domain, const time::ClockSnapshot& snapshot);
    void add_host(Host host);                // or replaces the one of the same id
    void add_peer_clock(PeerClock reading);  // keeps the newest kMaxPeerClocks
    void set_watermark(std::uint64_t tick);  // never goes back
    void set_begins_late() {
        change();
        facts_.begins_late = true;
    }
    void set_history(History history);
    void set_ledger(ChannelId id, const Ledger& ledger);
    void set_health(Health health);
    void add_shot(Shot shot);  // in order of arrival, each once; keeps the first kMaxShots
    void add_note(Note note);  // keeps the newest kMaxNotes, counts all
    void set_ended(std::uint64_t tick, std::string reason);
    void reopen();  // a reconnected stream goes on
    void touch() { ++revision_; }
    // Keeps what pages come from as long as the session.
    void hold(std::shared_ptr<PageSource> source) { page_source_ = std::move(source); }
    // As it is now, for other threads. const: nobody notices; the owner's thread all the same. `beside`: lanes of other sessions
    // that are seen as if they were this one's, by ids that none of its own has.
    [[nodiscard]] SessionView view(const std::vector<const Lane*>& beside = {}) const;
    // The same of these channels alone (rising): what it costs does not depend on how many others there are.
    [[nodiscard]] SessionView view_of(const std::vector<ChannelId>& channels, const std::vector<const Lane*>& beside) const;
    // Pages have come from the file since the last call: pictures that lacked them may be made anew.
    void note_pages() { ++pages_revision_; }

    // ---- reading ----
    [[nodiscard]] bool has_origin() const { return facts_.has_origin; }
    [[nodiscard]] const Origin& origin() const { return facts_.origin; }
    // In order of channel id.
    [[nodiscard]] const std::vector<Lane*>& lanes() const { return lanes_; }
    [[nodiscard]] Lane* lane(ChannelId id);
    [[nodiscard]] const Lane* lane(ChannelId id) const;
    [[nodiscard]] const Lane* lane_named(std::string_view channel_name) const;  // the first of that name
    [[nodiscard]] const std::map<SourceId, Source>& sources() const { return facts_.sources; }
    [[nodiscard]] const Source* source(SourceId id) const;
    [[nodiscard]] const Source* source_of(const Lane& lane) const { return source(lane.channel().source); }
    [[nodiscard]] const std::map<ThreadId, Thread>& threads() const { return facts_.threads; }
    [[nodiscard]] const Thread* thread(ThreadId id) const;

    // The host's TSC by all snapshots, of which a long recording has many: fitted when it is asked for.
    [[nodiscard]] const time::ClockMap& clock() const {
        if (is_clock_stale_) fit_clock();
        return facts_.clock;
    }
    // People look at times while the clock is still being learned: from here on none moves by more than the error it has now.
    void note_shown() { facts_.shown.note(clock()); }
    // What was noted of another session of the same agent counts here too.
    void note_shown_as(const Session& other);
    [[nodiscard]] const std::vector<time::ClockSnapshot>& snapshots() const { return facts_.snapshots; }
    // The wall clock of the origin's host, by all snapshots; made when it is asked for.
    [[nodiscard]] const time::WallAxis& wall() const;
    [[nodiscard]] const std::vector<PeerClock>& peer_clocks() const { return facts_.peer_clocks; }
    // By id; empty: all stamps are of the origin's host.
    [[nodiscard]] const std::map<std::uint32_t, Host>& hosts() const { return facts_.hosts; }
    [[nodiscard]] const Host* host_of(const Lane& lane) const;  // null: the origin's
    [[nodiscard]] std::uint32_t host_id_of(const Lane& lane) const {
        const Host* host = host_of(lane);
        return host == nullptr ? 0 : host->id;
    }
    [[nodiscard]] const time::HostErrors* errors_of(const Lane& lane) const;
    // Error (±, ps) of the time between two stamps, whose hosts may differ.
    [[nodiscard]] std::int64_t error_between(const Lane& from, std::uint64_t from_tick, const Lane& to,
                                             std::uint64_t to_tick, time::Stamps stamps) const;
    // The clock for many times between stamps of these two.
    [[nodiscard]] time::ClockMap clock_between(const Lane& from, const Lane& to) const {
        return time::clock_between(clock(), errors_of(from), errors_of(to));
    }
    // What one stamp costs, as the agent measured it; 0: not known.
    [[nodiscard]] std::uint32_t stamp_ticks() const;

    [[nodiscard]] std::uint64_t watermark() const { return watermark_; }
    // There were rows before the first ones here: a later file of several, what an agent still held, a recording of one that
    // ran already.
    [[nodiscard]] bool begins_late() const { return facts_.begins_late; }
    // What of the time before was not asked for; nothing when all was. Of a lane: when nothing of it can be in that time.
    [[nodiscard]] const std::optional<History>& history() const { return facts_.history; }
    [[nodiscard]] std::optional<History> unfetched(const Lane& lane) const;
    // Rows up to here have their final place: the watermark, or everything once the stream has ended.
    [[nodiscard]] std::uint64_t final_tick() const { return facts_.ended ? kNever : watermark_; }
    // First and newest tick of any event, 0 when there are none.
    [[nodiscard]] std::uint64_t first_tick() const { return is_empty() ? 0 : changes_.first_tick(); }
    [[nodiscard]] std::uint64_t last_tick() const { return changes_.last_tick(); }
    [[nodiscard]] std::uint64_t events() const { return changes_.totals().events; }  // without gap rows
    // By gap rows, without what was only not kept; gap rows of which nobody knows how many events they stand for.
    [[nodiscard]] std::uint64_t lost() const { return changes_.totals().lost; }
    [[nodiscard]] std::uint64_t uncounted_losses() const { return changes_.totals().uncounted; }
    [[nodiscard]] std::uint64_t not_kept() const { return changes_.totals().not_kept; }
    // Neither an event nor a gap is there.
    [[nodiscard]] bool is_empty() const { return changes_.first_tick() == kNever; }
    // The same as numbers of all lanes together, and which of them changed last.
    [[nodiscard]] const LaneChanges& changes() const { return changes_; }

    [[nodiscard]] const Ledger* ledger(ChannelId id) const;
    [[nodiscard]] const Health& health() const { return facts_.health; }
    [[nodiscard]] const std::vector<Shot>& shots() const { return facts_.shots; }  // by tick
    [[nodiscard]] std::vector<Shot>::const_iterator first_shot_from(std::uint64_t tick) const;
    [[nodiscard]] const std::vector<Note>& notes() const { return facts_.notes; }
    [[nodiscard]] std::uint64_t damage_count() const { return facts_.damage_count; }
    [[nodiscard]] bool ended() const { return facts_.ended; }
    [[nodiscard]] const std::string& end_reason() const { return facts_.end_reason; }
    // Changes with every change of anything above, so that pictures know when to be made anew.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    // Changes with what is said about rows (names, clocks, hosts), not with rows, ledgers or the agent's health.
    [[nodiscard]] std::uint64_t description_revision() const { return description_revision_; }

    // Where the rows come from that are not in memory; null: all are.
    [[nodiscard]] PageSource* page_source() const { return page_source_.get(); }
    // How often somebody had to wait for a page: what frames never do.
    [[nodiscard]] std::uint64_t page_waits() const { return page_source_ == nullptr ? 0 : page_source_->waits(); }
    // Changes when pages that were asked for have come.
    [[nodiscard]] std::uint64_t pages_revision() const { return pages_revision_; }

    static constexpr std::size_t kMaxNotes = 1000;
    static constexpr std::size_t kMaxShots = 100'000;
    static constexpr std::size_t kMaxHosts = 4096;
    static constexpr std::size_t kMaxPeerClocks = 100'000;

private:
    friend struct SessionView::State;
    friend class SessionView::Gathering;
    [[nodiscard]] std::shared_ptr<SessionView::State> begin_view() const;
    void change() {
        note_numbers();
        ++description_revision_;
    }
    void note_numbers() {
        touch();
        ++facts_revision_;
    }
    void forget_clock();
    void fit_clock() const;

    std::shared_ptr<PageSource> page_source_;  // first, so that it outlives the lanes
    LaneChanges changes_;                      // likewise
    std::map<ChannelId, std::unique_ptr<Lane>> by_id_;
    std::vector<Lane*> lanes_;
    mutable SessionFacts facts_;  // for its clock
    mutable bool is_clock_stale_ = true;
    std::uint64_t facts_revision_ = 0;
    std::uint64_t description_revision_ = 0;
    mutable std::shared_ptr<const SessionFacts> viewed_facts_;     // of the last view
    mutable std::uint64_t viewed_revision_ = 0;                    // of facts_, then
    mutable bool are_ledgers_shared_ = false;                      // with a view: there may be one a lane
    std::set<std::pair<std::string, std::uint64_t>> shots_known_;  // trigger and tick
    mutable std::optional<time::WallAxis> wall_;                   // nothing: to be made anew
    std::uint64_t watermark_ = 0;
    std::uint64_t revision_ = 0;
    std::uint64_t pages_revision_ = 0;
};

}  // namespace sla::store
