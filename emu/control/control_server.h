// The socket by which other programs of the same user give commands to a running PC: lines of text in, answers out.
//
//   client ──line──► server's thread ──► machine's thread: serve() runs it, the guest standing still
//          ◄──── "ok BYTES\n" or another word (proto/common/guest_client.h), then the text; "note BYTES\n" and a text before it
//
// Any number of clients, each with one command at a time; what several ask is run one after the other. One that does not read
// its answers is not heard meanwhile. The answer to a command that lets the guest run comes when it stops, and until then the
// others are served all the same; while the machine goes back they wait for the end of that, which `pause` brings. What a client
// asked that is gone is not run, and its wait or its going back ends. Nobody asks: the thread sleeps, and the machine looks at
// one flag.
#pragma once

#include "emu/control/console.h"
#include "emu/control/control_clients.h"
#include "emu/control/operators.h"
#include "emu/machine/stop_signal.h"
#include "proto/base/result.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sla::control {

class ControlServer final : public Operator {
public:
    // A socket file for this user only; an old one that nobody listens at is replaced.
    static Result<std::unique_ptr<ControlServer>> open(const std::string& path, machine::StopSignal& signal,
                                                       Console& console);
    ~ControlServer() override;
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

    // Operator, on the machine's thread
    void serve() override;
    [[nodiscard]] bool holds() const override { return console_.paused(); }
    bool stopped(const cpu::StopPoints::Found& found, bool taken) override {
        if (!taken || console_.waits()) console_.stopped(found, taken);
        return console_.paused();
    }
    // On the machine's thread: something for who waits for the guest to stop, if anybody does.
    void tell_waiter(const std::string& line);
    // Likewise: nothing that is waited for comes any more.
    void run_ends();

private:
    using Interruption = machine::StopSignal::Interruption;
    struct Line {
        ClientId client = 0;
        std::string text;
        std::unique_ptr<Interruption> interrupts;  // null: it does not
    };
    struct Answer {
        ClientId client = 0;
        std::string text;  // with its head
        bool is_last = true;
    };

    struct Waiter {  // for the guest to stop
        ClientId client = 0;
        bool is_gone = false;
    };

    ControlServer(std::string path, int listener, machine::StopSignal& signal, Console& console);

    // The server's thread.
    void work();
    void pass(ClientId client, const std::string& line);
    void forget(ClientId client);

    // The machine's thread.
    [[nodiscard]] std::optional<Line> next_line();
    void end_line(ClientId client, bool waits);
    void look_at_waiter();
    void answer(ClientId client, const Result<std::string>& done);
    void note(ClientId client, const std::string& text);

    std::string path_;
    int listener_;
    machine::Wake wake_;  // readable: answers wait, or the server closes
    machine::StopSignal& signal_;
    Console& console_;

    std::mutex mutex_;
    std::deque<Line> lines_;              // to be run
    std::vector<Answer> answers_;         // to be sent
    std::optional<ClientId> running_;     // whose line runs, while it is there
    std::unique_ptr<Interruption> gone_;  // it is not, and its line runs
    std::optional<Waiter> waiter_;
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace sla::control
