#include "emu/control/section_watch.h"

#include "emu/pmc/events.h"
#include "emu/tap/selection.h"
#include "proto/base/text.h"
#include "proto/common/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sla::control {

namespace {

// Which of the events are wanted, by their select.
using Wanted = std::array<bool, pmc::kEventCount>;

Result<Wanted> parse_wanted(const std::string& list) {
    Wanted out{};
    if (list.empty()) out.fill(true);
    for (std::size_t at = 0; !list.empty() && at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        constexpr int kHexadecimal = 16;
        const auto select = whole_number<std::uint8_t>(std::string_view(list).substr(at, comma - at), kHexadecimal);
        if (!select || *select >= out.size()) {
            return invalid_input(
                fmt::format("\"{}\" are no events: write their numbers, such as 16,1D; `events` lists them", list));
        }
        out[*select] = true;
        at = comma + 1;
    }
    return out;
}

// Some of them are not counted unless that is asked for.
bool wants_more(const Wanted& wanted, const vmm::CounterUnit& counters) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] && !counters.keeps(static_cast<std::uint8_t>(i))) return true;
    }
    return false;
}

// One of its channels is there, or may come: those that it names in full are known by now.
Result<void> check_there(const std::string& list, const tap::Selection& selected, std::vector<std::string> there) {
    const auto is_taken = [&](const std::string& name) { return selected.takes(name); };
    if (selected.has_patterns() || there.empty() || std::any_of(there.begin(), there.end(), is_taken)) return {};
    const std::string hint = common::nearest_hint(list, there);
    std::sort(there.begin(), there.end());
    return invalid_input(fmt::format("no channel is called \"{}\"{}; there are {}; write {}* to count one that comes later",
                                     list, hint, fmt::join(there, " "), list));
}

}  // namespace

Result<vmm::SectionCounts*> SectionWatch::begun(const std::string& channels) {
    const auto found =
        std::find_if(watched_.begin(), watched_.end(), [&](const Watched& one) { return one.channels == channels; });
    if (found != watched_.end()) return found->counts.get();
    if (watched_.size() == kMax) {
        return invalid_input(fmt::format("{} sections are counted already; end some with: section none", kMax));
    }
    auto selected = tap::Selection::parse(channels);
    if (!selected) return selected.error();
    if (const auto good = check_there(channels, *selected, events_.names()); !good) return good.error();
    auto counts =
        std::make_unique<vmm::SectionCounts>(nowhere_, std::optional(std::move(*selected)), std::vector<vmm::CodeRange>());
    events_.report_channels(*counts);
    counts->count_with(vmm_.counter_unit());
    watched_.push_back({channels, std::move(counts)});
    events_.also(this);
    return watched_.back().counts.get();
}

Result<std::string> SectionWatch::counts(const std::string& channels, const std::string& events) {
    const auto wanted = parse_wanted(events);
    if (!wanted) return wanted.error();
    const auto counts = begun(channels);
    if (!counts) return counts.error();
    if (wants_more(*wanted, vmm_.counter_unit())) vmm_.counter_unit().run_models();
    std::vector<vmm::SectionCounts::Section> sections = (*counts)->finish();
    for (vmm::SectionCounts::Section& section : sections) {
        for (std::size_t i = 0; i < wanted->size(); ++i) {
            if (!(*wanted)[i]) section.events[i] = {};
        }
    }
    return vmm::json_of(sections, vmm_.counter_unit(), vmm_.cpu().name());
}

Result<void> SectionWatch::forget(const std::string& channels) {
    const std::size_t gone =
        std::erase_if(watched_, [&](const Watched& one) { return channels.empty() || one.channels == channels; });
    if (watched_.empty()) events_.also(nullptr);
    if (gone > 0 || channels.empty()) return {};
    std::string counted;
    for (const Watched& one : watched_) counted += " " + one.channels;
    return invalid_input(
        fmt::format("no section \"{}\" is counted; there are:{}", channels, counted.empty() ? " none" : counted));
}

tap::ChannelId SectionWatch::open(const std::string& name, const char* format) {
    tap::ChannelId number = 0;
    for (const Watched& one : watched_) number = one.counts->open(name, format);
    return number;
}

bool SectionWatch::listens(tap::ChannelId channel) const {
    return !is_aside_ && std::any_of(watched_.begin(), watched_.end(),
                                     [channel](const Watched& one) { return one.counts->listens(channel); });
}

void SectionWatch::plain(tap::ChannelId channel, sla_code code, std::uint64_t value) {
    if (is_aside_) return;
    for (const Watched& one : watched_) one.counts->plain(channel, code, value);
}

void SectionWatch::wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
                        std::uint64_t detail1) {
    if (is_aside_) return;
    for (const Watched& one : watched_) one.counts->wide(channel, code, value, detail0, detail1);
}

}  // namespace sla::control
