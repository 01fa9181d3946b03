#include "emu/vmm/counter_unit.h"

#include <fmt/format.h>

#include <utility>

namespace sla::vmm {

namespace {

void add_difference(pmc::Counts& sum, const pmc::Counts& now, const pmc::Counts& before) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += now[i] - before[i];
}

}  // namespace

Result<void> CounterUnit::sample(const pmc::SampleRequest& wanted, pmc::Sampler::Now now_by_clock) {
    const auto now = tally();
    if (!now || now->kept != cpu::Counting::kEverything) {
        return invalid_input(fmt::format("the CPU \"{}\" counts no events to sample; use --cpu x86emu", cpu_->name()));
    }
    auto made = pmc::Sampler::make(wanted, *now, std::move(now_by_clock));
    if (!made) return made.error();
    sampler_ = *made;
    look_at_wants();
    return {};
}

std::optional<std::uint64_t> CounterUnit::read_msr(std::uint32_t number) {
    count_up();
    return look_at_msr(number);
}

std::optional<std::uint64_t> CounterUnit::look_at_msr(std::uint32_t number) const {
    if (number == pmc::Counters::kCesr) return counters_.cesr();
    if (number - pmc::Counters::kCtr0 >= 2) return std::nullopt;
    const auto now = tally();
    return counters_.value_at(number - pmc::Counters::kCtr0, now ? &*now : nullptr, ring());
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
    if (sampler_) take_sample();
    if (rings_) look_at_ring(ring() == 3);
    if (on_address_) on_address_(cpu_->address());
}

void CounterUnit::take_sample() {
    const bool due = sampler_->is_due(*tally());
    if (sampler_->has_news()) tap_.note(sampler_->take_news());
    if (due) tap_.sample(at_);
}

void CounterUnit::block_done(const cpu::CodeAddress& last, unsigned ring) {
    at_ = last;
    count_up(ring);
    if (rings_) look_at_ring(ring == 3);
}

void CounterUnit::port_access() {
    if (counters_.active() && !sees_all()) at_ = cpu_->running_address();
    count_up();
    if (rings_) look_at_ring(ring() == 3);
}

void CounterUnit::interrupted(std::uint32_t eip) {
    if (models_run_) p5_.interrupted(eip);
    count_up();
    if (rings_) look_at_ring(ring() == 3);
}

void CounterUnit::count_all(std::optional<bool> in_ring_3) {
    counts_all_ = true;
    look_at_wants();
    rings_ = in_ring_3;
    last_ring_3_ = cpu_->registers().ring == 3;
    seen_ = all_counts();
}

// Models that run for this never stop, and never fall behind where they stood here.
void CounterUnit::count_anew() {
    if (!counts_all_) return;
    beginning_ = all_counts();
    last_ring_3_ = cpu_->registers().ring == 3;
    seen_ = beginning_;
    in_rings_ = {};
}

void CounterUnit::run_models() {
    late_ = late_ || !counts_all_;
    counts_all_ = true;
    look_at_wants();
}

pmc::Counts CounterUnit::counted() {
    const pmc::Counts now = all_counts();
    pmc::Counts out{};
    if (!rings_) {
        add_difference(out, now, beginning_);
        return out;
    }
    look_at_ring(ring() == 3);
    out = in_rings_;
    if (*rings_ == last_ring_3_) add_difference(out, now, seen_);
    return out;
}

// A CPU that sees every instruction is asked behind each, when the next one's ring holds: what was counted since the last look
// belongs to the ring before. Another one says of each block and access in which ring it was.
void CounterUnit::look_at_ring(bool ring_3) {
    const bool sees_all = this->sees_all();
    if (sees_all && ring_3 == last_ring_3_) return;
    const pmc::Counts now = all_counts();
    if (*rings_ == (sees_all ? last_ring_3_ : ring_3)) add_difference(in_rings_, now, seen_);
    seen_ = now;
    last_ring_3_ = ring_3;
}

pmc::Counts CounterUnit::all_counts() const {
    const auto now = tally();
    return now ? pmc::all_counts(*now) : pmc::Counts{};
}

bool CounterUnit::keeps(std::uint8_t select) const {
    const auto now = tally();
    return now && pmc::count_of(select, *now).has_value() && (counts_all_ || !is_extra(select));
}

bool CounterUnit::is_extra(std::uint8_t select) const {
    return sees_all() ? pmc::is_of_models(select) : pmc::is_of_code(select);
}

std::optional<pmc::Tally> CounterUnit::tally() const {
    const cpu::EventCounts* counts = cpu_->counts();
    return counts == nullptr ? std::nullopt : std::optional(pmc::Tally{*counts, p5_.counts(), cpu_->counting()});
}

void CounterUnit::count_up(unsigned ring) {
    const auto now = tally();
    if (now && counters_.active()) counters_.update(&*now, ring);
}

void CounterUnit::look_at_wants() {
    const bool models = sees_all() && (counts_all_ || counters_.needs_models() || (sampler_ && sampler_->needs_models()));
    if (models && !models_run_) p5_.clear();
    models_run_ = models;
    if (on_change_) on_change_();
}

void CounterUnit::visit_state(bus::StateVisitor& state) {
    if (state.loads()) look_at_wants();
    if (models_run_ && !state.shows()) {
        if (state.optional_section("p5")) {
            p5_.visit_state(state);
        } else {
            p5_.clear();
        }
    }
    const auto now = tally();
    if (sampler_ && now) {
        if (state.optional_section(sampler_->section())) {
            sampler_->visit_state(state);
        } else {
            sampler_->begin_again(*now);
        }
    }
}

}  // namespace sla::vmm
