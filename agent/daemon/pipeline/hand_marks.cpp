#include "agent/daemon/pipeline/hand_marks.h"

#include "proto/time/tick_clock.h"

#include <utility>

namespace sla::daemon {

drain::Run& HandMarks::run_of(SourceId self, OpenChannel& channel) {
    std::shared_ptr<drain::Run>& run = runs_[channel.id];
    if (!run) {
        run = std::make_shared<drain::Run>(channels_.thread(self, 0, "sla mark").value);
        channel.runs.push_back(run);
    }
    return *run;
}

void HandMarks::take(const std::vector<HandMark>& marks) {
    for (const HandMark& mark : marks) {
        take(mark.mark);
        if (mark.taken) mark.taken();
    }
}

void HandMarks::take(const wire::Mark& mark) {
    const SourceId self = channels_.begin_source(0, 0);
    if (!std::exchange(is_announced_, true)) channels_.announce_source({self, wire::SOURCE_AGENT, "sla mark", 0, "", false});
    OpenChannel& to = channels_.channel(self, {.name = mark.channel(), .format = ""});
    if (!to.settings.enabled) return;
    to.wake();
    drain::Run& run = run_of(self, to);
    const std::uint64_t now = time::read_stamp() & SLA_TICK_MASK;
    switch (mark.what_case()) {
        case wire::Mark::kValue: run.add(now, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(mark.value())); break;
        case wire::Mark::kNumber: run.add(now, SLA_CODE_VALUE_FLOAT, wire::as_bits(mark.number())); break;
        case wire::Mark::kText: {
            run.add(now, SLA_CODE_TEXT, 0);
            run.attach_text(1, std::string_view(mark.text()).substr(0, SLA_TEXT_BYTES));
            break;
        }
        case wire::Mark::WHAT_NOT_SET: run.add(now, SLA_CODE_TICK, 0); break;
    }
    to.ledger.events++;
}

}  // namespace sla::daemon
