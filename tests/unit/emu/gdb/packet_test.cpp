#include "emu/gdb/packet.h"
#include "proto/base/text.h"

#include <gtest/gtest.h>

namespace sla::gdb {
namespace {

using Kind = PacketReader::Kind;

TEST(Packet, APacketInPiecesIsOnePacket) {
    PacketReader reader;
    EXPECT_TRUE(reader.feed("+$m600,").empty());
    const auto items = reader.feed("2#61\3-");
    ASSERT_EQ(items.size(), 3U);
    EXPECT_EQ(items[0].kind, Kind::kPacket);
    EXPECT_EQ(items[0].payload, "m600,2");
    EXPECT_EQ(items[1].kind, Kind::kInterrupt);
    EXPECT_EQ(items[2].kind, Kind::kAgain);
}

TEST(Packet, AWrongSumOrOneThatIsNoneIsBroken) {
    PacketReader reader;
    for (const char* bytes : {"$g#68", "$g#zz"}) {
        const auto items = reader.feed(bytes);
        ASSERT_EQ(items.size(), 1U) << bytes;
        EXPECT_EQ(items[0].kind, Kind::kBroken) << bytes;
    }
    EXPECT_EQ(reader.feed("$g#67")[0].kind, Kind::kPacket);
}

TEST(Packet, OneThatIsTooLongIsBrokenAndTheNextIsRead) {
    PacketReader reader;
    EXPECT_TRUE(reader.feed("$" + std::string(kMaxPacket + 1, 'a')).empty());
    const auto items = reader.feed("#00$g#67");
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[0].kind, Kind::kBroken);
    EXPECT_EQ(items[1].payload, "g");
}

TEST(Packet, WhatTheFrameUsesIsEscapedAndComesBack) {
    const std::string data = "a#b$c}d*e\3";
    const std::string framed = frame(data);
    PacketReader reader;
    const auto items = reader.feed(framed);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(unescape(items[0].payload), data);
    EXPECT_EQ(frame("OK"), "$OK#9a");
}

TEST(Packet, NumbersAndBytesAreHexadecimalOrNothing) {
    EXPECT_EQ(hex_of("\x01\xFE"), "01fe");
    EXPECT_EQ(from_hex("01fE"), "\x01\xFE");
    EXPECT_FALSE(from_hex("01f"));
    EXPECT_FALSE(from_hex("0x"));
    EXPECT_EQ(hex_number("ff1b1"), 0xFF1B1U);
    EXPECT_FALSE(hex_number(""));
    EXPECT_FALSE(hex_number("1g"));
    EXPECT_FALSE(hex_number("123456789"));
    EXPECT_EQ(hex_of_word(0x12345678), "78563412");
    EXPECT_EQ(word_of_hex("78563412"), 0x12345678U);
    EXPECT_FALSE(word_of_hex("7856"));
}

}  // namespace
}  // namespace sla::gdb
