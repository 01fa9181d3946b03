#include "proto/base/check.h"
#include "viewer/analysis/filter/event_filter.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto filter = sla::analysis::EventFilter::parse({reinterpret_cast<const char*>(data), size});
    if (!filter.ok()) {
        SLA_CHECK(!filter.error().message.empty());
        return 0;
    }
    sla::store::Session session;
    sla::store::Lane& lane = session.add_channel({sla::ChannelId{1}, sla::SourceId{1}, "a", "", false});
    lane.append_gap(1, 2, 3, 4, sla::wire::LossCause::kLate);
    static_cast<void>(filter->matches(session, {&lane, 0, 1}));
    return 0;
}
