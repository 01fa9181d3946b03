#include "emu/vmm/section_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::vmm {

namespace {

bool is_at(const bus::CodeAddress& a, const bus::CodeAddress& b) {
    return a.selector == b.selector && a.offset == b.offset;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return out + '"';
}

std::string json_of_events(const SectionCounts::Section& section, const CounterUnit& counters) {
    std::string out;
    for (const pmc::Event& event : pmc::events()) {
        if (!counters.keeps(event.select)) continue;
        const ValueCounts& counts = section.events[event.select];
        out += fmt::format("{}\n    {}: {{\"grain\": {}, ", out.empty() ? "" : ",",
                           quoted(common::select_text(event.select)), counts.grain());
        if (counts.grain() > 1) out += fmt::format("\"cut_off\": {}, ", counts.cut_off());
        out += "\"values\": [";
        const char* between = "";
        for (const auto& [value, times] : counts.values())
            out += fmt::format("{}[{}, {}]", std::exchange(between, ", "), value, times);
        out += "]}";
    }
    return out;
}

}  // namespace

SectionCounts::SectionCounts(tap::Sink& behind, std::optional<tap::Selection> channels, std::vector<CodeRange> ranges)
    : behind_(behind), wanted_(std::move(channels)), ranges_(std::move(ranges)) {
    for (const CodeRange& range : ranges_) sections_.push_back({range.name, {}, {}});
}

void SectionCounts::count_with(CounterUnit& counters) {
    counters_ = &counters;
    if (!ranges_.empty()) counters.on_address([this](const cpu::CodeAddress& at) { arrive(at); });
}

void SectionCounts::begin_anew() {
    for (Section& section : sections_) section = {section.name, {}, {}};
}

std::vector<SectionCounts::Section> SectionCounts::finish() {
    Section whole{"program", {}, {}, 1};
    const pmc::Counts counted = counters_->counted();
    for (std::size_t i = 0; i < counted.size(); ++i) whole.events[i].add(counted[i]);
    std::vector<Section> out{std::move(whole)};
    std::copy_if(sections_.begin(), sections_.end(), std::back_inserter(out),
                 [](const Section& section) { return section.ended > 0 || !section.open.empty(); });
    return out;
}

tap::ChannelId SectionCounts::open(const std::string& name, const char* format) {
    Channel channel{behind_.open(name, format), {}};
    if (wanted_ && wanted_->takes(name)) {
        channel.section = sections_.size();
        sections_.push_back({name, {}, {}});
    }
    channels_.push_back(channel);
    return static_cast<tap::ChannelId>(channels_.size() - 1);
}

void SectionCounts::plain(tap::ChannelId channel, sla_code code, std::uint64_t value) {
    look_at(channel, code);
    behind_.plain(channels_[channel].behind, code, value);
}

void SectionCounts::wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
                         std::uint64_t detail1) {
    look_at(channel, code);
    behind_.wide(channels_[channel].behind, code, value, detail0, detail1);
}

void SectionCounts::look_at(tap::ChannelId channel, sla_code code) {
    const auto number = channels_[channel].section;
    if (!number || counters_ == nullptr) return;
    Section& section = sections_[*number];
    if (code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE) {
        if (section.open.size() < kMaxNested) return begin(section);
        ++section.deeper;
        ++section.uncounted;
    } else if (code == SLA_CODE_END) {
        end(section);
    }
}

void SectionCounts::end(Section& section) {
    if (section.deeper > 0) {
        --section.deeper;
        return;
    }
    if (section.open.empty()) return;
    const pmc::Counts now = counters_->counted();
    for (std::size_t i = 0; i < now.size(); ++i) section.events[i].add(now[i] - section.open.back()[i]);
    section.open.pop_back();
    ++section.ended;
}

void SectionCounts::arrive(const bus::CodeAddress& at) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        if (is_at(at, ranges_[i].end)) end(sections_[i]);
        if (!is_at(at, ranges_[i].first)) continue;
        sections_[i].open.clear();
        begin(sections_[i]);
    }
}

std::string json_of(const std::vector<SectionCounts::Section>& sections, const CounterUnit& counters, std::string_view cpu) {
    std::string out = fmt::format("{{\"format\": \"sla-emu counts 1\", \"cpu\": {}, \"events\": {{", quoted(cpu));
    const char* between = "";
    for (const pmc::Event& event : pmc::events()) {
        const auto how = counters.keeps(event.select) ? event.offer : pmc::Offer::kNotOffered;
        out += fmt::format("{}\n  {}: {}", std::exchange(between, ","), quoted(common::select_text(event.select)),
                           quoted(common::offer_word(how)));
    }
    out += "},\n\"sections\": [";
    between = "";
    for (const SectionCounts::Section& section : sections) {
        out +=
            fmt::format("{}\n  {{\"name\": {}, \"ended\": {}, \"unfinished\": {}, \"uncounted\": {}, \"events\": {{{}}}}}",
                        std::exchange(between, ","), quoted(section.name), section.ended,
                        section.open.size() + section.deeper, section.uncounted, json_of_events(section, counters));
    }
    return out + "\n]}\n";
}

}  // namespace sla::vmm
