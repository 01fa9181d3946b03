#include "emu/gdb/protocol.h"

#include "emu/gdb/packet.h"
#include "emu/gdb/target_description.h"
#include "proto/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sla::gdb {

namespace {

constexpr const char* kOk = "OK";
constexpr const char* kBadPacket = "E01";
constexpr const char* kNoMemory = "E14";
constexpr const char* kUnknown = "";  // the answer to a packet that is not served here
constexpr std::uint32_t kMaxBytes = kMaxPacket / 2 - 64;

// Up to the separator; the rest goes on behind it.
std::string_view cut(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
}

std::string in_words(const std::string& message) {
    return "E." + message;
}

std::string value_text(std::optional<std::uint32_t> value, unsigned bits) {
    if (value) return hex_of_word(*value);
    return std::string(bits / 4, 'x');  // not there
}

// Empty: no watch stopped it.
std::string watch_reason(const cpu::StopPoints::Found& found) {
    if (found.why != cpu::StopPoints::Why::kData) return {};
    return fmt::format("{}:{:x};", found.any_access ? "awatch" : found.read_only ? "rwatch" : "watch", found.address);
}

}  // namespace

std::optional<std::string> Protocol::answer(std::string_view packet) {
    if (packet.empty()) return kUnknown;
    const std::string_view rest = packet.substr(1);
    switch (packet.front()) {
        case '?': return last_stop_;
        case 'g': return all_registers();
        case 'G': return write_all_registers(rest);
        case 'p': {
            const auto number = hex_number(rest);
            if (!number || *number >= kRegisters.size()) return kBadPacket;
            return value_text(target_.read_register(*number), kRegisters[*number].bits);
        }
        case 'P': return write_register(rest);
        case 'm': return read_memory(rest);
        case 'M': return write_memory(rest, false);
        case 'X': return write_memory(rest, true);
        case 'Z':
        case 'z': return point(packet);
        case 'c':
        case 'C': return resume(false);
        case 's':
        case 'S': return resume(true);
        case 'b':
            if (packet == "bs" || packet == "bc") return go_back(packet == "bs");
            return kUnknown;
        case 'v': return verbose(packet);
        case 'q':
        case 'Q': return query(packet);
        case 'H':
        case 'T': return kOk;  // there is one thread, the processor
        case 'D': return detach();
        case 'k': target_.kill(); return std::nullopt;
        default: return kUnknown;
    }
}

std::optional<std::string> Protocol::query(std::string_view packet) {
    constexpr std::string_view kXml = "qXfer:features:read:target.xml:";
    constexpr std::string_view kCommand = "qRcmd,";
    if (packet.starts_with("qSupported")) {
        return fmt::format("PacketSize={:x};qXfer:features:read+;swbreak+;hwbreak+;vContSupported+;QStartNoAckMode+{}",
                           kMaxPacket, target_.goes_back() ? ";ReverseStep+;ReverseContinue+" : "");
    }
    if (packet.starts_with(kXml)) return part_of_xml(packet.substr(kXml.size()));
    if (packet.starts_with(kCommand)) return monitor(packet.substr(kCommand.size()));
    if (packet == "QStartNoAckMode") return kOk;
    if (packet.starts_with("qAttached")) return "1";
    if (packet == "qC") return "QC1";
    if (packet == "qfThreadInfo") return "m1";
    if (packet == "qsThreadInfo") return "l";
    return kUnknown;
}

std::string Protocol::part_of_xml(std::string_view range) const {
    const auto from = hex_number(cut(range, ','));
    const auto bytes = hex_number(range);
    if (!from || !bytes) return kBadPacket;
    const std::string xml = target_xml(target_.code16());
    if (*from >= xml.size()) return "l";
    const std::string part = xml.substr(*from, std::min(*bytes, kMaxBytes));
    return (*from + part.size() < xml.size() ? "m" : "l") + part;
}

std::string Protocol::monitor(std::string_view hex) {
    const auto line = from_hex(hex);
    if (!line) return kBadPacket;
    const auto done = target_.command(*line);
    std::string text = done ? *done : done.error().message + "\n";
    if (text.empty()) return kOk;
    constexpr std::string_view kCut = "... that is more than a debugger takes: `sla-emu control` has all of it\n";
    if (text.size() > kMaxBytes) {
        text.resize(text.rfind('\n', kMaxBytes - kCut.size() - 1) + 1);  // whole lines
        text += kCut;
    }
    return hex_of(text);
}

std::string Protocol::all_registers() const {
    std::string text;
    for (std::size_t i = 0; i < kRegisters.size(); ++i) text += value_text(target_.read_register(i), kRegisters[i].bits);
    return text;
}

