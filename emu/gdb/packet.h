// The frames of gdb's remote serial protocol: "$payload#cs", acknowledged by '+' or asked for again by '-', and the byte 3,
// which interrupts. Bytes come from outside: a frame that is too long or whose sum is wrong is none. Knows no socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::gdb {

// What qSupported promises; longer ones are dropped.
inline constexpr std::size_t kMaxPacket = 0x4000;

class PacketReader {
public:
    enum class Kind : std::uint8_t { kPacket, kBroken, kInterrupt, kAgain };
    struct Item {
        Kind kind = Kind::kPacket;
        std::string payload;  // kPacket, as it came: still escaped
    };

    std::vector<Item> feed(std::string_view bytes);

private:
    enum class State : std::uint8_t { kBetween, kPayload, kFirstDigit, kSecondDigit };
    std::optional<Item> take(char byte);

    State state_ = State::kBetween;
    bool too_long_ = false;
    std::string payload_;
    char first_digit_ = 0;
};

// With what the frame itself uses escaped.
std::string frame(std::string_view payload);
// Of the binary data in an X packet.
std::string unescape(std::string_view data);

// Nothing for an odd number of digits, or others.
std::optional<std::string> from_hex(std::string_view digits);
// A number in hexadecimal, of at most 8 digits; all of the text.
std::optional<std::uint32_t> hex_number(std::string_view digits);
// In the order in which the guest has it in memory.
std::string hex_of_word(std::uint32_t value);
std::optional<std::uint32_t> word_of_hex(std::string_view digits);

}  // namespace sla::gdb
