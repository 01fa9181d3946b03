// The folder in which everything lies that the cluster has not acknowledged yet: it outlives the agent.
//
//   <spool>/lock                              held by the one agent that uses it
//   <spool>/reserve                           space that is given back when a piece's end finds none on a full disk
//   <spool>/20261124T164501-9f3a/run.json     who recorded it, and how much of it is done with
//                               /run.json.new the one before; the next is written over it, and they change places
//                               /7.sla 8.sla  pieces that are not, each a capture file; the last may lack its end
//
// A piece goes when all its messages were acknowledged, the oldest first; a capture's folder with its last one. That takes no
// space that is not there already, so that a full disk is emptied by publishing. Any thread, but for begin and left, which
// belong to the start, and make_ready, which is the recording thread's.
#pragma once

#include "agent/publish/run_file.h"
#include "proto/base/result.h"
#include "proto/capture/file_finisher.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::publish {

// $XDG_STATE_HOME/sla/spool/FLEET, else ~/.local/state/sla/spool/FLEET; empty: there is no such place.
std::string default_spool(const std::string& fleet);
// Of a file; 0: there is none.
std::uint64_t size_of(const std::string& path);

class Spool {
public:
    // Makes the folder and takes its lock; an agent that has it already is named.
    static Result<std::unique_ptr<Spool>> open(const std::string& typed, std::uint64_t limit);
    ~Spool();
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;

    // What earlier agents left, the oldest first; folders that make no sense are passed by and named in `odd`.
    std::vector<Run> left(std::vector<std::string>& odd) const;
    // On a full disk it is begun later, by make_ready.
    Result<void> begin(const Run& run);
    // Before a piece is written: the run is begun, in a folder made again where somebody removed it.
    Result<void> make_ready();
    [[nodiscard]] unsigned times_made_again() const { return made_again_; }  // the recording thread's
    Result<void> write_down(const Run& run);

    // Any thread.
    void keep_reserve() const;
    // Of a piece that lacks its end, which goes into the reserve where a full disk has no space for it. Any thread.
    Result<capture::Finished> end_piece(const std::string& path) const;

    // Numbers, rising.
    [[nodiscard]] std::vector<std::uint64_t> pieces_of(const std::string& capture) const;
    [[nodiscard]] std::string path_of(const std::string& capture, std::uint64_t piece) const;
    void remove(const std::string& capture, std::uint64_t piece);
    void remove(const std::string& capture);
    [[nodiscard]] bool has(const std::string& capture, std::uint64_t piece) const;
    // What a piece has so far. The events, which nobody knows of an earlier agent's, are for when somebody removes its file.
    // Any thread.
    struct Held {
        std::uint64_t events = 0;
        std::uint64_t bytes = 0;
    };
    // From here on it takes space, until it is removed or forgotten.
    void hold(const std::string& capture, std::uint64_t piece, const Held& held);
    // Of one that is held; else nothing: its last bytes may be published before whoever wrote them has counted them.
    void note(const std::string& capture, std::uint64_t piece, const Held& held);
    [[nodiscard]] Held noted(const std::string& capture, std::uint64_t piece) const;
    // It is no longer here.
    void forget(const std::string& capture, std::uint64_t piece);
    // Pieces whose files somebody removed take no space any more: to be asked for before the spool is called full.
    void look_for_removed();

    // Of all pieces.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }  // a figure, as limit
    [[nodiscard]] std::uint64_t limit() const { return limit_; }
    [[nodiscard]] const std::string& folder() const { return folder_; }

private:
    // False: it is given back already.
    bool give_reserve() const;
    Result<void> begin_run(const Run& run);
    Result<void> make_again();
    void set_bytes(Held& held, std::uint64_t bytes);

    Spool(std::string folder, std::uint64_t limit, int lock) : folder_(std::move(folder)), limit_(limit), lock_(lock) {}

    std::string folder_;
    std::uint64_t limit_;
    int lock_;
    std::mutex run_mutex_;    // of a run's file there is one writer at a time
    std::optional<Run> run_;  // under run_mutex_, as the next: begun, or to be, with its newest words
    bool is_begun_ = false;
    unsigned made_again_ = 0;
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, std::uint64_t>, Held> held_;  // under mutex_: of pieces that are not done with
    std::atomic<std::uint64_t> bytes_{0};                         // of held_, in sum: written under mutex_
};

}  // namespace sla::publish
