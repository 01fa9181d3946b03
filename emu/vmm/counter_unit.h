// The Pentium's performance counters at work: fed with what the CPU counts and with the models' counts, sampled, shown.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/cpu.h"
#include "emu/pmc/counters.h"
#include "emu/pmc/p5.h"
#include "emu/pmc/sampler.h"
#include "emu/tap/vmm_tap.h"

#include <functional>
#include <memory>
#include <optional>

namespace sla::vmm {

class CounterUnit final : private pmc::CounterObserver {
public:
    // Before any use there is a CPU. `on_overflow`: a counter whose pin signals overflows went over its end.
    CounterUnit(tap::VmmTap& tap, const std::unique_ptr<cpu::Cpu>& cpu, std::uint64_t ram_bytes,
                std::function<void()> on_overflow)
        : tap_(tap), cpu_(cpu), on_overflow_(std::move(on_overflow)), p5_(ram_bytes), counters_(*this) {}

    // Notes the guest's address at every so many-th event (emu/pmc/sampler.h).
    Result<void> sample(const pmc::SampleRequest& wanted, pmc::Sampler::Now now);
    // Events between two samples, as of now; 0: nothing is sampled, or no period is found yet.
    [[nodiscard]] std::uint64_t sample_period() const { return sampler_ ? sampler_->period() : 0; }

    // MSRs 11h to 13h, and RDPMC.
    [[nodiscard]] std::optional<std::uint64_t> read_msr(std::uint32_t number);
    // The same value, and nothing is counted up for it.
    [[nodiscard]] std::optional<std::uint64_t> look_at_msr(std::uint32_t number) const;
    [[nodiscard]] bool write_msr(std::uint32_t number, std::uint64_t value);
    [[nodiscard]] std::uint64_t read(unsigned counter);
    void clear();

    // Counts all events beside the guest's two counters, the modelled ones too, in all rings or in ring 3 or below it only.
    void count_all(std::optional<bool> in_ring_3);
    // It begins here: what a run did that was saved is not of the run that goes on from there. Of what nobody counts nothing begins.
    void count_anew();
    // Since power-on or since it began anew, in those rings. An event that is not kept stands at 0.
    [[nodiscard]] pmc::Counts counted();
    // Whether it is counted now: by this CPU, and if it takes models, or the blocks of code, by those that run.
    [[nodiscard]] bool keeps(std::uint8_t select) const;
    // It was not from power-on on: somebody asked for it when the guest ran already.
    [[nodiscard]] bool is_late(std::uint8_t select) const { return late_ && is_extra(select); }
    // The models run from now on, or blocks of code are counted, whatever the guest counts; and what all rings came to.
    void run_models();
    [[nodiscard]] pmc::Counts since_power_on() const { return all_counts(); }
    // Called with the address of every instruction before it runs, where the CPU sees them.
    void on_address(std::function<void(const cpu::CodeAddress&)> action) {
        on_address_ = std::move(action);
        look_at_wants();
    }

    // What the CPU reports.
    void instruction(const cpu::Executed& executed);
    void instruction_done(std::uint32_t eip);
    void block_done(const cpu::CodeAddress& last, unsigned ring);
    void data_access(std::uint32_t address, unsigned bytes, bool write) { p5_.access(address, bytes, write); }
    // A handler is entered before the instruction at that EIP.
    void interrupted(std::uint32_t eip);
    // The guest accesses a port, and the CPU has counted that.
    void port_access();

    // The guest's registers, into the section that is begun; then models and sampling, where they run.
    void visit_registers(bus::StateVisitor& state) {
        const auto now = tally();
        counters_.visit_state(state, now ? &*now : nullptr);
    }
    void visit_state(bus::StateVisitor& state);

    // What the CPU must report for this.
    [[nodiscard]] bool wants_instructions() const {
        const bool counts = sees_all() ? counters_.active() : counters_.needs_code();
        return counts || sampler_.has_value() || counts_all_ || on_address_;
    }
    [[nodiscard]] bool wants_accesses() const { return models_run_; }
    // Called when that changed.
    void on_change(std::function<void()> action) { on_change_ = std::move(action); }

private:
    // CounterObserver
    void pin(unsigned counter, std::uint64_t by, std::uint64_t value) override {
        tap_.pin(counter, by, at_);
        tap_.counter(counter, value, at_);
    }
    void overflow() override { on_overflow_(); }
    void not_offered(const std::string& what) override { tap_.note(what); }

    // What is counted; nothing on a CPU that does not count.
    [[nodiscard]] std::optional<pmc::Tally> tally() const;
    [[nodiscard]] bool sees_all() const { return cpu_ != nullptr && cpu_->counting() == cpu::Counting::kEverything; }
    [[nodiscard]] unsigned ring() const { return cpu_->registers().ring; }
    void count_up() {
        if (counters_.active()) count_up(ring());
    }
    void count_up(unsigned ring);
    void take_sample();
    void look_at_wants();
    // Counted only when it is asked for.
    [[nodiscard]] bool is_extra(std::uint8_t select) const;
    void look_at_ring(bool ring_3);
    [[nodiscard]] pmc::Counts all_counts() const;

    tap::VmmTap& tap_;
    const std::unique_ptr<cpu::Cpu>& cpu_;
    std::function<void()> on_overflow_;
    std::function<void()> on_change_;
    pmc::P5 p5_;
    bool models_run_ = false;
    pmc::Counters counters_;
    std::optional<pmc::Sampler> sampler_;
    std::function<void(const cpu::CodeAddress&)> on_address_;
    bool counts_all_ = false;
    bool late_ = false;          // all is counted since somebody asked, not since power-on
    pmc::Counts beginning_{};    // where it began anew
    std::optional<bool> rings_;  // ring 3 only, or not in ring 3; nothing: all
    bool last_ring_3_ = false;   // at the last look
    pmc::Counts seen_{};         // then
    pmc::Counts in_rings_{};     // up to then
    cpu::CodeAddress at_;        // of the instruction that runs, or ran last
};

}  // namespace sla::vmm
