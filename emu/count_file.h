// `sla-emu run --counts F`: what all events of the Pentium's counters came to, in a file.
#pragma once

#include "emu/run_options.h"
#include "emu/tap/sink.h"
#include "emu/vmm/section_counts.h"
#include "emu/vmm/vmm.h"
#include "proto/base/result.h"

#include <memory>
#include <string>

namespace sla::emu {

class CountFile {
public:
    // Without --counts everything here does nothing. `behind` outlives it.
    static Result<CountFile> prepare(const RunOptions& options, tap::Sink& behind);

    // Where the tap puts its events.
    [[nodiscard]] tap::Sink& sink() { return sections_ ? static_cast<tap::Sink&>(*sections_) : behind_; }
    // Once the CPU is plugged in.
    Result<void> begin(vmm::Vmm& vmm);
    // The guest is another one, of a snapshot: what it did up to there is not counted. A sentence that says so.
    std::string begin_anew(vmm::Vmm& vmm);
    Result<void> write(vmm::Vmm& vmm);

private:
    CountFile(const RunOptions& options, tap::Sink& behind) : options_(options), behind_(behind) {}

    const RunOptions& options_;
    tap::Sink& behind_;
    std::unique_ptr<vmm::SectionCounts> sections_;
};

}  // namespace sla::emu
