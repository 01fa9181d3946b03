// The Pentium's performance counters at work: fed with what the CPU counts and with the models' counts, sampled, shown.
#pragma once

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

    // Notes the guest's address at every period-th event of that number (emu/pmc/events.h).
    Result<void> sample_every(std::uint8_t event, std::uint64_t period);

    // MSRs 11h to 13h, and RDPMC.
    [[nodiscard]] std::optional<std::uint64_t> read_msr(std::uint32_t number);
    [[nodiscard]] bool write_msr(std::uint32_t number, std::uint64_t value);
    [[nodiscard]] std::uint64_t read(unsigned counter);
    void clear();

    // What the CPU reports.
    void instruction(const cpu::Executed& executed);
    void instruction_done(std::uint32_t eip);
    void data_access(std::uint32_t address, unsigned bytes, bool write) { p5_.access(address, bytes, write); }
    // A handler is entered before the instruction at that EIP.
    void interrupted(std::uint32_t eip) {
        if (models_run_) p5_.interrupted(eip);
    }

    // What the CPU must report for this.
    [[nodiscard]] bool wants_instructions() const { return counters_.active() || sampler_.has_value(); }
    [[nodiscard]] bool wants_accesses() const { return models_run_; }
    // Called when that changed.
    void on_change(std::function<void()> action) { on_change_ = std::move(action); }

private:
    // CounterObserver
    void pin(unsigned counter, std::uint64_t by) override { tap_.pin(counter, by, at_); }
    void overflow() override { on_overflow_(); }
    void not_offered(const std::string& what) override { tap_.note(what); }

    // What is counted; nothing on a CPU that does not count.
    [[nodiscard]] std::optional<pmc::Tally> tally() const;
    void count_up();
    void look_at_wants();

    tap::VmmTap& tap_;
    const std::unique_ptr<cpu::Cpu>& cpu_;
    std::function<void()> on_overflow_;
    std::function<void()> on_change_;
    pmc::P5 p5_;
    bool models_run_ = false;
    pmc::Counters counters_;
    std::optional<pmc::Sampler> sampler_;
    cpu::CodeAddress at_;  // of the instruction that runs, or ran last
};

}  // namespace sla::vmm
