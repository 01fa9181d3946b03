// The socket by which other programs of the same user give commands to a running PC: lines of text in, answers out.
//
//   client ──line──► server's thread ──► machine's thread: attend() runs it, the guest standing still
//          ◄──── "ok BYTES\n" or "error BYTES\n", then the text
//
// One command at a time; a second client waits. Nobody connected: the thread sleeps, and the machine looks at one flag.
#pragma once

#include "emu/control/console.h"
#include "emu/machine/stop_signal.h"
#include "proto/base/result.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sla::control {

class ControlServer {
public:
    // A socket file for this user only; an old one that nobody listens at is replaced.
    static Result<std::unique_ptr<ControlServer>> open(const std::string& path, machine::StopSignal& signal);
    ~ControlServer();
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

    // On the machine's thread: runs what waits. While the console is paused it waits for more, until it is let go or the run
    // shall end.
    void attend(Console& console);

private:
    ControlServer(std::string path, int listener, int wake, machine::StopSignal& signal);
    void serve_all();
    void serve(int client);
    [[nodiscard]] bool wait_for(int descriptor) const;  // false: the server closes
    [[nodiscard]] std::string ask(const std::string& line);

    std::string path_;
    int listener_;
    int wake_;  // readable once the server closes
    machine::StopSignal& signal_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<std::string> line_;    // to be run
    std::optional<std::string> answer_;  // with its head
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace sla::control
