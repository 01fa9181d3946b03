// What is asked of this host on its control subject: requests of control.proto, handed to the agent's one handler of them. Who
// may ask is the servers' affair (permissions of NATS); whether anybody may is this agent's (`--fleet-control`).
//
//   libnats' thread: on_message ──► Apply ──► the draining thread ──► answered ──► Member's thread: send_answers ──► the one who asked
//
// So the draining thread never touches the network. At most kMaxAtOnce requests are under way; what is refused is answered
// the same way.
#pragma once

#include "proto/fleet/connection.h"
#include "proto/fleet/listener.h"
#include "proto/fleet/talk.h"
#include "proto/wire/control.pb.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sla::member {

class ControlHandler {
public:
    static constexpr std::size_t kMaxAtOnce = 64;
    static constexpr std::size_t kMaxWaiting = 256;  // answers; who floods us gets fewer
    // `answered` is called once, from any thread: what went wrong, empty: nothing did.
    using Answered = std::function<void(const std::string& error)>;
    using Apply = std::function<void(wire::Request request, Answered answered)>;

    ControlHandler(std::string host, fleet::Control may, Apply apply)
        : host_(std::move(host)), may_(may), apply_(std::move(apply)), box_(std::make_shared<Box>()) {}

    // Any thread.
    void on_message(const fleet::Received& message);
    // What has been answered since.
    struct Reply {
        std::string to;
        std::string body;
    };
    std::vector<Reply> take_answers();

private:
    // Outlives us in the requests that nobody has answered yet.
    struct Box {
        std::mutex mutex;
        std::vector<Reply> answers;  // under mutex, as the next
        std::size_t under_way = 0;
    };
    [[nodiscard]] std::string refusal(std::string_view body, wire::Request& request) const;

    const std::string host_;
    const fleet::Control may_;
    const Apply apply_;
    std::shared_ptr<Box> box_;
};

}  // namespace sla::member
