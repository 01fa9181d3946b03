#include "viewer/formats/vcd/vcd_variables.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::formats {

namespace {

std::string code_text(std::size_t number) {
    std::string out;
    do {
        out += static_cast<char>('!' + number % 94);
        number /= 94;
    } while (number > 0);
    return out;
}

const char* suffix_of(std::uint8_t code) {
    switch (code) {
        case SLA_CODE_TICK_VALUE: return "_value";
        case SLA_CODE_BEGIN_VALUE: return "_begin";
        case SLA_CODE_END_VALUE: return "_end";
        case SLA_CODE_VALUE_SIGNED: return "_signed";
        case SLA_CODE_VALUE_UNSIGNED: return "_unsigned";
        default: return "_float";
    }
}

void put_binary(std::uint64_t value, std::string_view code, ByteBuffer& out) {
    char text[64];
    const int bits = std::max(1, static_cast<int>(std::bit_width(value)));
    for (int bit = 0; bit < bits; ++bit) text[bits - 1 - bit] = static_cast<char>('0' + (value >> bit & 1));
    out.put('b');
    out.put(std::string_view(text, static_cast<std::size_t>(bits)));
    out.put(' ');
    out.put(code);
    out.put('\n');
}

void put_bit(char value, std::string_view code, ByteBuffer& out) {
    out.put(value);
    out.put(code);
    out.put('\n');
}

// VCD texts have no blanks; what would end or break one is written as \xhh.
void put_string(std::string_view text, std::string_view code, ByteBuffer& out) {
    constexpr char kHex[] = "0123456789abcdef";
    out.put('s');
    for (const char c : text) {
        if (c > ' ' && c != '\\' && c != '\x7f') {
            out.put(c);
        } else {
            out.put("\\x");
            out.put(kHex[c >> 4 & 15]);
            out.put(kHex[c & 15]);
        }
    }
    out.put(' ');
    out.put(code);
    out.put('\n');
}

}  // namespace

bool VcdLane::is_not_kept(std::uint64_t index) const {
    const store::Gap* const gap = lane_->gap_at(index);
    return gap != nullptr && gap->is_not_kept();
}

void VcdLane::hold(HeldState held) {
    open_ = std::move(held.open);
    seen_open_ = open_;
    most_open_ = open_.all();
    level_ = held.level;
    if (open_.all() > 0) codes_[SLA_CODE_BEGIN] = true;
    if (level_ != store::Level::kUnknown) codes_[SLA_CODE_LEVEL] = true;
}

void VcdLane::see(std::uint64_t index, const store::Event& event) {
    codes_[event.code & 15] = true;
    switch (event.kind()) {
        case wire::Kind::kGap:
            (is_not_kept(index) ? has_not_kept_ : has_lost_) = true;
            seen_open_.lose(event.thread);
            break;
        case wire::Kind::kBegin: seen_open_.begin(event.thread); break;
        case wire::Kind::kEnd: seen_open_.end(event.thread); break;
        default: break;
    }
    most_open_ = std::max(most_open_, seen_open_.all());
}

void VcdLane::declare(std::size_t& next_code) {
    const auto has = [&](wire::Kind kind) {
        for (std::size_t code = 0; code < codes_.size(); ++code) {
            if (codes_[code] && wire::kind_of(static_cast<std::uint8_t>(code)) == kind) return true;
        }
        return false;
    };
    if (has(wire::Kind::kTick)) add(VcdRole::kTick, 0, "event 1", "_tick", next_code);
    add_numbers(next_code);
    if (has(wire::Kind::kBegin) || has(wire::Kind::kEnd)) {
        constexpr std::uint64_t kMostOf16Bits = 0xFFFF;
        const char* const counter = most_open_ > kMostOf16Bits ? "integer 64" : "integer 16";
        add(VcdRole::kSpan, 0, counts_spans() ? counter : "wire 1", "_span", next_code);
    }
    if (has(wire::Kind::kLevel)) add(VcdRole::kLevel, 0, "wire 1", "_level", next_code);
    if (has(wire::Kind::kText)) add(VcdRole::kText, 0, "string 1", "_text", next_code);
    const bool alone = variables_.size() == 1;
    add_losses(next_code);
    if (alone || variables_.size() == 1) variables_.front().name = "";
    name_variables();
}

void VcdLane::add_numbers(std::size_t& next_code) {
    for (std::size_t at = 0; at < codes_.size(); ++at) {
        const auto code = static_cast<std::uint8_t>(at);
        if (!codes_[at] || code == SLA_CODE_LEVEL || code == SLA_CODE_GAP) continue;
        const wire::ValueType type = wire::value_type_of(code);
        if (type == wire::ValueType::kNone) continue;
        const char* const name = type == wire::ValueType::kFloat      ? "real 64"
                                 : type == wire::ValueType::kUnsigned ? "wire 64"
                                                                      : "integer 64";
        add(VcdRole::kNumber, code, name, suffix_of(code), next_code);
    }
}

