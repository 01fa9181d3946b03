// FollowedEvents: what an agent sends or a fleet publishes, for who walks over it once and never looks back, for days if need
// be. The session has the rows that were not passed yet, and what is known of the others together.
//
//   take_in() ─► session() ─► rows from begins() up to final_tick() are walked over ─► pass() ─► take_in() ...
//
//   rows       walked over ──┬── final ──┬── may be joined by others ──►
//                         begins()   known_tick() = final_tick()          while something is waited for
//                         begins()   known_tick()     final_tick()        nothing more is: all that has come is final
//
// A fleet is opened anew when a host or a capture comes to it: session() is another one then, begins() says where it goes on.
// One thread.
#pragma once

#include "proto/base/result.h"
#include "viewer/store/session.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::ingest {

struct FollowedEventsOptions {
    std::string client = "sla";
    std::vector<std::string> channels;    // globs an agent may use to send less
    std::optional<std::int64_t> from_ps;  // what is held from this time of the capture on comes first; nothing: from now on
    // From now on: every row from begins_now() on comes, and some of before, so that levels are known.
    bool knows_begin = false;
    std::function<bool()> goes_on;  // asked while one waits; false stops
};

class FollowedEvents {
public:
    virtual ~FollowedEvents() = default;
    // An address of an agent ("": this user's) or of a fleet. Waits for it.
    static Result<std::unique_ptr<FollowedEvents>> open(const std::string& target, const FollowedEventsOptions& options);

    // Waits that long at most for something, and takes in what has come. An error: nothing more comes, and why.
    virtual Result<void> take_in(std::chrono::milliseconds wait) = 0;
    [[nodiscard]] virtual const store::Session& session() const = 0;
    // Nothing at or below it is still to come; kNever: nothing at all is. Of a fleet it is that of the host furthest behind,
    // where the session's own watermark is that of the newest row there was when it was opened.
    [[nodiscard]] virtual std::uint64_t final_tick() const = 0;
    // Up to there all is known that the machine's clock stamps: behind it, that nothing came says nothing.
    [[nodiscard]] virtual std::uint64_t known_tick() const = 0;
    // Rows from this tick on are new, but for the first given() ones of a lane.
    [[nodiscard]] virtual std::uint64_t begins() const = 0;
    [[nodiscard]] virtual std::uint64_t given(const store::Lane& lane) const = 0;
    // With knows_begin, of what is followed from now on: rows from this tick on are all there. Stays what it is.
    [[nodiscard]] virtual std::uint64_t begins_now() const { return begins(); }
    // What a lane is called in whatever session.
    [[nodiscard]] virtual std::string name_of(const store::Lane& lane) const = 0;
    // All rows below that tick were walked over; kNever: all.
    virtual void pass(std::uint64_t until) = 0;
    // Nothing more is waited for: all that has come is final, also what a guest has marked ahead of the machine's clock. What is
    // known stays what it was.
    virtual void stop() = 0;
    // The agent, or all hosts, said that nothing more comes.
    [[nodiscard]] bool has_ended() const { return session().ended(); }
    // What people should know, once each; empty: nothing new.
    [[nodiscard]] virtual std::string take_news() = 0;
};

}  // namespace sla::ingest
