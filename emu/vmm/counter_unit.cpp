#include "emu/vmm/counter_unit.h"

#include <fmt/format.h>

namespace sla::vmm {

Result<void> CounterUnit::sample_every(std::uint8_t event, std::uint64_t period) {
    const auto now = tally();
    if (!now) {
        return invalid_input(fmt::format("the CPU \"{}\" counts no events to sample; use --cpu x86emu", cpu_->name()));
    }
    auto made = pmc::Sampler::make(event, period, *now);
    if (!made) return made.error();
    sampler_ = *made;
    look_at_wants();
    return {};
}

std::optional<std::uint64_t> CounterUnit::read_msr(std::uint32_t number) {
    count_up();
    if (number == pmc::Counters::kCesr) return counters_.cesr();
    if (number - pmc::Counters::kCtr0 < 2) return counters_.read(number - pmc::Counters::kCtr0);
    return std::nullopt;
}

bool CounterUnit::write_msr(std::uint32_t number, std::uint64_t value) {
    count_up();
    if (number == pmc::Counters::kCesr) {
        const auto now = tally();
        counters_.write_cesr(value, now ? &*now : nullptr);
        look_at_wants();
        return true;
    }
    if (number - pmc::Counters::kCtr0 >= 2) return false;
    counters_.write(number - pmc::Counters::kCtr0, value);
    return true;
}

std::uint64_t CounterUnit::read(unsigned counter) {
    count_up();
    return counters_.read(counter);
}

void CounterUnit::clear() {
    counters_.write_cesr(0, nullptr);
    counters_.write(0, 0);
    counters_.write(1, 0);
    look_at_wants();
}

void CounterUnit::instruction(const cpu::Executed& executed) {
    at_ = cpu_->running_address();
    if (models_run_) p5_.instruction(executed);
}

void CounterUnit::instruction_done(std::uint32_t eip) {
    if (models_run_) p5_.resolve(eip);
    count_up();
    if (sampler_ && sampler_->is_due(*tally())) tap_.sample(at_);
}

std::optional<pmc::Tally> CounterUnit::tally() const {
    const cpu::EventCounts* counts = cpu_->counts();
    return counts == nullptr ? std::nullopt : std::optional(pmc::Tally{*counts, p5_.counts()});
}

void CounterUnit::count_up() {
    const auto now = tally();
    if (now && counters_.active()) counters_.update(&*now, cpu_->registers().ring);
}

void CounterUnit::look_at_wants() {
    const bool models = counters_.needs_models() || (sampler_ && sampler_->needs_models());
    if (models && !models_run_) p5_.clear();
    models_run_ = models;
    if (on_change_) on_change_();
}

}  // namespace sla::vmm
