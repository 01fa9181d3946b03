// Goes back in a run by the virtual clock: to a place where the guest stood, exactly as it stood. States are kept along the way,
// and the run is made again from the nearest one.
//
//   kept ──────── kept ──────── kept ───·──·── front         front: as far as the run has come
//    0             1             2      place   stands here: load 1 or 2, run again up to the place
//
// What comes in from outside (an operator's command, a byte from a terminal) does not come again: a state is kept behind it, and
// no run is made again across it. Beyond it one goes back all the same, to what was before; a guest that goes on from there has
// another future, unless nothing is changed: then it comes to the front as it did, and what happens up to there is not
// reported again (known_ground.h). The front is the first thing that came in behind where it landed, if something did: without
// it another future begins there.
//
// Owned by the machine's thread, the guest standing still.
#pragma once

#include "emu/history/known_ground.h"
#include "emu/snapshot/kept_state.h"
#include "emu/vmm/vmm.h"
#include "proto/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::history {

// What is said of going back and loading, for the timeline. It is no event of the guest's.
inline constexpr const char* kHistoryChannel = "cpu.history";

class History {
public:
    // Who is notified: a sentence for the timeline; and that from here on rows are of another run than before.
    struct Listener {
        std::function<void(const std::string&)> say;
        std::function<void()> new_course;
        // Another guest is there, of a snapshot: it says which of its spans are open.
        std::function<void()> tell_open_spans = [] {};
    };
    enum class Landing { kThere, kBeginning };  // the latter: what was wanted is not in what is kept
    // Sees to it that the repeat notes what is looked for, while the run is made again; called for each interval of it.
    using Watch = std::function<Result<void>(cpu::Repeat&)>;

    static constexpr std::size_t kMinBytes = std::size_t{1} << 20;
    static constexpr std::uint64_t kMaxSteps = 1'000'000;

    // The parts outlive it. States take so many bytes, the oldest ones become fewer where there would be more.
    History(vmm::Vmm& vmm, const snapshot::Subject& subject, KnownGround& ground, std::size_t most_bytes, Listener listener);
    ~History();
    History(const History&) = delete;
    History& operator=(const History&) = delete;

    // From here on it can be gone back to.
    void begin();
    // Somebody changed the machine, which stands still; what he did, in words.
    void changed(const std::string& what);
    // The machine, which stands still, is another one now, at another time: what was kept is not its past.
    void loaded();
    // Something came in from outside while the guest ran.
    void came_in(const std::string& what);

    // So many instructions.
    Result<Landing> step_back(std::uint64_t instructions);
    // To the last place where one of the Vmm's stop points stops it. If there is none: to the beginning, or the guest stays where it
    // stands and nothing is found.
    enum class Else { kToBeginning, kStay };
    Result<Landing> back_to_point(Else otherwise);
    // To the last place behind something that `watch` notes. If there is none, the guest stays where it stands.
    Result<Landing> back_to_event(const Watch& watch);

    // What is kept, in words: from when on, how many states, how much memory, where nothing is known of.
    [[nodiscard]] std::string report() const;

private:
    // What can be made again from one kept state.
    struct Interval {
        snapshot::KeptState state;
        Course course;
        cpu::Moment from = 0;
        std::string why;                 // what came before it from outside; empty: nothing
        std::optional<cpu::Moment> end;  // from here on it cannot
        std::string end_why;
    };
    using Found = Result<std::optional<cpu::RunPlace>>;  // nothing: it is not in what is kept
    using Search = std::function<Found(cpu::Moment until)>;

    // `otherwise`: what did not happen, where the guest stays then; null: it goes to the beginning.
    Result<Landing> go_back(const Search& search, const char* otherwise);
    Found search_steps(std::uint64_t instructions, cpu::Moment until);
    Found search_notes(bool at_points, const Watch& watch, cpu::Moment until);
    void end_known_ground_at_change(cpu::Moment landed);
    void reach_front();
    Result<void> land(const cpu::RunPlace& place);
    Result<void> run(cpu::Repeat& repeat);
    void note_block(const cpu::Repeat& repeat, cpu::Moment until);
    Result<void> load(const Interval& at);
    Result<const Interval*> load_before(cpu::Moment until);  // null: none
    [[nodiscard]] const Interval* interval_at(cpu::Moment moment) const;

    void keep(const std::string& why);
    void look_again(cpu::Moment moment);
    void keep_sometimes();
    [[nodiscard]] std::size_t bytes() const;  // that all states take
    void drop_what_is_too_much();
    void drop(std::size_t number);
    void cut_behind(cpu::Moment moment);
    void leave_known_ground(const std::string& said);

    vmm::Vmm& vmm_;
    const snapshot::Subject& subject_;
    KnownGround& ground_;
    std::size_t most_bytes_;
    Listener listener_;
    std::vector<Interval> intervals_;  // by time
    std::size_t bytes_ = 0;            // that they take, but for disks' sectors
    std::uint64_t code_bytes_ = 0;     // that had run when the last one was kept
    cpu::RunPlace front_;              // while the run is behind it
    cpu::Moment front_block_ = 0;      // when the block of code around it begins
    std::string front_why_;            // what came in from outside there and does not come again; empty: nothing
    cpu::Moment stood_ = 0;            // where the present search began
    cpu::Moment last_block_ = 0;       // and when the block around that did
    std::string came_in_;              // and no state has been kept since
};

}  // namespace sla::history
