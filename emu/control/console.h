// Commands for a guest that stands still, as people type them: what each does is in help(). Numbers are 11h or 0x11 or 17,
// addresses f000:e05b or linear, or a symbol where symbols were given. Knows no socket.
//
// Owned by the machine's thread.
#pragma once

#include "emu/control/event_stop.h"
#include "emu/control/section_watch.h"
#include "emu/history/history.h"
#include "emu/machine/machine.h"
#include "emu/snapshot/subject.h"
#include "emu/vmm/vmm.h"
#include "proto/base/result.h"
#include "proto/common/symbols/symbols.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::control {

class Console {
public:
    using Answer = Result<std::string>;

    // `events` stops at events; null: that is refused. Null symbols: places have no names.
    Console(machine::Machine& machine, vmm::Vmm& vmm, EventStop* events = nullptr, const symbol::Symbols* symbols = nullptr)
        : machine_(machine), vmm_(vmm), events_(events), symbols_(symbols) {}

    // What `save` and `load` are about; without it they are refused.
    void save_and_load(snapshot::Subject& subject) { subject_ = &subject; }
    // What goes back; without it, why nothing does.
    void go_back_by(history::History* history, std::string why_not) {
        history_ = history;
        why_no_history_ = std::move(why_not);
    }
    [[nodiscard]] bool goes_back() const { return history_ != nullptr; }
    // Somebody else keeps the guest standing, a debugger: no command here lets it go on then.
    void ask_others(std::function<bool()> hold) { others_hold_ = std::move(hold); }
    // For a debugger: a step, or to the last of the stop points.
    using Landing = history::History::Landing;
    Result<Landing> step_back(std::uint64_t instructions);
    Result<Landing> back_to_point(history::History::Else otherwise = history::History::Else::kToBeginning);
    // Somebody changed the machine, beside the commands here.
    void changed(const std::string& what) {
        if (history_ != nullptr) history_->changed(what);
    }

    // The answer, whole lines; an error says what is wrong with the command.
    Result<std::string> run(std::string_view line);
    // The same for somebody who lets the guest run himself: commands that do are refused.
    Result<std::string> run_standing(std::string_view line);
    // By `pause` or because the guest stopped, until `go`: the guest shall not go on.
    [[nodiscard]] bool paused() const { return paused_; }
    // The last command lets the guest run; its answer is outcome(), once the guest stopped. What run() gave is worth saying until
    // then.
    [[nodiscard]] bool waits() const { return waits_; }
    // `taken`: somebody else holds the guest for that, and decides when it goes on, unless it is what is waited for here, too.
    void stopped(const cpu::StopPoints::Found& found, bool taken = false);
    // Where the guest stands, why, and the instruction that comes next.
    [[nodiscard]] std::string report() const;
    // The report; not found: the guest stopped before what was waited for came.
    [[nodiscard]] Answer outcome() const;
    // What who waits is answered when the run ends.
    [[nodiscard]] Error run_ended() const;
    // Nobody waits any more: the guest runs on.
    void give_up();

    // A line that ends a going back; others wait for its end.
    static bool interrupts(std::string_view line);
    static std::string help();

private:
    using Words = std::vector<std::string>;

    Answer registers(const Words& words);
    Answer control_register(const Words& words);
    Answer write_control_register(const Words& words);
    Answer read_msr(const Words& words);
    Answer write_msr(const Words& words);
    Answer set(const Words& words);
    Answer port_in(const Words& words);
    Answer port_out(const Words& words);
    Answer examine(const Words& words);
    Answer examine_as(const Words& words);
    Answer write(const Words& words);
    Answer disassemble(const Words& words);
    Answer counts(const Words& words);
    Answer section(const Words& words);
    Answer list_events(const Words& words);
    Answer raise_irq(const Words& words);
    Answer raise_nmi(const Words& words);
    Answer reset(const Words& words);
    Answer pause(const Words& words);
    Answer step(const Words& words);
    Answer run_to(const Words& words);
    Answer stop_at(const Words& words);
    Answer run_to_event(const Words& words);
    Answer go(const Words& words);
    Answer reverse_step(const Words& words);
    Answer reverse_to(const Words& words);
    Answer reverse_to_event(const Words& words);
    Answer show_history(const Words& words);
    Answer state(const Words& words);
    Answer save(const Words& words);
    Answer load(const Words& words);
    Answer show_help(const Words& words);

    struct Command;
    static const std::vector<Command>& commands();
    static Error usage(const char* how);
    static Error no_command(const std::string& word);

    [[nodiscard]] Result<std::uint32_t> linear(const std::string& text) const;
    [[nodiscard]] std::string where() const;
    // " <handle_13+0x1c>", or nothing.
    [[nodiscard]] std::string name_of(std::uint32_t linear) const;
    [[nodiscard]] std::string code(std::uint32_t from, std::uint64_t count) const;
    [[nodiscard]] std::string strings(std::uint32_t from, std::uint32_t count) const;
    // Until `wanted`, words that follow "before".
    void wait_for_stop(std::string wanted);
    [[nodiscard]] bool has_come(const cpu::StopPoints::Found& found) const;
    [[nodiscard]] std::string awaited() const;
    [[nodiscard]] Result<void> nobody_waits() const;
    [[nodiscard]] bool others_hold() const { return others_hold_ && others_hold_(); }
    [[nodiscard]] Result<void> may_run() const;
    [[nodiscard]] Result<void> may_wait() const;
    [[nodiscard]] Result<void> may_go_back() const;
    Result<Landing> go_back(const std::function<Result<Landing>()>& how);
    Answer landed(const Result<Landing>& landing);
    Result<void> arm(const Words& words);

    machine::Machine& machine_;
    vmm::Vmm& vmm_;
    EventStop* events_;
    const symbol::Symbols* symbols_;
    std::optional<SectionWatch> sections_;  // from the first time that some are asked for
    snapshot::Subject* subject_ = nullptr;
    history::History* history_ = nullptr;
    std::string why_no_history_ = "this run keeps no history";
    std::function<bool()> others_hold_;
    bool paused_ = false;
    bool waits_ = false;
    std::optional<std::uint64_t> step_;    // what it waits for: this one, not a debugger's
    bool waits_for_event_ = false;         // likewise: what the events are armed for
    std::optional<std::uint32_t> run_to_;  // likewise: a stop point of ours
    bool standing_ = false;                // the command may not let the guest run
    std::string why_;                      // the guest stopped
    std::string wanted_;                   // what is waited for
    std::string missed_;                   // what was waited for and did not come; empty: it came
};

}  // namespace sla::control
