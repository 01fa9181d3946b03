#include "viewer/cli/code/guest_code.h"

#include "proto/base/text.h"
#include "viewer/counters/guest_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sla::cli {

namespace {

constexpr std::uint64_t kAtATime = 2048;

}  // namespace

Result<std::vector<std::uint8_t>> parse_guest_bytes(std::string_view text) {
    std::vector<std::uint8_t> out;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        line.remove_prefix(std::min(line.find(": "), line.size()));
        while (line.size() > 2) {
            line.remove_prefix(std::min(line.find_first_not_of(": "), line.size()));
            if (line.starts_with("--")) return out;
            std::uint8_t byte = 0;
            constexpr int kHexadecimal = 16;
            const auto [stop, error] =
                std::from_chars(line.data(), line.data() + std::min<std::size_t>(line.size(), 2), byte, kHexadecimal);
            if (error != std::errc())
                return unavailable(
                    "what listens there answers no memory: is another version of sla-emu installed beside this one?");
            out.push_back(byte);
            line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
        }
    }
    return out;
}

Result<std::vector<std::uint8_t>> read_guest_code(pid_t process, std::uint64_t begin, std::uint64_t end) {
    auto guest = counters::GuestControl::connect(process);
    if (!guest.ok()) return guest.error();
    std::vector<std::uint8_t> out;
    for (std::uint64_t at = begin; at < end; at += kAtATime) {
        const std::uint64_t count = std::min(kAtATime, end - at);
        const auto answer = guest->ask(fmt::format("x 0x{:x} {}", at, count));
        if (!answer.ok()) return answer.error();
        const auto bytes = parse_guest_bytes(*answer);
        if (!bytes.ok()) return bytes.error();
        out.insert(out.end(), bytes->begin(), bytes->end());
        if (bytes->size() < count) break;
    }
    return out;
}

}  // namespace sla::cli
