#include "emu/hooks.h"

#include "proto/common/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sla::emu {

namespace {

constexpr std::string_view kAll = "all";
constexpr std::string_view kNone = "none";

// What channels' names begin with (emu/tap/tap.h, emu/tap/vmm_tap.h).
const std::vector<std::string>& families() {
    static const std::vector<std::string> all{"cpu",  "dma", "exc", "guest", "int",  "irq",
                                              "mmio", "msr", "pin", "pmc",   "port", "vmm"};
    return all;
}

bool is_known(std::string_view pattern) {
    if (pattern.starts_with('*')) return true;
    return std::any_of(families().begin(), families().end(),
                       [pattern](const std::string& family) { return tap::asks_for_family(pattern, family); });
}

Error unknown(std::string_view pattern) {
    std::vector<std::string> known = families();
    known.insert(known.end(), {std::string(kAll), std::string(kNone)});
    const std::string first(pattern.substr(0, pattern.find('.')));
    return invalid_input(
        fmt::format("--hook {}: no channel's name begins so{}; they begin with {}; {} is every one, {} by itself is no one",
                    pattern, common::nearest_hint(first, known), fmt::join(families(), ", "), kAll, kNone));
}

}  // namespace

Result<tap::Selection> parse_hooks(std::string_view list) {
    if (list == kNone) return tap::Selection::parse("!*");
    std::string meant;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        std::string_view pattern = list.substr(at, end - at);
        if (at > 0) meant += ',';
        if (pattern.starts_with('!')) {
            meant += '!';
            pattern.remove_prefix(1);
        }
        if (!pattern.empty() && pattern != kAll && !is_known(pattern)) return unknown(pattern);
        meant += pattern == kAll ? "*" : pattern;
        at = end + 1;
    }
    return tap::Selection::parse(meant);
}

}  // namespace sla::emu
