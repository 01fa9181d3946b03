// Who is connected to a running PC's socket: lines of each come in, one at a time, and its answers go out.
//
//   line ──► calls.line, then answer(…, is_last) ──► the next line        "ok BYTES\n", or another word, and the text
//
// A client that has a command running, or does not take its answers, is not listened to meanwhile. One owner thread.
#pragma once

#include "emu/control/door.h"
#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sla::control {

using ClientId = std::uint64_t;

// As they go out (proto/common/guest_client.h).
std::string answer_text(const Result<std::string>& done);
std::string note_text(const std::string& text);

class ControlClients {
public:
    struct Calls {
        std::function<void(ClientId, const std::string& line)> line;  // it is to be run and answered
        std::function<void(ClientId)> gone;
    };
    // Both descriptors are the caller's; `wake` is readable when step() is to return.
    ControlClients(int listener, int wake, Calls calls) : door_(listener), wake_(wake), calls_(std::move(calls)) {}
    ~ControlClients();
    ControlClients(const ControlClients&) = delete;
    ControlClients& operator=(const ControlClients&) = delete;

    // Waits until something happens, and does what is to be done. True: `wake` is readable.
    bool step();
    // Of one that is gone: nothing.
    void answer(ClientId to, const std::string& text, bool is_last);

private:
    struct Client {
        ClientId id = 0;
        int socket = -1;
        std::string received;    // no whole line yet, or lines for later
        std::string to_send;     // answers
        bool is_asking = false;  // a line of it is run, or will be
        bool skips = false;      // up to the end of a line that is too long
        bool has_ended = false;  // it sends no more
        bool is_gone = false;
    };

    void accept_one();
    void receive(Client& client);
    void take_lines(Client& client);
    void send(Client& client);
    void drop_those_gone();

    Door door_;
    int wake_;
    Calls calls_;
    std::vector<Client> clients_;
    ClientId last_id_ = 0;
};

}  // namespace sla::control
