#include "emu/gdb/packet.h"

#include "proto/base/text.h"

#include <numeric>
#include <span>

namespace sla::gdb {

namespace {

constexpr char kInterruptByte = 3;
constexpr char kEscape = '}';
constexpr char kEscapeBit = 0x20;

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::uint8_t sum_of(std::string_view text) {
    return std::accumulate(text.begin(), text.end(), std::uint8_t{0}, [](std::uint8_t sum, char c) {
        return static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(c));
    });
}

}  // namespace

std::vector<PacketReader::Item> PacketReader::feed(std::string_view bytes) {
    std::vector<Item> items;
    for (const char byte : bytes) {
        if (auto item = take(byte)) items.push_back(*std::move(item));
    }
    return items;
}

std::optional<PacketReader::Item> PacketReader::take(char byte) {
    switch (state_) {
        case State::kBetween:
            if (byte == kInterruptByte) return Item{Kind::kInterrupt, {}};
            if (byte == '-') return Item{Kind::kAgain, {}};
            if (byte != '$') return std::nullopt;
            state_ = State::kPayload;
            payload_.clear();
            too_long_ = false;
            return std::nullopt;
        case State::kPayload:
            if (byte == '#') {
                state_ = State::kFirstDigit;
            } else if (byte == '$') {  // the one before never ended
                payload_.clear();
                too_long_ = false;
            } else if (payload_.size() == kMaxPacket) {
                too_long_ = true;
            } else {
                payload_ += byte;
            }
            return std::nullopt;
        case State::kFirstDigit:
            first_digit_ = byte;
            state_ = State::kSecondDigit;
            return std::nullopt;
        case State::kSecondDigit: break;
    }
    state_ = State::kBetween;
    const int high = digit_of(first_digit_);
    const int low = digit_of(byte);
    const bool whole = !too_long_ && high >= 0 && low >= 0 && sum_of(payload_) == high * 16 + low;
    return whole ? Item{Kind::kPacket, std::move(payload_)} : Item{Kind::kBroken, {}};
}

std::string frame(std::string_view payload) {
    std::string body;
    for (const char c : payload) {
        if (c == '#' || c == '$' || c == '*' || c == kEscape) {
            body += kEscape;
            body += static_cast<char>(c ^ kEscapeBit);
        } else {
            body += c;
        }
    }
    const std::uint8_t sum = sum_of(body);
    return "$" + body + "#" + hex_of(std::span(&sum, 1));
}

std::string unescape(std::string_view data) {
    std::string out;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const bool escaped = data[i] == kEscape && i + 1 < data.size();
        out += escaped ? static_cast<char>(data[++i] ^ kEscapeBit) : data[i];
    }
    return out;
}

std::optional<std::string> from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = digit_of(digits[i]);
        const int low = digit_of(digits[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
    }
    return out;
}

std::optional<std::uint32_t> hex_number(std::string_view digits) {
    return whole_number<std::uint32_t>(digits, 16);
}

std::string hex_of_word(std::uint32_t value) {
    std::string bytes;
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return hex_of(bytes);
}

std::optional<std::uint32_t> word_of_hex(std::string_view digits) {
    const auto bytes = from_hex(digits);
    if (!bytes || bytes->size() != 4) return std::nullopt;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<std::uint8_t>((*bytes)[i])} << (8 * i);
    return value;
}

}  // namespace sla::gdb
