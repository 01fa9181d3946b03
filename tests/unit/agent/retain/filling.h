// Batches for a retention, and what a reader gets of them.
#pragma once

#include "agent/retain/retention.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace sla::retain {

struct GapRow {
    wire::LossCause cause;
    std::uint64_t tick;
    std::uint64_t until_tick;
    std::uint64_t events;
    bool operator==(const GapRow&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const GapRow& gap) {
    return out << wire::loss_cause_name(gap.cause) << " " << gap.events << " in [" << gap.tick << ", " << gap.until_tick
               << "]";
}

class Filling : public testing::Test {
protected:
    void announce(Retention& retention, std::uint32_t channel) {
        wire::Frame frame;
        frame.mutable_channel()->set_id(channel);
        retention.announce_channel({channel}, "c" + std::to_string(channel), wire::encode_frame(frame));
    }
    // One batch of `rows` events, a tick apart, from `tick` on.
    void append(Retention& retention, std::uint32_t channel, std::uint64_t tick, std::uint32_t rows = 10) {
        wire::EventBatch batch;
        batch.channel = {channel};
        batch.first_index = next_[channel];
        for (std::uint32_t i = 0; i < rows; i++) batch.add(tick + i, SLA_CODE_TICK_VALUE, next_[channel] + i, 1);
        append(retention, batch, rows);
    }
    // A batch of one row: so many events were lost between the two ticks.
    void lose(Retention& retention, std::uint32_t channel, std::uint64_t tick, std::uint64_t until, std::uint64_t events) {
        wire::EventBatch batch = wire::gap_row({channel}, wire::LossCause::kOverrun, events, tick, until);
        batch.first_index = next_[channel];
        append(retention, batch, events);
    }
    void append(Retention& retention, const wire::EventBatch& batch, std::uint64_t offered) {
        const auto rows = static_cast<std::uint32_t>(batch.size());
        std::uint64_t loss_until = 0;
        for (const wire::Extra& extra : batch.extras) loss_until = std::max(loss_until, extra.until_tick);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        retention.append(
            {batch.channel, batch.first_index, batch.ticks.front(), batch.ticks.back(), rows, offered, loss_until},
            wire::encode_frame(frame), &batch);
        next_[batch.channel.value] += rows;
    }

    struct Got {
        std::vector<GapRow> gaps;
        std::vector<std::uint64_t> ticks;      // of events
        std::vector<std::uint64_t> row_ticks;  // of all rows, as they came
        std::uint64_t watermark = 0;
    };
    static Got read(Retention& retention, Cursor& cursor, std::size_t bytes = 1 << 30) {
        std::vector<Delivery> deliveries;
        retention.read(cursor, bytes, deliveries);
        Got got;
        for (const Delivery& delivery : deliveries) take(delivery, got);
        return got;
    }

private:
    static void take(const Delivery& delivery, Got& got) {
        wire::Frame frame;
        wire::EventBatch batch;
        ASSERT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
        if (frame.has_watermark()) got.watermark = frame.watermark().tick();
        if (!frame.has_batch()) return;
        ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
        EXPECT_EQ(delivery.facts.rows, batch.size());
        for (std::size_t row = 0; row < batch.size(); row++) {
            EXPECT_GT(batch.ticks[row] + 1, got.watermark) << "a row behind a watermark that had passed it";
            got.row_ticks.push_back(batch.ticks[row]);
            if (batch.codes[row] != SLA_CODE_GAP) got.ticks.push_back(batch.ticks[row]);
        }
        for (const wire::Extra& extra : batch.extras) {
            got.gaps.push_back({extra.cause, batch.ticks[extra.position], extra.until_tick, batch.values[extra.position]});
        }
    }
    std::map<std::uint32_t, std::uint64_t> next_;
};

}  // namespace sla::retain
