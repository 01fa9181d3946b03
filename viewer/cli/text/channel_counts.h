// How many events a channel has had, and how many of them are gone for which reason.
#pragma once

#include "proto/wire/event.h"
#include "viewer/store/lane.h"
#include "viewer/store/names.h"

#include <array>
#include <cstdint>
#include <string>

namespace sla::cli {

class ChannelCounts {
public:
    ChannelCounts() = default;
    // As an agent says it. Events whose loss has none of its reasons it does not have.
    static ChannelCounts of(const store::Ledger& ledger);
    // Of the rows so far.
    static ChannelCounts of(const store::Lane& lane);
    // More rows.
    void add(const wire::EventBatch& batch);

    [[nodiscard]] std::uint64_t events() const { return events_; }
    // Without what was only not kept.
    [[nodiscard]] std::uint64_t lost() const;
    [[nodiscard]] std::uint64_t not_kept() const { return gone_[static_cast<std::size_t>(wire::LossCause::kNotKept)]; }
    // "7 overrun, 2 lagged", "2 of unknown cause"; "": nothing is lost.
    [[nodiscard]] std::string losses_text() const;

private:
    static constexpr std::size_t kCauses = static_cast<std::size_t>(wire::kLastLossCause) + 1;
    std::uint64_t& gone(wire::LossCause cause) { return gone_[static_cast<std::size_t>(cause)]; }

    std::uint64_t events_ = 0;
    std::array<std::uint64_t, kCauses> gone_{};  // by cause
};

}  // namespace sla::cli
