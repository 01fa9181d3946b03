// What accesses to ports show, in which order, and by which way: through the sinks where one of them looks at events, else straight.
#include "emu/tap/port_tap.h"

#include "emu/history/known_ground.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/selection.h"
#include "proto/wire/formatter.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>

namespace sla::tap {
namespace {

using bus::CodeAddress;
using bus::Width;
using testing::ElementsAre;

struct Post final : bus::PortDevice {
    [[nodiscard]] std::string_view name() const override { return "post"; }
    std::uint32_t read_port(std::uint16_t, Width) override { return 0; }
    void write_port(std::uint16_t, Width, std::uint32_t) override {}
};

// One whose ways a test sets.
class SwitchedSink final : public RecordingSink {
public:
    [[nodiscard]] std::optional<sla_channel*> straight(ChannelId) const override {
        return nowhere_ ? std::optional<sla_channel*>(nullptr) : std::nullopt;
    }
    [[nodiscard]] const std::uint64_t* ways() const override { return &ways_; }
    void ways_changed() override { ++ways_; }
    void lead_nowhere(bool nowhere) { nowhere_ = nowhere; }

private:
    bool nowhere_ = false;
    std::uint64_t ways_ = 0;
};

template <typename SinkType>
struct Taps {
    Taps() { ports.claim(post, 0x80, 0x80); }
    void out() {
        const auto access = port_tap.access(ports.device_of(0x80), ports);
        if (!access.is_watched()) return;
        port_tap.begin_out(access, {0x80, Width::kByte, true, 0x42}, here);
        port_tap.end_out(access);
    }
    void in() {
        const auto access = port_tap.access(ports.device_of(0x80), ports);
        if (!access.is_watched()) return;
        port_tap.begin_in(access, here);
        port_tap.end_in(access, {0x80, Width::kWord, false, 0x1234}, here);
    }

    Post post;
    bus::PortTable ports;
    SinkType seen;
    Tap tap{seen};
    VmmTap vmm_tap{seen};
    PortTap port_tap{tap, vmm_tap};
    const CodeAddress here{0xF000, 0xE05B, true};
};

TEST(PortTap, ReportsAnOutBeforeTheChipWorksAndAnInBehindIt) {
    Taps<RecordingSink> taps;
    taps.out();
    taps.in();
    std::vector<std::pair<std::string, sla_code>> order;
    for (const auto& event : taps.seen.events) order.emplace_back(event.channel, event.code);
    EXPECT_THAT(order, ElementsAre(std::pair{"port.post", SLA_CODE_TICK_VALUE}, std::pair{"vmm.exit.port", SLA_CODE_BEGIN},
                                   std::pair{"vmm.exit.port", SLA_CODE_END}, std::pair{"vmm.exit.port", SLA_CODE_BEGIN},
                                   std::pair{"vmm.exit.port", SLA_CODE_END}, std::pair{"port.post", SLA_CODE_TICK_VALUE}));
    for (const std::size_t with_place : {0, 1, 3, 5}) {
        EXPECT_EQ(taps.seen.events[with_place].detail[1], 0xF000'0000E05BULL) << with_place;
    }
    EXPECT_EQ(taps.seen.events[5].value, 0x1234U);
}

TEST(PortTap, WritesAccessesAsPeopleReadThem) {
    Taps<RecordingSink> taps;
    const auto access = taps.port_tap.access(0, taps.ports);
    taps.port_tap.begin_out(access, {0x80, Width::kByte, true, 0x42}, {});
    taps.port_tap.begin_out(access, {0x80, Width::kWord, true, 0x42}, {});
    taps.port_tap.end_in(access, {0x1F0, Width::kDword, false, 0x42}, taps.here);
    std::vector<std::string> texts;
    for (const auto& event : taps.seen.of("port.unclaimed")) {
        texts.emplace_back();
        wire::format_details(taps.seen.formats[event.channel], event.detail, texts.back());
    }
    EXPECT_THAT(texts, ElementsAre("out 80h", "out 80h.w",
                                   testing::AllOf(testing::StartsWith("in 1f0h.d"), testing::HasSubstr("f000:e05b"))));
}

TEST(PortTap, AsksForTheWaysAgainWhenTheyChangeAndNotBefore) {
    Taps<SwitchedSink> taps;
    taps.out();
    EXPECT_EQ(taps.seen.events.size(), 3U);
    taps.seen.lead_nowhere(true);
    taps.out();
    EXPECT_EQ(taps.seen.events.size(), 6U);
    taps.seen.ways_changed();
    taps.out();
    EXPECT_EQ(taps.seen.events.size(), 6U) << "nobody can listen";
    taps.seen.lead_nowhere(false);
    taps.seen.ways_changed();
    taps.out();
    EXPECT_EQ(taps.seen.events.size(), 9U);
}

TEST(Ways, LeadStraightIntoTheMarkerLibraryWhereNobodyLooks) {
    MarkerSink markers;
    history::KnownGround ground(markers);
    SelectingSink sink(ground, Selection::parse("port").value());
    const ChannelId port = sink.open("port.post", "x86.port");
    const ChannelId closed = sink.open("irq.0", "");
    ASSERT_TRUE(sink.straight(port).has_value());
    EXPECT_STREQ((*sink.straight(port))->name, "port.post");
    ASSERT_TRUE(sink.straight(closed).has_value());
    EXPECT_EQ(*sink.straight(closed), nullptr);
    ASSERT_EQ(sink.ways(), markers.ways());
    const std::uint64_t before = *sink.ways();
    ground.set_again(true);
    EXPECT_GT(*sink.ways(), before);
    EXPECT_FALSE(sink.straight(port).has_value()) << "what happens again is not told again";
}

TEST(Ways, AreThroughTheSinksWhereEventsAreStampedByAVirtualClock) {
    struct Standing final : bus::Clock {
        [[nodiscard]] bus::Nanoseconds now() const override { return 0; }
        [[nodiscard]] bool repeatable() const override { return true; }
        [[nodiscard]] std::uint64_t code_bytes_until(bus::Nanoseconds) const override { return 1; }
        void executed(std::uint64_t) override {}
        void wait_until(bus::Nanoseconds) override {}
        void set(bus::Nanoseconds) override {}
    } clock;
    MarkerSink markers(&clock);
    EXPECT_FALSE(markers.straight(markers.open("port.post", "")).has_value());
}

}  // namespace
}  // namespace sla::tap
