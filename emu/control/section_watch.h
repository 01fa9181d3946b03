// What spans of channels count while the guest runs, for those who look in from outside: as `sla-emu run --counts --section`, but
// begun at any moment. Until then it costs nothing.
//
//   EventStop ─ every event ─► SectionWatch ─► a SectionCounts for each list that was asked for
//
// One thread, the machine's.
#pragma once

#include "emu/control/event_stop.h"
#include "emu/tap/sink.h"
#include "emu/vmm/section_counts.h"
#include "emu/vmm/vmm.h"
#include "proto/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::control {

class SectionWatch final : private tap::Sink {
public:
    static constexpr std::size_t kMax = 16;  // lists of channels

    SectionWatch(EventStop& events, vmm::Vmm& vmm) : events_(events), vmm_(vmm) {}
    ~SectionWatch() override { (void)forget(""); }
    SectionWatch(const SectionWatch&) = delete;
    SectionWatch& operator=(const SectionWatch&) = delete;

    // What spans of these channels (patterns with commas between) counted since this was first asked, as JSON of the form that
    // --counts writes. `events`: CESR's numbers with commas between, "16,1D"; "": all. Names that no channel has are an error
    // once there are channels; a pattern with a '*' waits for those that come.
    Result<std::string> counts(const std::string& channels, const std::string& events);
    // What happens meanwhile is not counted: a run that is made again.
    void stand_aside(bool aside) {
        is_aside_ = aside;
        events_.ways_changed();
    }
    // Counts them no more; "": none of all. Of what is not counted: an error.
    Result<void> forget(const std::string& channels);

private:
    struct Nowhere final : tap::Sink {
        tap::ChannelId open(const std::string&, const char*) override { return 0; }
        [[nodiscard]] bool listens(tap::ChannelId) const override { return false; }
        void plain(tap::ChannelId, sla_code, std::uint64_t) override {}
        void wide(tap::ChannelId, sla_code, std::uint64_t, std::uint64_t, std::uint64_t) override {}
        void text(tap::ChannelId, const std::string&) override {}
    };
    struct Watched {
        std::string channels;  // as asked for
        std::unique_ptr<vmm::SectionCounts> counts;
    };

    // Sink
    tap::ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(tap::ChannelId channel) const override;
    void plain(tap::ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
              std::uint64_t detail1) override;
    void text(tap::ChannelId, const std::string&) override {}

    Result<vmm::SectionCounts*> begun(const std::string& channels);

    EventStop& events_;
    vmm::Vmm& vmm_;
    Nowhere nowhere_;
    std::vector<Watched> watched_;
    bool is_aside_ = false;
};

}  // namespace sla::control
