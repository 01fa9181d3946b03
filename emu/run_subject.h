// What `save`, `load` and --load are about in one run.
#pragma once

#include "emu/count_file.h"
#include "emu/guest.h"
#include "emu/run_options.h"
#include "emu/snapshot/subject.h"
#include "emu/tap/hash_sink.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/symbol_sink.h"
#include "emu/vmm/vmm.h"

namespace sla::emu {

struct SubjectParts {
    vmm::Vmm& vmm;
    Guest& guest;
    tap::HashSink& hash;
    tap::MarkerSink& markers;
    tap::SymbolSink& symbols;
    CountFile& counts;
};

// The subject dies before its parts; the machine has not run yet.
void put_together(snapshot::Subject& subject, const SubjectParts& parts, const RunOptions& options);

}  // namespace sla::emu
