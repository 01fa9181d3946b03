// How far rows are all there: by the machine's clock, and by each time that a source makes up (an emulated PC by the virtual
// clock), which no other clock says anything about.
#pragma once

#include "proto/base/strong_id.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sla::trigger {

// Whose time rows are stamped with: a source that makes up its own; none, and it is the machine's.
using TimeSource = SourceId;
inline constexpr TimeSource kMachineTime{};

class KnownTimes {
public:
    struct Own {
        TimeSource source;
        std::uint64_t tick = 0;
        bool is_over = false;  // the source has ended: its time stands still
    };

    // A watermark of the machine's clock alone is one, too.
    KnownTimes(std::uint64_t by_machine = 0) : by_machine_(by_machine) {}  // NOLINT(google-explicit-constructor)

    // Time goes on to there, by the machine's clock or a source's own; no time goes back.
    void set(TimeSource source, std::uint64_t tick) {
        if (source == kMachineTime) {
            by_machine_ = std::max(by_machine_, tick);
            return;
        }
        Own& own = of_source(source);
        own = {source, std::max(own.tick, tick), false};
    }
    // None is known any further than this.
    void limit(std::uint64_t tick) {
        by_machine_ = std::min(by_machine_, tick);
        for (Own& own : own_) own.tick = std::min(own.tick, tick);
    }
    void end(TimeSource source) { of_source(source).is_over = true; }
    void forget(TimeSource source) {
        std::erase_if(own_, [source](const Own& own) { return own.source == source; });
    }

    [[nodiscard]] std::uint64_t by_machine() const { return by_machine_; }
    [[nodiscard]] const std::vector<Own>& own() const { return own_; }
    // Nothing is known of a source that was never set.
    [[nodiscard]] std::uint64_t of(TimeSource source) const {
        if (source == kMachineTime) return by_machine_;
        const Own* own = find(source);
        return own == nullptr ? 0 : own->tick;
    }
    // No row of that time follows.
    [[nodiscard]] bool is_over(TimeSource source) const {
        if (source == kMachineTime) return false;
        const Own* own = find(source);
        return own == nullptr || own->is_over;
    }

private:
    [[nodiscard]] const Own* find(TimeSource source) const {
        const auto at = std::find_if(own_.begin(), own_.end(), [source](const Own& own) { return own.source == source; });
        return at == own_.end() ? nullptr : &*at;
    }
    Own& of_source(TimeSource source) {
        const Own* known = find(source);
        if (known != nullptr) return own_[static_cast<std::size_t>(known - own_.data())];
        return own_.emplace_back(Own{source, 0, false});
    }

    std::uint64_t by_machine_;
    std::vector<Own> own_;  // a few
};

}  // namespace sla::trigger
