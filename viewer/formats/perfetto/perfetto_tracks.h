// The tracks of a Perfetto trace, and which lane and thread each of them is.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/perfetto/perfetto.pb.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sla::formats {

struct PerfettoTrack {
    std::uint32_t channel = 0;
    std::uint32_t thread = 0;
    std::string name;
};

class PerfettoTracks {
public:
    explicit PerfettoTracks(CaptureSink& sink) : sink_(sink) {}

    void describe(const sla::perfetto::TrackDescriptor& track) { described_[track.uuid()] = track; }

    // Null: that track is no counter.
    [[nodiscard]] const sla::perfetto::CounterDescriptor* counter(std::uint64_t uuid) const {
        const auto at = described_.find(uuid);
        return at == described_.end() || !at->second.has_counter() ? nullptr : &at->second.counter();
    }

    // `channel`: of an event on its thread's track that names its channel itself; empty: the track is the channel.
    Result<PerfettoTrack> find(std::uint64_t uuid, const std::string& channel) {
        const auto [at, is_new] = tracks_.try_emplace({uuid, channel});
        PerfettoTrack& track = at->second;
        if (!is_new) return track;
        const Descriptor* thread = ancestor(uuid, [](const Descriptor& one) { return one.has_thread(); });
        const auto described = described_.find(uuid);
        track.name = !channel.empty() || described == described_.end() ? channel : described->second.name();
        std::string name = track.name;
        if (name.empty() && thread != nullptr) name = thread->thread().thread_name();
        if (name.empty()) name = "track " + std::to_string(uuid);
        const std::uint32_t source = source_of(uuid, thread);
        const auto number = sink_.channel(source, name);
        if (!number.ok()) return number.error();
        track.channel = *number;
        if (thread != nullptr)
            track.thread = sink_.thread(source, thread->thread().thread_name(),
                                        static_cast<std::uint32_t>(std::max(thread->thread().tid(), 0)));
        return track;
    }

private:
    using Descriptor = sla::perfetto::TrackDescriptor;

    // The nearest ancestor that has what is looked for; null: none has.
    template <typename Has>
    const Descriptor* ancestor(std::uint64_t uuid, Has has) const {
        constexpr std::size_t kMaxParents = 8;
        for (std::size_t i = 0; i < kMaxParents; ++i) {
            const auto at = described_.find(uuid);
            if (at == described_.end()) return nullptr;
            if (has(at->second)) return &at->second;
            uuid = at->second.parent_uuid();
        }
        return nullptr;
    }
    std::uint32_t source_of(std::uint64_t uuid, const Descriptor* thread) {
        const Descriptor* process = ancestor(uuid, [](const Descriptor& one) { return one.has_process(); });
        if (process != nullptr) return sink_.source(process->process().process_name(), pid_of(process->process().pid()));
        if (thread != nullptr && thread->thread().pid() != 0)
            return sink_.source("process " + std::to_string(thread->thread().pid()), pid_of(thread->thread().pid()));
        return sink_.source("trace");
    }
    // Numbers that `sla export` gave to sources without a process are none.
    static std::uint32_t pid_of(std::int32_t pid) {
        return pid > 0 && pid < 0x40000000 ? static_cast<std::uint32_t>(pid) : 0;
    }

    CaptureSink& sink_;
    std::map<std::uint64_t, Descriptor> described_;
    std::map<std::pair<std::uint64_t, std::string>, PerfettoTrack> tracks_;
};

}  // namespace sla::formats
