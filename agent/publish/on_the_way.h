// Messages that were sent to the cluster and are not answered yet.
//
// In one stream what is sent later comes later, unless it was there already. Servers that came back without what they had
// stored begin anew, and with the chunks that they had the names are gone: readers can do nothing with the rest.
// One owner, one thread.
#pragma once

#include "agent/publish/sender.h"
#include "proto/fleet/names.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sla::publish {

class OnTheWay {
public:
    struct Message {
        std::size_t bytes = 0;
        std::uint32_t shard = 0;
        std::uint64_t complaints = 0;  // of the servers, when it was sent
    };
    void add(const fleet::MessageId& id, const Message& message);

    struct Answered : Message {
        bool is_in_new_stream = false;  // what the shard's stream held before is gone
    };
    // It is no longer on the way. Nothing: it was not, as its connection was given up meanwhile.
    std::optional<Answered> take(const Answer& answer);
    // The connection is gone, and nobody waits for what was on the way.
    std::vector<fleet::MessageId> give_up();

    [[nodiscard]] std::size_t count() const { return sent_.size(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    struct Sent {
        Message message;
        std::uint64_t newest_at = 0;  // of its shard, when it was sent: it comes behind that, in the same stream
    };
    bool is_in_new_stream(const Answer& answer, const Sent& sent);

    std::map<fleet::MessageId, Sent> sent_;
    std::size_t bytes_ = 0;                             // of them
    std::map<std::uint32_t, std::uint64_t> newest_at_;  // by shard: the last place in its stream that was acknowledged
};

}  // namespace sla::publish
