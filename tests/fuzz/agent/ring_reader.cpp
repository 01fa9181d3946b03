// A program that writes anything over its segment, between and before the reader's looks: what comes out is well-formed,
// bounded by the ring, and never from outside the segment; the watermark gets past every row, and no row comes behind it.
#include "agent/drain/ring_feed.h"
#include "proto/base/check.h"
#include "tests/support/test_segment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::uint32_t kSlots = 64;
constexpr std::uint64_t kSkew = 1000;
constexpr std::size_t kArenaBytes = kSlots * sizeof(sla_slot_text);

// One segment for all runs; each run puts its beginning back.
struct Victim {
    Victim() {
        segment.add_channel("fuzzed");
        segment.add_ring(1, kSlots, SLA_WIDTH_PLAIN);
        segment.add_ring(1, kSlots, SLA_WIDTH_WIDE, SLA_OVERWRITE);
        segment.add_ring(1, kSlots, SLA_WIDTH_TEXT);
        std::memcpy(rings, &segment.ring(0), sizeof rings);
    }
    void restore() {
        std::memcpy(&segment.ring(0), rings, sizeof rings);
        std::memset(segment.at(SLA_ARENA_OFFSET), 0, kArenaBytes);
    }
    sla::support::TestSegment segment;
    sla::ring::SegmentView view = segment.view();
    unsigned char rings[3 * sizeof(sla_ring_header)];
};

// One scribble: where to (2 bytes), how much (1 byte), what.
void scribble(Victim& victim, const std::uint8_t*& data, std::size_t& size) {
    if (size < 4) {
        size = 0;
        return;
    }
    std::size_t at = (data[0] | data[1] << 8) % (sizeof victim.rings + kArenaBytes);
    std::size_t count = std::min<std::size_t>(data[2], size - 3);
    for (std::size_t i = 0; i < count; i++) {
        std::size_t to = (at + i) % (sizeof victim.rings + kArenaBytes);
        unsigned char* base = to < sizeof victim.rings ? reinterpret_cast<unsigned char*>(&victim.segment.ring(0)) + to
                                                       : victim.segment.at(SLA_ARENA_OFFSET + to - sizeof victim.rings);
        *base = data[3 + i];
    }
    data += 3 + count;
    size -= 3 + count;
}

std::uint64_t clock_now = 0;

// All that the watermark lets through.
void check(sla::drain::Run& run, std::uint64_t closed, std::uint64_t watermark) {
    sla::wire::EventBatch out;
    run.give(run.count_up_to(watermark), out);
    SLA_CHECK(out.size() == 0 || (out.ticks.front() > closed && out.ticks.back() <= watermark));
    SLA_CHECK(std::is_sorted(out.ticks.begin(), out.ticks.end()));
    SLA_CHECK(std::all_of(out.codes.begin(), out.codes.end(), sla::wire::is_known_code));
    for (const sla::wire::Extra& extra : out.extras) SLA_CHECK(extra.position < out.size());
    for (std::size_t i = 0; i < out.texts.size(); i++)
        SLA_CHECK(out.texts.position(i) < out.size() && out.texts[i].size() <= SLA_TEXT_BYTES);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Victim victim;
    victim.restore();
    if (size % 2 == 1) victim.view.release_pages();  // then slots are copied, else read where they are
    victim.view.set_pages_scarce(size % 2 == 1);
    for (std::uint32_t number = 0; number < 3; number++) {
        sla::ring::RingReader reader(victim.view, number);
        sla::Result<bool> open = reader.open();
        if (!open || !*open) continue;
        sla::drain::RingFeed feed(std::move(reader));
        sla::drain::Run run(1);
        sla::drain::LossLedger ledger;
        std::uint64_t watermark = 0;
        for (clock_now = 1'000'000'000; size > 0; clock_now += 1'000'000) {
            scribble(victim, data, size);
            const sla::drain::StepClock clock(clock_now, kSkew, [] { return clock_now; });
            sla::Result<std::size_t> taken = feed.drain(clock, watermark, run, ledger);
            if (!taken) break;
            SLA_CHECK(*taken <= feed.reader().description().capacity);
            SLA_CHECK(feed.bound() <= clock.latest());
            const std::uint64_t closed = watermark;
            watermark = std::max(watermark, std::min(feed.bound(), clock.before(sla::drain::kStoreBufferTicks)));
            check(run, closed, watermark);
            SLA_CHECK(run.count_up_to(clock.latest()) == run.size());
        }
        check(run, watermark, clock_now + kSkew + sla::drain::kEarlyReadTicks);
        SLA_CHECK(run.empty());
    }
    return 0;
}
