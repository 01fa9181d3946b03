// Brings a debugger to the machine: one at a time, a second one is refused in words. One that detaches or goes away leaves
// the guest running.
//
//   gdb ──bytes──► server's thread ──packets──► machine's thread: serve() answers them, the guest standing still
//       ◄────────── server's thread ◄──answers──┘
//
// Nobody connected: the thread sleeps, and the machine looks at the signal's one flag.
#pragma once

#include "emu/control/door.h"
#include "emu/control/operators.h"
#include "emu/gdb/gdb_listener.h"
#include "emu/gdb/packet.h"
#include "emu/gdb/protocol.h"
#include "emu/machine/stop_signal.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sla::gdb {

class GdbServer final : public control::Operator {
public:
    // `wait`: the guest stands still until the first debugger is there. The target outlives the server.
    GdbServer(GdbListener listener, Target& target, machine::StopSignal& signal, bool wait);
    ~GdbServer() override;
    GdbServer(const GdbServer&) = delete;
    GdbServer& operator=(const GdbServer&) = delete;

    // Operator, on the machine's thread
    void serve() override;
    [[nodiscard]] bool holds() const override { return holds_; }
    bool stopped(const cpu::StopPoints::Found& found, bool taken) override;
    // The run is over; the debugger learns the exit code.
    void finish(int exit_code);

private:
    enum class Kind : std::uint8_t { kConnected, kPacket, kInterrupt, kGone };
    using Interruption = machine::StopSignal::Interruption;
    struct Message {
        Kind kind = Kind::kPacket;
        std::string payload;
        std::uint64_t connection = 0;
        std::unique_ptr<Interruption> interrupts;  // null: it does not
    };
    struct Answer {
        std::string payload;
        std::uint64_t connection = 0;  // who asked: one that came since gets no answers of the one before
    };
    struct Peer {
        int socket = -1;
        std::uint64_t connection = 0;
        bool acknowledges = true;
        std::string last_answer;  // to be sent again when asked
        PacketReader reader;
    };

    // The server's thread.
    void work();
    void accept_one();
    void read_peer();
    void read_refused(Peer& peer);
    void send_answers();
    void leave(Peer& peer);
    bool take_items(Peer& peer, std::vector<PacketReader::Item>& items);
    void pass(Kind kind, std::string payload = {});
    static bool send(Peer& peer, const std::string& text);

    // The machine's thread.
    [[nodiscard]] Message next_message();
    void serve_one(const Message& message);
    void say(const std::string& answer);
    void let_go();

    GdbListener listener_;
    control::Door door_{listener_.descriptor()};
    machine::StopSignal& signal_;
    machine::Wake wake_;  // readable: answers wait, or the server closes
    Peer peer_;
    std::uint64_t connections_ = 0;  // so far
    std::vector<Peer> refused_;

    Target& target_;
    std::optional<Protocol> protocol_;  // of the debugger that is there
    std::uint64_t served_ = 0;          // its connection
    bool holds_;

    std::mutex mutex_;
    std::deque<Message> messages_;
    std::vector<Answer> answers_;
    bool is_serving_ = false;
    std::unique_ptr<Interruption> gone_;  // who asked what is served now
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace sla::gdb
