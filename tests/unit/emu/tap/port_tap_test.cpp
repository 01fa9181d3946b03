// What accesses to ports show, in which order, and by which way: through the sinks where one of them looks at events, else straight.
#include "emu/tap/port_tap.h"

#include "emu/history/known_ground.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/selection.h"
#include "proto/wire/formatter.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>

#include <functional>

namespace sla::tap {
namespace {

using bus::CodeAddress;
using bus::Width;
using testing::ElementsAre;

// Tells the sinks when it works.
struct Chip final : bus::PortDevice {
    explicit Chip(bool latch) : is_latch_(latch) {}
    [[nodiscard]] std::string_view name() const override { return "post"; }
    [[nodiscard]] Width widest() const override { return Width::kWord; }
    [[nodiscard]] bool is_latch(std::uint16_t, bus::Access) const override { return is_latch_; }
    std::uint32_t read_port(std::uint16_t, Width) override {
        works();
        return 0x1234;
    }
    void write_port(std::uint16_t, Width, std::uint32_t) override { works(); }
    std::function<void()> works = [] {};

private:
    bool is_latch_;
};

// One whose ways a test sets.
class SwitchedSink final : public RecordingSink {
public:
    [[nodiscard]] std::optional<sla_channel*> straight(ChannelId) const override {
        return nowhere_ ? std::optional<sla_channel*>(nullptr) : std::nullopt;
    }
    [[nodiscard]] Ways* ways() override { return &ways_; }
    void ways_changed() override { ways_.change(); }
    void lead_nowhere(bool nowhere) { nowhere_ = nowhere; }

private:
    bool nowhere_ = false;
    Ways ways_{nullptr};
};

template <typename SinkType>
struct Taps {
    explicit Taps(bool latch = false) : chip(latch) { ports.claim(chip, 0x80, 0x80); }
    void out(Width width = Width::kByte) {
        const auto listeners = port_tap.listeners(0x80, ports);
        if (!listeners.any()) return;
        const PortTap::Access access(listeners, {0x80, width, true, 0x42}, here, ports);
        port_tap.begin_out(access);
        ports.write(0x80, width, 0x42);
        port_tap.end_out(access);
    }
    void in(Width width = Width::kWord) {
        const auto listeners = port_tap.listeners(0x80, ports);
        if (!listeners.any()) return;
        PortTap::Access access(listeners, {0x80, width, false, 0}, here, ports);
        port_tap.begin_in(access);
        access.read(ports.read(0x80, width));
        port_tap.end_in(access);
    }

    Chip chip;
    bus::PortTable ports;
    SinkType seen;
    Tap tap{seen};
    VmmTap vmm_tap{seen};
    PortTap port_tap{tap, vmm_tap};
    const CodeAddress here{0xF000, 0xE05B, true};
};

// What comes to the sinks, and "chip" when it works.
std::vector<std::string> order_of(bool latch, void (*access)(Taps<RecordingSink>&)) {
    Taps<RecordingSink> taps(latch);
    std::size_t before = 0;
    taps.chip.works = [&] { before = taps.seen.events.size(); };
    access(taps);
    std::vector<std::string> order;
    for (const auto& event : taps.seen.events) {
        order.push_back(event.code == SLA_CODE_BEGIN ? "begin" : event.code == SLA_CODE_END ? "end" : "tick");
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(before), "chip");
    return order;
}

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

TEST(PortTap, AllEventsOfALatchAreOfOneInstant) {
    const auto out = [](Taps<RecordingSink>& taps) { taps.out(); };
    const auto in = [](Taps<RecordingSink>& taps) { taps.in(); };
    EXPECT_THAT(order_of(false, out), ElementsAre("tick", "begin", "chip", "end"));
    EXPECT_THAT(order_of(false, in), ElementsAre("begin", "chip", "end", "tick"));
    EXPECT_THAT(order_of(true, out), ElementsAre("tick", "begin", "end", "chip"));
    EXPECT_THAT(order_of(true, in), ElementsAre("chip", "begin", "end", "tick"));
    const auto wide = [](Taps<RecordingSink>& taps) { taps.out(Width::kDword); };
    EXPECT_THAT(order_of(true, wide), ElementsAre("tick", "begin", "chip", "end")) << "it reaches other chips, too";
}

TEST(PortTap, WritesAccessesAsPeopleReadThem) {
    Taps<RecordingSink> taps;
    const auto listeners = taps.port_tap.listeners(0x80, taps.ports);
    taps.port_tap.begin_out({listeners, {0x80, Width::kByte, true, 0x42}, {}, taps.ports});
    taps.port_tap.begin_out({listeners, {0x80, Width::kWord, true, 0x42}, {}, taps.ports});
    taps.port_tap.end_in({listeners, {0x1F0, Width::kDword, false, 0x42}, taps.here, taps.ports});
    std::vector<std::string> texts;
    for (const auto& event : taps.seen.of("port.post")) {
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
    const std::uint64_t before = sink.ways()->changes();
    ground.set_again(true);
    EXPECT_GT(sink.ways()->changes(), before);
    EXPECT_FALSE(sink.straight(port).has_value()) << "what happens again is not told again";
}

TEST(Ways, AreThroughTheSinksWhereTheCourseOfSpansIsFollowed) {
    MarkerSink markers;
    history::KnownGround ground(markers);
    const ChannelId exits = ground.open("vmm.exit.port", "");
    ASSERT_TRUE(ground.straight(exits).has_value());
    ground.follow();
    EXPECT_EQ(ground.ways()->changes(), 1U);
    EXPECT_FALSE(ground.straight(exits).has_value());
}

}  // namespace
}  // namespace sla::tap