void VcdLane::add_losses(std::size_t& next_code) {
    if (has_lost_) add(VcdRole::kLost, 0, "wire 64", "_lost", next_code);
    if (!has_not_kept_) return;
    add(VcdRole::kLost, 0, "wire 64", "_not_kept", next_code);
    variables_.back().not_kept = true;
}

void VcdLane::name_variables() {
    std::string name = lane_->channel().name;
    name = name.substr(name.rfind('.') + 1);
    for (char& c : name) c = c <= ' ' || c == '\x7f' ? '_' : c;
    if (name.empty()) name = "_";
    if (name.starts_with('$')) name.front() = '_';  // would be a word of the format
    for (VcdVariable& variable : variables_) variable.name = name + variable.name;
}

void VcdLane::add(VcdRole role, std::uint8_t code, std::string type, const char* suffix, std::size_t& next_code) {
    variables_.push_back({code_text(next_code++), role, code, std::move(type), suffix});
}

const std::string& VcdLane::code_of(VcdRole role, std::uint8_t event_code) const {
    const auto found = std::find_if(variables_.begin(), variables_.end(), [&](const VcdVariable& variable) {
        return variable.role == role && variable.event_code == event_code;
    });
    SLA_CHECK(found != variables_.end());
    return found->code;
}

void VcdLane::put_number(const store::Event& event, ByteBuffer& out) const {
    const std::string& code = code_of(VcdRole::kNumber, event.code);
    if (wire::value_type_of(event.code) != wire::ValueType::kFloat) return put_binary(event.value, code, out);
    out.put('r');
    out.put_float(wire::as_double(event.value));
    out.put(' ');
    out.put(code);
    out.put('\n');
}

void VcdLane::put_span(const store::Event& event, ByteBuffer& out) {
    if (event.kind() == wire::Kind::kBegin) {
        open_.begin(event.thread);
    } else {
        open_.end(event.thread);
    }
    put_open(out);
}

void VcdLane::put_open(ByteBuffer& out) const {
    const std::string& code = code_of(VcdRole::kSpan);
    if (counts_spans()) return put_binary(open_.all(), code, out);
    put_bit(open_.all() > 0 ? '1' : '0', code, out);
}

void VcdLane::put_loss(std::uint64_t index, const store::Event& event, ByteBuffer& out) {
    const bool not_kept = is_not_kept(index);
    open_.lose(event.thread);
    for (const VcdVariable& variable : variables_) {
        if (variable.role == VcdRole::kLost) {
            if (variable.not_kept == not_kept) put_binary(event.value, variable.code, out);
        } else if (variable.type == "wire 1") {
            put_bit('x', variable.code, out);
        } else if (variable.role == VcdRole::kSpan || (variable.role == VcdRole::kNumber && variable.type != "real 64")) {
            out.put("bx ");
            out.put(variable.code);
            out.put('\n');
        }
        if (variable.role != VcdRole::kSpan) continue;
        out.put("$comment sla-open ");
        out.put(variable.code);
        out.put(' ');
        out.put_unsigned(open_.all());
        out.put(" $end\n");
    }
}

void VcdLane::put_event(std::uint64_t index, const store::Event& event, ByteBuffer& out) {
    switch (event.kind()) {
        case wire::Kind::kTick: put_bit('1', code_of(VcdRole::kTick), out); break;
        case wire::Kind::kLevel: return put_bit(event.value != 0 ? '1' : '0', code_of(VcdRole::kLevel), out);
        case wire::Kind::kText: return put_string(lane_->text(index), code_of(VcdRole::kText), out);
        case wire::Kind::kGap: return put_loss(index, event, out);
        case wire::Kind::kBegin:
        case wire::Kind::kEnd:
        case wire::Kind::kValue: break;
    }
    if (wire::has_value(event.code)) put_number(event, out);
    if (event.kind() == wire::Kind::kBegin || event.kind() == wire::Kind::kEnd) put_span(event, out);
}

void VcdLane::put_held(ByteBuffer& out) const {
    if (open_.all() > 0) put_open(out);
    if (level_ != store::Level::kUnknown) put_bit(level_ == store::Level::kHigh ? '1' : '0', code_of(VcdRole::kLevel), out);
}

void VcdLane::put_start(ByteBuffer& out) const {
    for (const VcdVariable& variable : variables_) {
        if (variable.type == "wire 1") {
            put_bit('x', variable.code, out);
        } else if (variable.role == VcdRole::kNumber && variable.type == "real 64") {
            continue;  // has no word for "not known"
        } else if (variable.role != VcdRole::kTick && variable.role != VcdRole::kText) {
            out.put("bx ");
            out.put(variable.code);
            out.put('\n');
        }
    }
}

}  // namespace sla::formats
