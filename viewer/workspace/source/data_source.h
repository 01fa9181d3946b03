// Where the window's data comes from: an agent, a capture file, or nothing yet. Fills a session of its own.
// Owner: the window's thread. Nothing here waits: poll() takes what is there within its budget.
#pragma once

#include "proto/wire/address.h"
#include "viewer/store/session.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace sla::workspace {

// What the pages of a capture too large for memory may take; the refiner has some of its own, and the window shall stay below
// 500 MB.
inline constexpr std::size_t kPageCacheBytes = std::size_t{64} << 20;

// kFull: connected, but there is no space for what comes.
enum class SourceState { kNone, kConnecting, kLive, kFull, kStopped, kEnded, kLost, kLoading, kLoaded };

// There is an agent to leave.
constexpr bool is_running(SourceState state) {
    return state == SourceState::kLive || state == SourceState::kFull || state == SourceState::kConnecting;
}

struct SourceStatus {
    SourceState state = SourceState::kNone;
    std::string name;     // "unix:agent.sock", "run.sla"
    std::string message;  // what a person should know or do; empty while all is well
    double progress = 0;  // kLoading: 0 to 1
    std::uint64_t bytes = 0;
    // Agents only: what the received rows take, what they may take, and what of them is on the disk.
    std::uint64_t memory_bytes = 0;
    std::uint64_t memory_limit = 0;
    std::uint64_t disk_bytes = 0;
    // Agents only: seconds, in all, in which nothing was read because what had come was not taken in yet.
    double held_back = 0;
    // Agents only: until a connection that went is tried again by itself; nothing while none is planned.
    std::optional<std::chrono::milliseconds> retry_in = std::nullopt;
    // Agents only: older history is on its way, 0 to 1.
    std::optional<double> fetched = std::nullopt;
    // Agents only: it cannot come any more: this agent is another, or has given up part of what is here.
    bool is_older_gone = false;
};

// For what an agent sends. Rows that do not fit in so many bytes go to a file without a name in that directory.
struct SourceMemory {
    std::uint64_t bytes = 0;      // 0: 48 MiB as long as the file keeps up, else a quarter of the machine's, 2 GiB at most
    std::string directory;        // "": $TMPDIR, else /var/tmp
    std::int64_t history_ns = 0;  // so much of what the agent holds is asked for at first; 0: all
    static constexpr std::uint64_t kMinBytes = std::uint64_t{64} << 20;
};

class DataSource {
public:
    virtual ~DataSource() = default;
    [[nodiscard]] virtual store::Session& session() = 0;
    [[nodiscard]] virtual SourceStatus status() const = 0;
    virtual void poll(std::chrono::milliseconds budget) = 0;
    // Between them nobody looks at the session, nor at anything else here: what comes is taken in on another thread meanwhile.
    virtual void begin_rest() {}
    virtual void end_rest() {}
    // Agents only: connect (again), or leave and keep what is there.
    virtual void run() {}
    virtual void stop() {}
    // Agents only: what it holds from that tick on is wanted, which is before what was asked for (Session::history). It comes
    // as another source, which has all that this one has and takes its place as soon as take_longer() gives it.
    virtual void fetch_back_to(std::uint64_t /*tick*/) {}
    [[nodiscard]] virtual std::unique_ptr<DataSource> take_longer() { return nullptr; }
    [[nodiscard]] virtual bool can_run() const { return false; }
    // Rows that left memory are in a file of this machine: whoever waits for them waits for milliseconds.
    [[nodiscard]] virtual bool are_rows_at_hand() const { return false; }
    // Agents only: where requests go.
    [[nodiscard]] virtual std::optional<wire::Address> address() const { return std::nullopt; }
    // What opens it again: the whole path, the address; "" for what cannot be opened again.
    [[nodiscard]] virtual std::string target() const { return {}; }
};

// A path, an address, or "" for this user's agent. Never fails: what goes wrong is in status().
std::unique_ptr<DataSource> open_source(const std::string& target, const SourceMemory& memory = {});
// A session without anything.
std::unique_ptr<DataSource> no_source();

}  // namespace sla::workspace
