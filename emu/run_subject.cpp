#include "emu/run_subject.h"

#include <fmt/format.h>

namespace sla::emu {

void put_together(snapshot::Subject& subject, const SubjectParts& parts, const RunOptions& options) {
    subject.describe("CPU", options.cpu);
    subject.describe("clock", options.clock);
    subject.describe("jitter", options.jitter == 0 ? "nothing" : fmt::format("seed {}", options.jitter));
    subject.add([&vmm = parts.vmm](bus::StateVisitor& state) { vmm.visit_state(state); });
    parts.guest.join(subject);
    if (options.hash) {
        subject.add([&hash = parts.hash](bus::StateVisitor& state) { hash.visit_state(state); });
        subject.on_loaded([&hash = parts.hash]() -> std::string {
            return hash.begins_at_snapshot() ? "the snapshot has no hash: the one at the end is of what follows it" : "";
        });
    }
    if (!options.symbols.empty())
        subject.add([&symbols = parts.symbols](bus::StateVisitor& state) { symbols.visit_state(state); });
    subject.on_loaded([&markers = parts.markers] {
        markers.clock_was_set();
        return std::string();
    });
    subject.on_loaded([&counts = parts.counts, &vmm = parts.vmm] { return counts.begin_anew(vmm); });
    if (const std::string why = parts.vmm.cpu().unsaved(); !why.empty()) {
        subject.cannot(fmt::format("the CPU \"{}\" cannot be saved: it {}; use --cpu x86emu or unicorn", options.cpu, why));
    }
}

}  // namespace sla::emu
