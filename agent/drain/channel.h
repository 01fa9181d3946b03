// One channel as it comes out of rings: the runs that feed it, up to where it has been given out, and its ledger. Who puts rows
// into its runs wakes it.
#pragma once

#include "agent/drain/loss_ledger.h"
#include "agent/drain/run.h"
#include "proto/base/strong_id.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::drain {

struct DrainedChannel;

// What channels that are merged together share.
struct MergeRound {
    std::uint64_t watermark = 0;         // of the last merge
    std::vector<DrainedChannel*> woken;  // since then
};

struct DrainedChannel {
    ChannelId id;
    LossLedger ledger;
    // Everything at or below this tick has been given out; what comes later with such a tick is late. 0 for a channel that
    // gave nothing yet, so that a program's first events are taken however long ago the watermark passed them.
    std::uint64_t closed = 0;
    // Of a program with a clock of its own: given out up to here, wherever the watermark is. That one is of the machine's
    // time.
    std::optional<std::uint64_t> own_limit;
    // A ring that was new to us is still to be read as far as it was full then: nothing above this goes out before, wherever
    // the watermark is, so that nothing of that ring is late.
    std::optional<std::uint64_t> catch_up_limit;
    // How many pieces of one run, the newest ones given out, had a few rows only: then blocks are merged. Below 0: so
    // many more of them come first.
    std::int32_t short_pieces = 0;
    // Shared with the rings' feeds; a run that only the channel still holds has ended, and goes once it is empty.
    std::vector<std::shared_ptr<Run>> runs;

    // Rows come: from here on it is merged by every step, until nothing waits in it any more. Of very many channels most stand
    // still, and cost a step nothing; `closed` is brought up to date when they wake.
    void wake() {
        if (is_awake || round == nullptr) return;
        is_awake = true;
        if (closed > 0) closed = std::max(closed, own_limit.value_or(round->watermark));
        round->woken.push_back(this);
    }
    [[nodiscard]] std::size_t waiting_rows() const {
        std::size_t rows = 0;
        for (const auto& run : runs) rows += run->size();
        return rows;
    }
    MergeRound* round = nullptr;  // null: whoever has it merges it as he likes
    bool is_awake = false;
    bool is_off = false;  // switched off ever since it is known: nobody wanted what it lost
};

}  // namespace sla::drain
