// The history of one run, where one is wanted (--history-memory).
#pragma once

#include "emu/guest.h"
#include "emu/history/history.h"
#include "emu/run_options.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/selection.h"

#include <optional>
#include <string>

namespace sla::emu {

class Past {
public:
    struct Parts {
        vmm::Vmm& vmm;
        snapshot::Subject& subject;
        history::KnownGround& ground;
        tap::SelectingSink& hooks;
        tap::MarkerSink& markers;
        Guest& guest;
    };

    // What does not go together.
    static Result<void> check(const RunOptions& options);
    // Begins at once, the machine standing still. The parts outlive it, and load nothing behind it.
    Past(const Parts& parts, const RunOptions& options);
    Past(const Past&) = delete;
    Past& operator=(const Past&) = delete;

    // Null: there is none, and why not.
    [[nodiscard]] history::History* history() { return history_ ? &*history_ : nullptr; }
    [[nodiscard]] const std::string& why_not() const { return why_not_; }

private:
    void begin(const Parts& parts, const RunOptions& options);
    void say(const std::string& text);
    void tell_open_spans();

    vmm::Vmm& vmm_;
    history::KnownGround& ground_;
    tap::MarkerSink& markers_;
    tap::SelectingSink& hooks_;
    std::optional<bool> is_told_;            // its channel is selected; asked when there may be something to tell
    std::optional<tap::ChannelId> channel_;  // opened when there is
    std::optional<history::History> history_;
    std::string why_not_;
};

}  // namespace sla::emu
