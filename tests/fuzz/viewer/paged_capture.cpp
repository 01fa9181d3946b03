// A hostile capture file whose rows stay in it: whatever its index promises and its chunks hold, lanes stay in order, every
// row, span and loss has an answer, and memory is bounded.
#include "proto/base/check.h"
#include "tests/fuzz/capture_repair.h"
#include "tests/support/unreadable_of.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/ingest/file_source.h"
#include "viewer/store/unreadable_pages.h"

#include <google/protobuf/stubs/logging.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace sla;

constexpr std::uint64_t kRows = 3000;  // of a lane that are looked at

void look_at(const store::Lane& lane) {
    std::uint64_t tick = 0;
    const std::uint64_t step = lane.size() / kRows + 1;
    for (std::uint64_t i = 0; i < lane.size(); i += step) {
        SLA_CHECK(lane.tick(i) >= tick && lane.tick(i) <= lane.last_tick());
        tick = lane.tick(i);
        SLA_CHECK(lane.lower_bound(tick) <= i && lane.upper_bound(tick) > i);
        (void)lane.text(i);
        (void)lane.level_at(tick);
        (void)lane.is_here(tick, tick + 1000);
        (void)lane.spans().span_of_end(i);
    }
    const store::LaneSpans spans = lane.spans();
    for (std::uint64_t id = 0; id < spans.size(); id += spans.size() / kRows + 1) {
        const store::Span span = spans[id];
        SLA_CHECK(span.begin_index < lane.size() && span.end_tick >= span.begin_tick);
        SLA_CHECK(span.end_index == store::kNever || span.end_index < lane.size());
    }
    std::uint64_t visited = 0;
    spans.visit_overlapping(0, store::kNever, 1000, [&](std::uint64_t, const store::Span&) { return ++visited < kRows; });
    const store::Summary all = lane.summarize(0, store::kNever);
    SLA_CHECK(all.first == 0 && all.last == lane.size() && all.lost == lane.lost());
}

// What cannot be read is told of rows that there are, once.
void look_at_losses(const store::Lane& lane) {
    std::uint64_t pages = 0;
    std::uint64_t events = 0;
    const auto take = [&](const store::Page& page, const std::optional<store::Gap>& gap) {
        SLA_CHECK(!gap || (gap->index >= page.first && gap->index < page.first + page.rows && gap->lost <= page.rows));
        SLA_CHECK(!gap || gap->tick <= gap->until_tick);
        ++pages;
        events += gap ? gap->lost : 0;
        return true;
    };
    store::each_page_looked_at(lane, 0, store::kNever, store::PageSource::Look::kCheck, take);
    const support::Unreadable known = support::unreadable_of(lane, store::PageSource::Look::kKnown);
    SLA_CHECK(known.pages <= pages && known.events == events && events <= lane.size());
}

// From the file's sums, whatever they say.
void look_at_statistics(const store::Session& session) {
    const std::uint64_t last = session.last_tick();
    for (const std::uint64_t from : {std::uint64_t{0}, last / 3}) {
        analysis::Selection selection;
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        selection.from = from;
        selection.until = from == 0 ? store::kNever : last;
        analysis::StatisticsOptions options;
        options.from_sums = true;
        for (const analysis::LaneIntervals& lane : analysis::lane_intervals(session, selection, options)) {
            for (const analysis::Intervals* of : {&lane.of_channel, &lane.of_spans}) {
                SLA_CHECK(of->count() <= lane.lane->size());
                if (of->count() > 0) SLA_CHECK(of->least() <= of->greatest());
            }
            SLA_CHECK(analysis::histogram(lane.of_channel, 8).size() <= 8);
        }
    }
}

// Verdicts by the sums, whatever they say, come to an end and count no more than there is.
void look_at_verdicts(const store::Session& session) {
    if (session.lanes().empty() || session.lanes().size() > 20) return;
    std::vector<analysis::Limit> limits;
    for (const char* text : {"gap * < 1us", "gap * max < 1s", "gap * p99 > 1ns", "width * > 1us", "width * min < 1ms",
                             "width * p50 < 1us", "gap * mean < 1us"})
        limits.push_back(*analysis::parse_limit(text));
    const auto findings = analysis::check_limits(session, limits, {});
    std::uint64_t most = 1;
    for (const store::Lane* lane : session.lanes()) most = std::max(most, lane->size() + 1);
    for (const analysis::Finding& finding : findings)
        SLA_CHECK(finding.checked <= most && finding.broken <= finding.checked);
}

// A filter that looks through pages gives rows that are there and match it, in order.
void look_at_filter(const store::Session& session) {
    for (const char* text : {"value > 5 and not kind == level", "kind == gap or thread == 3 or tick < 1000"}) {
        analysis::Selection selection;
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        selection.filter = *analysis::EventFilter::parse(text);
        std::uint64_t given = 0;
        const analysis::Progress stop = [&](std::uint64_t, std::uint64_t) { return given < kRows; };
        analysis::EventWalk walk(session, selection, stop);
        std::uint64_t tick = 0;
        while (const auto place = walk.next()) {
            SLA_CHECK(place->tick >= tick && place->index < place->lane->size());
            SLA_CHECK(selection.filter->matches(session, *place));
            tick = place->tick;
            if (++given >= kRows) break;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    google::protobuf::SetLogHandler(nullptr);
    std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 1) fuzz::repair(bytes);
    static const int file = memfd_create("capture", MFD_CLOEXEC);
    SLA_CHECK(file >= 0 && ftruncate(file, 0) == 0);
    SLA_CHECK(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    ingest::FileOptions options;
    options.rows_in_memory = 0;
    options.cache_bytes = 100'000;
    store::Session session;
    if (!ingest::load_file("/proc/self/fd/" + std::to_string(file), session, {}, options)) return 0;
    for (const store::Lane* lane : session.lanes()) {
        look_at_losses(*lane);
        look_at(*lane);
    }
    look_at_statistics(session);
    look_at_verdicts(session);
    look_at_filter(session);
    const store::MergedIndex index(session);
    for (std::uint64_t row = 0; row < index.rows(); row += index.rows() / 20 + 1) SLA_CHECK(index.place(row).has_value());
    return 0;
}
