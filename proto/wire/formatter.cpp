#include "proto/wire/formatter.h"

#include <fmt/format.h>

#include <iterator>

namespace sla::wire {
namespace {

void append_separator(std::string& out) {
    if (!out.empty() && out.back() != ' ') out += ' ';
}

void append_address(std::uint64_t word, std::string& out) {
    if (word == 0) return;
    append_separator(out);
    fmt::format_to(std::back_inserter(out), "at {:04x}:{:04x}", word >> 32 & 0xffff, word & 0xffffffff);
}

void append_port(std::uint64_t word, std::string& out) {
    constexpr std::string_view kWidths[] = {"", ".w", ".d", ".?"};
    append_separator(out);
    const std::string_view direction = (word >> 18 & 1) != 0 ? "out" : "in";
    fmt::format_to(std::back_inserter(out), "{} {:02x}h{}", direction, word & 0xffff, kWidths[word >> 16 & 3]);
}

void append_memory(std::uint64_t word, std::string& out) {
    constexpr std::string_view kWidths[] = {"", ".w", ".d", ""};
    append_separator(out);
    const std::string_view direction = (word >> 34 & 1) != 0 ? "write" : "read";
    fmt::format_to(std::back_inserter(out), "{} {:x}h{}", direction, word & 0xffffffff, kWidths[word >> 32 & 3]);
}

}  // namespace

void format_details(std::string_view formatter, const std::uint64_t detail[2], std::string& out) {
    if (formatter == "x86.port") {
        append_port(detail[0], out);
        append_address(detail[1], out);
    } else if (formatter == "x86.mem") {
        append_memory(detail[0], out);
        append_address(detail[1], out);
    } else if (formatter == "x86.addr") {
        append_address(detail[1], out);
    }
}

}  // namespace sla::wire
