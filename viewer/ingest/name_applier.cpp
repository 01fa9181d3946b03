// What a stream announces: sources, channels and threads, matched with those of an agent before it.
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/applier_state.h"

namespace sla::ingest {

namespace {

constexpr std::size_t kMaxLanes = std::size_t{1} << 20;
constexpr std::size_t kMaxNames = std::size_t{1} << 20;  // sources, threads: what a broken stream may make us keep

store::SourceKind kind_from(wire::SourceKind kind) {
    switch (kind) {
        case wire::SOURCE_PROGRAM: return store::SourceKind::kProgram;
        case wire::SOURCE_PC: return store::SourceKind::kPc;
        case wire::SOURCE_HOST: return store::SourceKind::kHost;
        case wire::SOURCE_AGENT: return store::SourceKind::kAgent;
        default: return store::SourceKind::kUnknown;
    }
}

store::Stamping stamping_from(wire::Channel::Stamping stamping) {
    switch (stamping) {
        case wire::Channel::STAMPING_RDTSCP: return store::Stamping::kRdtscp;
        case wire::Channel::STAMPING_LFENCE_RDTSC: return store::Stamping::kLfenceRdtsc;
        default: return store::Stamping::kRdtsc;
    }
}

}  // namespace

void FrameApplier::State::on_source(const wire::Source& in) {
    if (!sources.knows(in.id())) {
        if (session.sources().size() >= kMaxNames) return damage("too many sources; '" + in.name() + "' is left out");
        const SourceId* twin = nullptr;
        for (const auto& [id, known] : session.sources()) {
            if (!had_other_agent) break;
            if (known.name == in.name() && known.pid == in.pid() && !sources.taken(id)) twin = &id;
        }
        sources.announce(in.id(), twin, [&](SourceId id) { return session.source(id) == nullptr; });
    }
    session.add_source({sources[in.id()], kind_from(in.kind()), in.name(), in.pid(), in.command(), in.clock_domain(),
                        in.ended(), in.section_ticks(), in.host()});
}

void FrameApplier::State::on_channel(const wire::Channel& in) {
    const SourceId source = sources[in.source()];
    if (!sources.knows(in.source())) damage("channel '" + in.name() + "' belongs to a source that was never announced");
    if (!channels.knows(in.id())) {
        if (session.lanes().size() >= kMaxLanes) return damage("too many channels; '" + in.name() + "' is left out");
        const ChannelId* twin = nullptr;
        for (const store::Lane* lane : session.lanes()) {
            if (!had_other_agent) break;
            const store::Channel& known = lane->channel();
            if (known.name == in.name() && known.source == source && !channels.taken(known.id)) twin = &known.id;
        }
        channels.announce(in.id(), twin, [&](ChannelId id) { return session.lane(id) == nullptr; });
    }
    streams[in.id()].lane = &session.add_channel({channels[in.id()], source, in.name(), in.format(), in.overwrite(),
                                                  stamping_from(in.stamping()), in.section_ticks()});
}

void FrameApplier::State::on_thread(const wire::Thread& in) {
    const SourceId source = sources[in.source()];
    if (!threads.knows(in.id())) {
        if (session.threads().size() >= kMaxNames) return damage("too many threads; '" + in.name() + "' is left out");
        const ThreadId* twin = nullptr;
        const bool may_have_twin = had_other_agent && session.thread(ThreadId{in.id()}) != nullptr;
        for (const auto& [id, known] : session.threads()) {
            if (!may_have_twin) break;
            if (known.tid == in.tid() && known.source == source && !threads.taken(id)) twin = &id;
        }
        threads.announce(in.id(), twin, [&](ThreadId id) { return session.thread(id) == nullptr; });
    }
    session.add_thread({threads[in.id()], source, in.tid(), in.name()});
}

void FrameApplier::State::take_names(const capture::CaptureIndex& index) {
    if (had_other_agent || is_of_another_boot) return;
    wire::Frame frame;
    for (const std::string& bytes : index.lasting()) {
        if (!wire::parse_message(bytes, frame)) continue;
        switch (frame.body_case()) {
            case wire::Frame::kHello:
                if (!session.has_origin()) on_message(frame);
                break;
            case wire::Frame::kSource:
            case wire::Frame::kChannel:
            case wire::Frame::kThread:
            case wire::Frame::kClock:
            case wire::Frame::kHost:
            case wire::Frame::kPeerClock: on_message(frame); break;
            default: break;
        }
    }
}

}  // namespace sla::ingest
