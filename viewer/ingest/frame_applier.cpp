// The stream and its clocks. Names are in name_applier.cpp, batches in batch_applier.cpp, the ledger in status_applier.cpp.
#include "viewer/ingest/frame_applier.h"

#include "proto/wire/clock_codec.h"
#include "proto/wire/version.h"
#include "viewer/ingest/applier_state.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/store/machine_time.h"

#include <algorithm>

namespace sla::ingest {

FrameApplier::FrameApplier(store::Session& session) : state_(std::make_unique<State>(session)) {}
FrameApplier::FrameApplier(FrameApplier&&) noexcept = default;
FrameApplier::~FrameApplier() = default;

store::Session& FrameApplier::session() {
    return state_->session;
}
std::uint64_t FrameApplier::dropped_events() const {
    return state_->dropped_events;
}
void FrameApplier::apply(std::string_view serialized_frame) {
    apply(decode_frame(serialized_frame));
}

void FrameApplier::apply(const FrameItem& item) {
    switch (item.what) {
        case FrameItem::What::kMessage: state_->on_message(item.message); break;
        case FrameItem::What::kBatch: state_->on_batch(item.batch); break;
        case FrameItem::What::kDamage: state_->damage(item.damage); break;
        case FrameItem::What::kNewStream: begin_stream(); break;
    }
}

void FrameApplier::on_growth(std::function<void(store::Lane&)> notify) {
    state_->on_growth = std::move(notify);
}

void FrameApplier::begin_stream() {
    for (auto& [id, stream] : state_->streams) stream.resumed = true;
    if (state_->session.has_origin()) state_->session.reopen();
}

void FrameApplier::go_on_from(std::uint32_t channel, std::uint64_t next_ordinal) {
    ChannelStream& stream = state_->streams[channel];
    stream.next_ordinal = next_ordinal;
    stream.started = true;
}

void FrameApplier::expect(std::shared_ptr<const capture::CaptureIndex> index) {
    if (is_of_one_agent(*index)) state_->take_names(*index);
    state_->told.add(std::move(index));
}

void FrameApplier::expect(const capture::LostRows& rows) {
    state_->told.add(rows);
}

void FrameApplier::end_expected() {
    if (state_->had_other_agent) return;  // one number may mean two channels
    for (const auto& [channel, extent] : state_->told.extents()) {
        const auto found = state_->streams.find(channel.value);
        if (found != state_->streams.end() && found->second.lane != nullptr) state_->end(found->second, channel, extent);
    }
}

void FrameApplier::lose_end(const capture::LostRows& lost) {
    const auto found = state_->streams.find(lost.channel.value);
    store::Lane* const lane = found == state_->streams.end() ? nullptr : found->second.lane;
    if (lane == nullptr) return;
    const std::uint64_t from = std::max(lane->last_tick(), std::min(lost.first_tick, SLA_TICK_MASK));
    lane->append_gap(from, std::max(from, std::min(lost.last_tick, SLA_TICK_MASK)), lost.rows, 0, wire::LossCause::kDamaged);
    state_->session.touch();
    if (state_->on_growth) state_->on_growth(*lane);
}

void FrameApplier::State::damage(std::string text, std::uint64_t tick) {
    session.add_note({tick, std::move(text), true});
}

void FrameApplier::State::on_message(const wire::Frame& frame) {
    if (is_of_another_boot && !frame.has_hello()) return;
    switch (frame.body_case()) {
        case wire::Frame::kHello: on_hello(frame.hello()); break;
        case wire::Frame::kSource: on_source(frame.source()); break;
        case wire::Frame::kChannel: on_channel(frame.channel()); break;
        case wire::Frame::kThread: on_thread(frame.thread()); break;
        case wire::Frame::kClock: on_clock(frame.clock()); break;
        case wire::Frame::kStatus: on_status(frame.status()); break;
        case wire::Frame::kLedgers: on_ledgers(frame.ledgers().channels()); break;
        case wire::Frame::kRetired: on_retired(frame.retired()); break;
        case wire::Frame::kWatermark:
            session.set_watermark(std::min<std::uint64_t>(frame.watermark().tick(), SLA_TICK_MASK));
            break;
        case wire::Frame::kEnd: on_end(frame.end()); break;
        case wire::Frame::kNotice:
            session.add_note({frame.notice().tick(), frame.notice().text(), frame.notice().damage()});
            break;
        case wire::Frame::kHost: on_host(frame.host()); break;
        case wire::Frame::kPeerClock: on_peer_clock(frame.peer_clock()); break;
        case wire::Frame::kShot: on_shot(frame.shot()); break;
        case wire::Frame::kHistory: on_history(frame.history()); break;
        case wire::Frame::kAnswer:
        case wire::Frame::kBatch:
        case wire::Frame::BODY_NOT_SET: break;  // not for the store, or a body of a later version
    }
}

void FrameApplier::State::on_hello(const wire::Hello& hello) {
    if (hello.version() < wire::kOldestWireVersion || hello.version() > wire::kWireVersion) {
        damage("the stream is of version " + std::to_string(hello.version()) + ", this viewer reads version " +
               std::to_string(wire::kOldestWireVersion) + " to " + std::to_string(wire::kWireVersion) +
               "; what it does not know is missing");
    }
    store::Origin origin{hello.agent(),     hello.host(),       hello.capture_id(), hello.start_tick(),
                         hello.agent_pid(), hello.begin_tick(), hello.boot_id()};
    const std::string known_boot = session.has_origin() ? session.origin().boot_id : "";
    is_of_another_boot = !known_boot.empty() && !origin.boot_id.empty() && known_boot != origin.boot_id;
    if (is_of_another_boot) {
        return damage(
            "the host was started anew, and its clock with it: what it sends from here on is of another time and is "
            "left out; connect anew to see it");
    }
    if (session.has_origin()) {
        origin.start_tick = session.origin().start_tick;  // time goes on from where it began
        if (origin.capture_id != session.origin().capture_id) {
            had_other_agent = true;
            streams.clear();
            sources.forget();
            channels.forget();
            threads.forget();
            session.add_note({0,
                              "another agent answers (process " + std::to_string(hello.agent_pid()) +
                                  "): the lanes go on, and the time nobody recorded is hatched",
                              false});
            mark_time_without_agent(hello.start_tick());
        }
    }
    session.set_origin(std::move(origin));
}

// The agent before had reported everything up to its watermark; what then happened until this one began nobody saw. Of a program
// that had ended it has seen all.
void FrameApplier::State::mark_time_without_agent(std::uint64_t until_tick) {
    const std::uint64_t known = session.watermark();
    until_tick = std::min<std::uint64_t>(until_tick, SLA_TICK_MASK);
    for (store::Lane* lane : session.lanes()) {
        const std::uint64_t from = std::max(lane->last_tick(), known == SLA_TICK_MASK ? known : known + 1);
        const store::Source* const source = session.source_of(*lane);
        const bool has_ended = source != nullptr && source->ended;
        if (lane->empty() || has_ended || until_tick <= from) continue;
        lane->append_gap(from, until_tick, 0, 0, wire::LossCause::kNoAgent);
        if (on_growth) on_growth(*lane);
    }
    session.touch();
}

void FrameApplier::State::on_clock(const wire::Clock& in) {
    session.add_clock(in.domain(), wire::snapshot_from(in));
}

// Its steps and jumps are trusted as little as all else: out of order they are not kept.
void FrameApplier::State::on_host(const wire::Host& in) {
    store::Host host;
    host.id = in.id();
    host.name = in.name();
    host.boot_id = in.boot_id();
    host.placed_by = in.placed_by();
    host.errors = wire::errors_from(in);
    if (in.has_wall()) host.wall = wire::wall_from(in.wall());
    session.add_host(std::move(host));
}

void FrameApplier::State::on_peer_clock(const wire::PeerClock& in) {
    constexpr std::uint64_t kMaxErrorNs = 1'000'000'000'000;
    const auto error_ns = static_cast<std::int64_t>(std::min<std::uint64_t>(in.error_ns(), kMaxErrorNs));
    session.add_peer_clock({in.host(), in.boot_id(), {in.tick(), in.peer_tick(), error_ns}, in.problem()});
}

void FrameApplier::State::on_shot(const wire::Shot& in) {
    const std::uint64_t begin = std::min(in.begin_tick(), in.tick());
    const std::uint64_t end = std::max(in.end_tick(), in.tick());
    session.add_shot({in.trigger_name(), in.number(), in.tick(), begin, end, in.what()});
}

// A file ends where its rows do, and those of a source that makes up its time may lie far ahead of the machine's clock: where there
// is one, how far that has come is said by watermarks alone.
void FrameApplier::State::on_end(const wire::End& in) {
    const std::uint64_t tick = std::min<std::uint64_t>(in.tick(), SLA_TICK_MASK);
    session.set_ended(store::has_own_times(session) ? session.watermark() : tick, in.reason());
}

void FrameApplier::State::on_history(const wire::History& in) {
    session.set_history(
        {in.oldest_tick(), std::min<std::uint64_t>(in.from_tick(), SLA_TICK_MASK), session.origin().capture_id});
}

}  // namespace sla::ingest
