// FleetTail: what is published of a capture from a TailStart on, chunk after chunk in order and each once.
//
//   stream     ... 7 8 10 9 9 11 ...          resent messages come late, or twice
//   held            10      11                until what is missing before them has come, or has had its time
//   given      7 8 ── 9 10 11
//
// Trusts no message. Memory: the chunks that are held, kMaxHeld at most. One owner, one thread; time is given by the caller.
#pragma once

#include "proto/base/result.h"
#include "viewer/fleet/chunk_order.h"
#include "viewer/fleet/fleet_catalog.h"
#include "viewer/fleet/message_store.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::fleet {

class FleetTail {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::size_t kMaxHeld = 64;
    // At most so many messages of which none is new are looked at before others have their turn.
    static constexpr int kMaxAtOnce = 256;
    // Longer than an agent goes on resending through an election.
    static constexpr std::chrono::seconds kTimeout{20};

    struct Chunk {
        ChunkKey key;
        std::vector<std::string> frames;  // serialized; without the End that says in which piece it goes on
        bool ends_capture = false;        // an End that says no such thing
        std::string damage;               // what is missing before it or cannot be read; empty: nothing
    };

    FleetTail(std::shared_ptr<const MessageStore> messages, CaptureName name, const TailStart& start);

    // The next chunk; nothing: ask again later. An error: the servers do not answer.
    Result<std::optional<Chunk>> next(Time now);
    // The same in steps, for who asks for many captures at once. A chunk that is there:
    std::optional<Chunk> take_due(Time now);
    // Nothing: one is there.
    [[nodiscard]] std::optional<MessageQuestion> question(Time now) const;
    // Its answer. False: there is no more now.
    Result<bool> take(Result<StoredMessage> answer, Time now);
    [[nodiscard]] std::size_t held() const { return held_.size(); }

private:
    struct Held {
        std::string body;
        Time since;
    };
    void take(StoredMessage message, Time now);
    [[nodiscard]] bool is_due(Time now) const;
    Chunk give_first();

    std::shared_ptr<const MessageStore> messages_;
    CaptureName name_;
    std::string subject_;
    TailStart at_;
    std::map<ChunkKey, Held> held_;
};

}  // namespace sla::fleet
