// Typed text and the screen: what goes in and out of the PC for people.
#include "emu/machine/machine.h"
#include "emu/machine/screen.h"
#include "emu/machine/typist.h"
#include "emu/machine/virtual_clock.h"

#include <gmock/gmock.h>

namespace sla::machine {
namespace {

using bus::Width;
using testing::ElementsAre;
using testing::HasSubstr;

class TextTest : public testing::Test {
protected:
    void show(unsigned row, unsigned column, std::string_view text, std::uint8_t attribute = 7) {
        for (const char character : text) {
            auto cell = pc.memory().at(device::Vga::kTextBase + 2 * (80 * row + column++), 2);
            cell[0] = static_cast<std::uint8_t>(character);
            cell[1] = attribute;
        }
    }
    // The guest reads its keyboard for so long.
    std::vector<unsigned> read_keys(bus::Nanoseconds time) {
        std::vector<unsigned> bytes;
        for (const bus::Nanoseconds end = clock.now() + time; clock.now() < end; clock.wait_until(clock.now() + 500'000)) {
            pc.events().run_due();
            if ((pc.ports().read(0x64, Width::kByte) & 1) != 0) bytes.push_back(pc.ports().read(0x60, Width::kByte));
        }
        return bytes;
    }
    void type(std::string_view text) {
        auto steps = parse_typed_text(text);
        ASSERT_TRUE(steps.ok()) << steps.error().message;
        typist.type(std::move(*steps));
    }
    static std::string refusal(std::string_view text) {
        auto steps = parse_typed_text(text);
        return steps.ok() ? "taken" : steps.error().message;
    }

    VirtualClock clock;
    Machine pc{clock, std::size_t{2} << 20};
    Screen screen{pc.vga(), pc.memory()};
    int stops = 0;
    Typist typist{
        pc.events(), pc.keyboard(), {[this](const std::string& text) { return screen.shows(text); }, [this] { ++stops; }}};
};

TEST_F(TextTest, TypesKeysAsTheGuestReadsThem) {
    type("aB\\n");
    EXPECT_THAT(read_keys(300'000'000), ElementsAre(0x1E, 0x9E, 0x2A, 0x30, 0xB0, 0xAA, 0x1C, 0x9C));
    EXPECT_TRUE(typist.done());
    EXPECT_FALSE(pc.events().next_due()) << "a typist who is done wakes nobody";
}

TEST_F(TextTest, WaitsForTheGuestAndForTheClock) {
    type("\\{wait 1s}x");
    EXPECT_TRUE(read_keys(900'000'000).empty());
    EXPECT_THAT(read_keys(300'000'000), ElementsAre(0x2D, 0xAD));
}

TEST_F(TextTest, WaitsUntilTheScreenShowsWhatItShall) {
    type("\\{see READY>}\\{f2}");
    EXPECT_TRUE(read_keys(500'000'000).empty());
    show(24, 70, "READY>");
    EXPECT_THAT(read_keys(300'000'000), ElementsAre(0x3C, 0xBC));
}

TEST_F(TextTest, TellsTheEndOfALineFromItsMiddle) {
    type("\\{see \\nC:\\\\>}x");
    show(3, 0, "at C:\\>");
    EXPECT_TRUE(read_keys(500'000'000).empty());
    show(4, 0, "C:\\>");
    EXPECT_THAT(read_keys(300'000'000), ElementsAre(0x2D, 0xAD));
}

TEST_F(TextTest, EndsTheRunWhenTold) {
    type("x\\{stop}");
    EXPECT_THAT(read_keys(10'000'000), testing::IsEmpty());
    EXPECT_EQ(stops, 0);
    read_keys(100'000'000);
    EXPECT_EQ(stops, 1);
    EXPECT_TRUE(typist.done());
}

TEST_F(TextTest, SaysWhatItCannotType) {
    EXPECT_THAT(refusal("\\{meta}"), HasSubstr("there is no key \\{meta}"));
    EXPECT_THAT(refusal("ab\\{down"), HasSubstr("has no closing }"));
    EXPECT_THAT(refusal("caf\xC3\xA9"), HasSubstr("character 4 is on no key"));
    EXPECT_THAT(refusal("end\\"), HasSubstr("backslash"));
    EXPECT_THAT(refusal("\\{see C:\\>}"), HasSubstr("backslash"));
    EXPECT_THAT(refusal("\\{wait long}"), HasSubstr("long"));
    EXPECT_EQ(refusal(""), "taken");
}

TEST_F(TextTest, ReadsTheScreenAsLinesOfUtf8) {
    show(0, 0, "First");
    show(2, 3, "box \xC9\xCD\xBB");
    EXPECT_EQ(screen.text(), "First\n\n   box ╔═╗\n");
    EXPECT_TRUE(screen.shows("╔═╗"));
    EXPECT_FALSE(screen.shows("Second"));
}

TEST_F(TextTest, AGraphicsModeShowsNoText) {
    show(0, 0, "First");
    EXPECT_FALSE(screen.is_graphics());
    pc.ports().write(0x3CE, Width::kByte, 6);
    pc.ports().write(0x3CF, Width::kByte, 5);
    EXPECT_TRUE(screen.is_graphics());
    EXPECT_FALSE(screen.shows("First"));
}

TEST_F(TextTest, FollowsTheStartAddress) {
    show(1, 0, "Second page");
    pc.ports().write(0x3D4, Width::kByte, 0x0D);
    pc.ports().write(0x3D5, Width::kByte, 80);
    EXPECT_EQ(screen.text(), "Second page\n");
}

TEST_F(TextTest, DrawsGlyphsOfTheGuestsFontInItsColours) {
    pc.memory().at(device::Vga::kFontBase + 32 * 'A', 32)[3] = 0x80;
    show(0, 1, "A", 0x1E);
    const Picture picture = screen.picture();
    EXPECT_EQ(picture.width, 640U);
    EXPECT_EQ(picture.height, 400U);
    const std::uint8_t* ink = &picture.rgb[3 * (3 * 640 + 8)];
    EXPECT_THAT(std::vector<int>(ink, ink + 6), ElementsAre(255, 255, 85, 0, 0, 170)) << "yellow on blue";
}

}  // namespace
}  // namespace sla::machine
