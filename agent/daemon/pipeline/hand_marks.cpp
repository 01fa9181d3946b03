#include "agent/daemon/pipeline/hand_marks.h"

#include "proto/time/tick_clock.h"
#include "proto/wire/one_line.h"

#include <algorithm>

namespace sla::daemon {

namespace {

constexpr const char* kOwnName = "sla mark";
// Of a segment that no program has: (0, 0) is the agent itself, (0, 1) the machine.
constexpr std::uint64_t kFirstNamed = 2;

}  // namespace

// By its name; without one, and of names beyond kMaxNames, ourselves.
HandMarks::Marker HandMarks::marker(const std::string& name) {
    const std::string wanted = name.empty() ? kOwnName : wire::one_line(name, kMaxNameBytes);
    const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), wanted) - names_.begin());
    const bool is_new = place == names_.size();
    if (is_new && place >= kMaxNames && wanted != kOwnName) return marker("");
    const SourceId source = channels_.begin_source(0, wanted == kOwnName ? 0 : kFirstNamed + place);
    if (is_new) {
        names_.push_back(wanted);
        channels_.announce_source({source, wire::SOURCE_AGENT, wanted, 0, "", false});
    }
    return {wanted, source};
}

drain::Run& HandMarks::run_of(const Marker& marker, OpenChannel& channel) {
    std::shared_ptr<drain::Run>& run = runs_[channel.id];
    if (!run) {
        run = std::make_shared<drain::Run>(channels_.thread(marker.source, 0, marker.name).value);
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
    const Marker by = marker(mark.source());
    const std::string name = mark.channel().empty() ? "unnamed" : wire::one_line(mark.channel(), SLA_NAME_BYTES - 1);
    OpenChannel& to = channels_.channel(by.source, {.name = name, .format = ""});
    if (!to.settings.enabled) return;
    to.wake();
    drain::Run& run = run_of(by, to);
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