// Those that gdb changed, found before one is written: $ip follows $eip, and gdb sends its old value along.
std::string Protocol::write_all_registers(std::string_view hex) {
    std::vector<std::pair<std::size_t, std::uint32_t>> wanted;
    std::size_t at = 0;
    for (std::size_t i = 0; i < kRegisters.size(); ++i) {
        const std::size_t digits = kRegisters[i].bits / 4;
        if (at + digits > hex.size()) return kBadPacket;
        const auto value = word_of_hex(hex.substr(at, digits));
        at += digits;
        if (value && target_.read_register(i) != value) wanted.emplace_back(i, *value);
    }
    for (const auto& [number, value] : wanted) {
        if (!target_.write_register(number, value))
            return in_words(fmt::format("{} cannot be written so", kRegisters[number].name));
    }
    return kOk;
}

std::string Protocol::write_register(std::string_view rest) {
    const auto number = hex_number(cut(rest, '='));
    const auto value = word_of_hex(rest);
    if (!number || !value || *number >= kRegisters.size()) return kBadPacket;
    if (target_.write_register(*number, *value)) return kOk;
    return in_words(
        fmt::format("{} cannot be written so: general registers, eip and eflags can, but for its VM and reserved bits",
                    kRegisters[*number].name));
}

std::string Protocol::read_memory(std::string_view range) const {
    const auto from = hex_number(cut(range, ','));
    const auto bytes = hex_number(range);
    if (!from || !bytes) return kBadPacket;
    std::string data;
    for (std::uint32_t i = 0; i < std::min(*bytes, kMaxBytes); ++i) {
        const auto byte = target_.read_byte(*from + i);
        if (!byte) break;
        data += static_cast<char>(*byte);
    }
    return data.empty() && *bytes != 0 ? kNoMemory : hex_of(data);
}

std::string Protocol::write_memory(std::string_view rest, bool binary) {
    const auto to = hex_number(cut(rest, ','));
    const auto bytes = hex_number(cut(rest, ':'));
    const auto data = binary ? std::optional(unescape(rest)) : from_hex(rest);
    if (!to || !bytes || !data || data->size() != *bytes) return kBadPacket;
    return target_.write_memory(*to, *data) ? kOk : kNoMemory;
}

std::string Protocol::point(std::string_view packet) {
    const bool add = packet.front() == 'Z';
    std::string_view rest = packet.substr(1);
    const auto kind = hex_number(cut(rest, ','));
    const auto address = hex_number(cut(rest, ','));
    const auto bytes = hex_number(cut(rest, ';'));
    if (!kind || !address || !bytes) return kBadPacket;
    if (*kind > static_cast<std::uint32_t>(PointKind::kAccess)) return kUnknown;
    const auto which = static_cast<PointKind>(*kind);
    if (!add) {
        target_.remove_point(which, *address, *bytes);
        return kOk;
    }
    const auto added = target_.add_point(which, *address, *bytes);
    return added ? kOk : in_words(added.error().message);
}

std::optional<std::string> Protocol::resume(bool step) {
    running_ = true;
    target_.resume(step);
    return std::nullopt;
}

std::string Protocol::go_back(bool step) {
    const auto there = target_.go_back(step);
    if (!there) return in_words(there.error().message);
    last_stop_ = "T05" + (*there ? watch_reason(**there) : "replaylog:begin;") + "thread:1;";
    return last_stop_;
}

std::optional<std::string> Protocol::verbose(std::string_view packet) {
    if (packet == "vCont?") return "vCont;c;C;s;S";
    if (packet.starts_with("vKill")) {
        target_.kill();
        return kOk;
    }
    constexpr std::string_view kContinue = "vCont;";
    if (!packet.starts_with(kContinue) || packet.size() == kContinue.size()) return kUnknown;
    const char action = packet[kContinue.size()];
    if (action == 's' || action == 'S') return resume(true);
    if (action == 'c' || action == 'C') return resume(false);
    return kBadPacket;
}

std::optional<std::string> Protocol::detach() {
    detached_ = true;
    return kOk;
}

std::string Protocol::stopped(const cpu::StopPoints::Found& found) {
    using Why = cpu::StopPoints::Why;
    running_ = false;
    std::string reason;
    if (found.why == Why::kCode) {
        const auto kind = target_.code_point(found.address);
        if (kind) reason = *kind == PointKind::kHardware ? "hwbreak:;" : "swbreak:;";
    } else {
        reason = watch_reason(found);
    }
    last_stop_ = (found.why == Why::kAsked ? "T02" : "T05") + reason + "thread:1;";
    return last_stop_;
}

std::string Protocol::interrupted() {
    target_.interrupt();
    return stopped({cpu::StopPoints::Why::kAsked, 0, false, false});
}

}  // namespace sla::gdb
