#include "viewer/cli/code/annotated_code.h"

#include "proto/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace sla::cli {

namespace {

std::string data_of(std::span<const std::uint8_t> bytes) {
    std::string out = "db";
    for (const std::uint8_t byte : bytes) out += fmt::format("{} 0x{:02x}", out.size() == 2 ? "" : ",", byte);
    return out;
}

}  // namespace

std::vector<CodeRow> annotated(const symbol::CodeImage& code, const CodeRange& range, const SampledAddresses& samples) {
    std::vector<CodeRow> out;
    for (std::uint64_t at = range.begin; at < range.end;) {
        const auto sampled = samples.lower_bound(at);
        const bool is_sampled = sampled != samples.end() && sampled->first == at;
        const std::uint64_t count = is_sampled ? sampled->second : 0;
        const auto next = is_sampled ? std::next(sampled) : sampled;
        const std::span<const std::uint8_t> bytes = code.from(at);
        if (bytes.empty()) {
            if (count != 0) out.push_back({at, count, "", "no code is known here"});
            if (next == samples.end()) break;
            at = next->first;
            continue;
        }
        auto found = disassembly::disassemble(bytes, range.mode, at - range.base);
        if (next != samples.end() && next->first - at < found.length) {  // what looked like code was data
            found.length = next->first - at;
            found.text = data_of(bytes.first(found.length));
        }
        out.push_back({at, count, hex_of(bytes.first(std::min(found.length, bytes.size()))), std::move(found.text)});
        at += found.length;
    }
    return out;
}

}  // namespace sla::cli
