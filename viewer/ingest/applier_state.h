// What FrameApplier keeps of a stream between frames. Private to the room.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/id_map.h"
#include "viewer/ingest/known_rows.h"

#include <string>
#include <unordered_map>

namespace sla::ingest {

// The run of one channel's batches.
struct ChannelStream {
    store::Lane* lane = nullptr;
    std::uint64_t next_ordinal = 0;
    std::uint64_t explained = 0;  // missing ordinals that the newest rows explain, gaps that say so
    bool started = false;         // next_ordinal is known
    bool resumed = false;         // reconnected: ordinals below next_ordinal are history that is here already
};

struct FrameApplier::State {
    explicit State(store::Session& into) : session(into) {}

    void damage(std::string text, std::uint64_t tick = 0);
    void on_message(const wire::Frame& frame);
    void on_hello(const wire::Hello& hello);
    void mark_time_without_agent(std::uint64_t until_tick);
    void on_source(const wire::Source& in);
    void on_channel(const wire::Channel& in);
    void on_thread(const wire::Thread& in);
    void take_names(const capture::CaptureIndex& index);
    void on_clock(const wire::Clock& in);
    void on_host(const wire::Host& in);
    void on_peer_clock(const wire::PeerClock& in);
    void on_shot(const wire::Shot& in);
    void on_status(const wire::Status& in);
    void on_history(const wire::History& in);
    void on_end(const wire::End& in);
    using Ledgers = google::protobuf::RepeatedPtrField<wire::ChannelStatus>;
    void on_ledgers(const Ledgers& ledgers);
    void on_retired(const wire::Retired& in);

    void on_batch(const wire::EventBatch& batch);
    // How many events at the batch's front are known already; accounts for what is missing before it.
    std::size_t reconcile(ChannelStream& stream, const wire::EventBatch& batch);
    void end(ChannelStream& stream, ChannelId channel, const KnownRows::Extent& extent);
    // Of a channel's first batch: rows that are missing before it.
    void begin(ChannelStream& stream, const wire::EventBatch& batch);
    // The stream's rows [first, end) of the channel, which lie up to that tick, did not come; so many ordinals among them
    // were never rows of this stream.
    void append_missing(ChannelStream& stream, ChannelId channel, std::uint64_t first, std::uint64_t end,
                        std::uint64_t until_tick, std::uint64_t explained = 0);
    void append_loss(store::Lane& lane, const capture::GapRow& loss, std::uint64_t until_tick);
    void append(ChannelStream& stream, const wire::EventBatch& batch, std::size_t skip);
    void refuse(ChannelStream& stream, const wire::EventBatch& batch, std::size_t skip, const std::string& why);

    store::Session& session;
    std::unordered_map<std::uint32_t, ChannelStream> streams;  // by the stream's channel id
    KnownRows told;                                            // of the stream's channels
    IdMap<SourceId> sources;
    IdMap<ChannelId> channels;
    IdMap<ThreadId> threads;
    std::uint64_t dropped_events = 0;
    bool had_other_agent = false;     // whose names may come again
    bool is_of_another_boot = false;  // what comes now, until a Hello of the host's boot that the session is of
    std::function<void(store::Lane&)> on_growth;
};

}  // namespace sla::ingest
