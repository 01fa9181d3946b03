// A guest that resets its machine starts again.
#include "emu/pmc/pentium.h"
#include "emu/vmm/vmm.h"

namespace sla::vmm {

namespace {

constexpr std::uint64_t kResetBytes = 500'000;  // a reset takes the virtual clock's time of so much code: a millisecond
constexpr unsigned kMaxFruitlessRestarts = 3;

}  // namespace

std::optional<Outcome> Vmm::restart(const Outcome& end) {
    const bool fault = end.ending == Ending::kTripleFault;
    if (!on_restart_ || (!fault && end.ending != Ending::kReset)) return end;
    if (fault && ++fruitless_restarts_ > kMaxFruitlessRestarts) return end;
    on_restart_(end.message);
    vmm_tap_.reset(fault ? "triple fault" : machine_.pulled().by_words());
    wake();
    const bool board = machine_.pulled().line == machine::Machine::Line::kResetBoard;
    machine_.reset();
    if (board) {
        counters_.clear();
        if (machine_.clock().repeatable()) tsc_offset_ = 0 - pmc::ticks_at(machine_.clock().now());
    }
    intr_.clear();
    machine_.clock().executed(kResetBytes);
    if (const auto done = cpu_->reset(); !done) return Outcome{Ending::kFailed, 0, done.error().message};
    return std::nullopt;
}

}  // namespace sla::vmm
