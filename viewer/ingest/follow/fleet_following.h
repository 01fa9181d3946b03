// FleetFollowing: what several hosts go on publishing, as one stream of frames that goes on where their captures were opened.
//
//   host 1   FleetTail ─► frames ─► ids and ticks of the whole ─┐
//   host 2   FleetTail ─► frames ─► ids and ticks of the whole ─┴─► give()      the watermark is that of the host furthest behind
//
// A host of which nothing is received holds nobody up; when it comes back with what is older than what became final,
// the captures must be opened anew, and until then it is held back. No thread of its own; time is given by the caller.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/fleet/registry.h"
#include "viewer/fleet/fleet_tail.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/merged/merged_parts.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::ingest {

struct FollowedHost {
    fleet::RunEntry run;
    std::shared_ptr<const fleet::MessageStore> messages;
    fleet::CaptureName capture;
    fleet::TailStart tail;
    std::uint64_t complete_until = 0;  // by its own ticks: no earlier row comes after it was opened
};

struct FollowOptions {
    // A publisher writes to the registry every two seconds.
    static constexpr std::chrono::seconds kSilence{10};

    std::vector<FollowedHost> hosts;
    std::shared_ptr<const MergedParts> parts;  // one for each host, in the same order; null: one host, as it is
    // What the address means now, by the registry.
    std::function<Result<std::vector<fleet::RunEntry>>()> runs;
    std::chrono::seconds silence = kSilence;  // of a host that holds others up no longer
};

struct FollowReport {
    std::size_t live = 0;
    std::size_t silent = 0;
    std::size_t ended = 0;
    std::string message;           // for people; empty while all hosts are live
    bool wants_reopening = false;  // there is more than can be put behind what is there
};

class FleetFollowing {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Give = std::function<void(FrameItem)>;
    FleetFollowing(FollowOptions options, Time now);

    // At most a chunk of every host. True: there may be more at once. `goes_on` (may be empty): false leaves questions unanswered.
    bool step(Time now, const Give& give, const std::function<bool()>& goes_on = {});
    // Asks the registry; every two seconds or so.
    void look(Time now);
    [[nodiscard]] FollowReport report(Time now) const;

private:
    struct Host {
        FollowedHost of;
        const MergedPart* part = nullptr;
        fleet::FleetTail tail;
        capture::RepeatedNames names;
        std::uint64_t reached = 0;  // nothing from before this is still to come
        Time last_seen;             // of its agent, or from it
        bool says_end = false;      // the registry does
        bool has_ended = false;
        bool is_held_back = false;
    };
    [[nodiscard]] bool is_silent(const Host& host, Time now) const {
        return !host.has_ended && now - host.last_seen >= silence_;
    }
    [[nodiscard]] static bool is_asked(const Host& host) { return !host.has_ended && !host.is_held_back; }
    void ask(Time now, const std::function<bool()>& goes_on);
    bool step(Host& host, Time now, const Give& give);
    void take(Host& host, const fleet::FleetTail::Chunk& chunk, const Give& give);
    void report_watermark(Time now, const Give& give);
    [[nodiscard]] static std::uint64_t own_watermark(const Host& host, const fleet::FleetTail::Chunk& chunk);

    std::shared_ptr<const MergedParts> parts_;
    std::function<Result<std::vector<fleet::RunEntry>>()> runs_;
    std::chrono::seconds silence_;
    std::vector<Host> hosts_;
    std::uint64_t watermark_ = 0;
    bool has_ended_ = false;
    bool has_others_ = false;  // hosts or captures that are not followed
    std::string trouble_;      // why the servers do not answer; empty: they do
};

}  // namespace sla::ingest
