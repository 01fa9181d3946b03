// What sections of the guest's work cost in events of the Pentium's counters, one by one.
//
// A section is a channel's spans (guest.NAME, irq.0.isr, cpu.hlt: whatever begins and ends on a channel), from the begin to
// the end, with all that happens between; or a range of code, from an instruction that is about to run to the next time
// another one is. A range that is entered again before it ended begins anew. On the way to the sink behind it sees every
// span, whether anybody listens or not.
//
// One thread, the machine's.
#pragma once

#include "emu/bus/code_address.h"
#include "emu/pmc/events.h"
#include "emu/tap/selection.h"
#include "emu/tap/sink.h"
#include "emu/vmm/counter_unit.h"
#include "emu/vmm/value_counts.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sla::vmm {

struct CodeRange {
    std::string name;  // as it was typed
    bus::CodeAddress first;
    bus::CodeAddress end;  // the first instruction that is not in it
};

class SectionCounts final : public tap::Sink {
public:
    static constexpr std::size_t kMaxNested = 1000;  // spans that begin and never end are no section
    struct Section {
        std::string name;
        std::vector<pmc::Counts> open;  // counts at the begin of each span that has not ended
        std::array<ValueCounts, pmc::kEventCount> events;
        std::uint64_t ended = 0;
        std::uint64_t deeper = 0;     // open ones within kMaxNested others
        std::uint64_t uncounted = 0;  // all there were of those
    };

    // Spans of these channels; nothing: of none.
    SectionCounts(tap::Sink& behind, std::optional<tap::Selection> channels, std::vector<CodeRange> ranges);

    // From now on, by these counters; they outlive the guest's run.
    void count_with(CounterUnit& counters);
    // As if nothing had begun yet; the counters have begun anew.
    void begin_anew();
    // The whole run is the section `program`, first of all: what is counted until now, once. Then those that began.
    [[nodiscard]] std::vector<Section> finish();

    // Sink
    tap::ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(tap::ChannelId channel) const override {
        return channels_[channel].section.has_value() || behind_.listens(channels_[channel].behind);
    }
    void plain(tap::ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
              std::uint64_t detail1) override;
    void text(tap::ChannelId channel, const std::string& text) override { behind_.text(channels_[channel].behind, text); }
    [[nodiscard]] std::optional<sla_channel*> straight(tap::ChannelId channel) const override {
        return channels_[channel].section ? std::nullopt : behind_.straight(channels_[channel].behind);
    }
    [[nodiscard]] tap::Ways* ways() override { return behind_.ways(); }
    void ways_changed() override { behind_.ways_changed(); }

private:
    // Numbers are our own: behind us channels that nobody wants may share one.
    struct Channel {
        tap::ChannelId behind = 0;
        std::optional<std::size_t> section;
    };

    void look_at(tap::ChannelId channel, sla_code code);
    void begin(Section& section) { section.open.push_back(counters_->counted()); }
    void end(Section& section);
    void arrive(const bus::CodeAddress& at);

    tap::Sink& behind_;
    std::optional<tap::Selection> wanted_;
    std::vector<CodeRange> ranges_;
    CounterUnit* counters_ = nullptr;
    std::vector<Section> sections_;  // those of ranges first
    std::vector<Channel> channels_;
};

// The same as JSON, for `sla counters`: which events were kept and how well, and how often each number came in each section.
std::string json_of(const std::vector<SectionCounts::Section>& sections, const CounterUnit& counters, std::string_view cpu);

}  // namespace sla::vmm
