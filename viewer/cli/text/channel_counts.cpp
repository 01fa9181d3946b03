#include "viewer/cli/text/channel_counts.h"

#include "proto/capture/summary/state_row.h"

#include <numeric>

namespace sla::cli {

using wire::LossCause;

ChannelCounts ChannelCounts::of(const store::Ledger& ledger) {
    ChannelCounts out;
    out.events_ = ledger.events;
    out.gone(LossCause::kOverrun) = ledger.overrun;
    out.gone(LossCause::kLate) = ledger.late;
    out.gone(LossCause::kTorn) = ledger.torn;
    out.gone(LossCause::kNoRing) = ledger.no_ring;
    out.gone(LossCause::kDamaged) = ledger.damaged;
    out.gone(LossCause::kNotKept) = ledger.not_kept;
    return out;
}

ChannelCounts ChannelCounts::of(const store::Lane& lane) {
    ChannelCounts out;
    out.events_ = lane.events();
    for (std::size_t i = 0; i < kCauses; ++i) out.gone_[i] = lane.lost(static_cast<LossCause>(i));
    return out;
}

void ChannelCounts::add(const wire::EventBatch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (batch.codes[i] == SLA_CODE_GAP) {
            gone(capture::state_row(batch, i).cause) += batch.values[i];
        } else {
            ++events_;
        }
    }
}

std::uint64_t ChannelCounts::lost() const {
    return std::accumulate(gone_.begin(), gone_.end(), std::uint64_t{0}) - not_kept();
}

std::string ChannelCounts::losses_text() const {
    std::string out;
    for (std::size_t i = 0; i < kCauses; ++i) {
        const auto cause = static_cast<LossCause>(i);
        if (gone_[i] == 0 || cause == LossCause::kNotKept) continue;
        const std::string name = cause == LossCause::kNone ? "of unknown cause" : wire::loss_cause_name(cause);
        out += (out.empty() ? "" : ", ") + std::to_string(gone_[i]) + " " + name;
    }
    return out;
}

}  // namespace sla::cli
