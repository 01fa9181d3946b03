// The socket by which other programs of the same user give commands to a running PC: lines of text in, answers out.
//
//   client ──line──► server's thread ──► machine's thread: serve() runs it, the guest standing still
//          ◄──── "ok BYTES\n" or "error BYTES\n", then the text
//
// One command at a time; a second client waits. The answer to a command that lets the guest run comes when it stops; a
// client that goes away before ends the wait. Nobody connected: the thread sleeps, and the machine looks at one flag.
#pragma once

#include "emu/control/console.h"
#include "emu/control/operators.h"
#include "emu/machine/stop_signal.h"
#include "proto/base/result.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

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
        if (!taken || console_.waits()) console_.stopped(found);
        return console_.paused();
    }

private:
    ControlServer(std::string path, int listener, int wake, machine::StopSignal& signal, Console& console);
    void serve_all();
    void serve_client(int client);
    [[nodiscard]] bool wait_for(int descriptor) const;  // false: the server closes
    [[nodiscard]] std::string ask(const std::string& line, int client);
    void answer(const Result<std::string>& done);

    std::string path_;
    int listener_;
    int wake_;  // readable once the server closes
    machine::StopSignal& signal_;
    Console& console_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<std::string> line_;    // to be run
    std::optional<std::string> answer_;  // with its head
    bool waits_ = false;                 // for the guest to stop
    bool given_up_ = false;              // who waited is gone
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace sla::control
