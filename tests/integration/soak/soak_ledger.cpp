#include "tests/integration/soak/soak_ledger.h"

#include "proto/capture/capture_reader.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

namespace sla::soak {
namespace {

constexpr std::size_t kMaxWords = 4000;

void describe(std::uint64_t value, std::uint64_t expected, std::uint64_t tick, Account& account) {
    if (account.oddities.size() > kMaxWords) return;
    account.oddities += "  value " + std::to_string(value) + ", expected " + std::to_string(expected) + ", at tick " +
                        std::to_string(tick) + (account.gaps.empty() ? "" : ", after" + account.gaps) + "\n";
}

wire::LossCause cause_of(const wire::EventBatch& batch, std::size_t row) {
    for (const wire::Extra& extra : batch.extras) {
        if (extra.position == row) return extra.cause;
    }
    return wire::LossCause::kNone;
}

void take_gap(const wire::EventBatch& batch, std::size_t row, Account& account) {
    const wire::LossCause cause = cause_of(batch, row);
    account.gaps += " a gap of " + std::to_string(batch.values[row]) + " at " + std::to_string(batch.ticks[row]) +
                    " (cause " + std::to_string(static_cast<int>(cause)) + ")";
    if (cause == wire::LossCause::kLate) {
        account.late += batch.values[row];
        return;
    }
    account.lost += batch.values[row];
    account.gap += batch.values[row];
}

void take(const wire::EventBatch& batch, Account& account) {
    for (std::size_t i = 0; i < batch.size(); i++) {
        const std::uint64_t value = batch.values[i];
        if (batch.codes[i] == SLA_CODE_GAP) {
            take_gap(batch, i, account);
            continue;
        }
        const std::uint64_t expected = account.next + account.gap;
        if (value != expected) describe(value, expected, batch.ticks[i], account);
        if (value < expected) {
            account.wrong++;
        } else if (account.recorded == 0) {
            account.before_first = value - expected;
        } else if (value > expected) {
            account.holes.push_back(value - expected);
        }
        account.gap = 0;
        account.gaps.clear();
        account.next = value + 1;
        account.recorded++;
    }
}

}  // namespace

void Ledger::add(const std::string& capture) {
    auto reader = capture::CaptureReader::open(capture);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    std::map<std::uint32_t, std::string> names;
    wire::Frame frame;
    wire::EventBatch batch;
    while (const auto bytes = reader->next()) {
        ASSERT_TRUE(wire::parse_message(*bytes, frame));
        if (frame.has_channel()) names[frame.channel().id()] = frame.channel().name();
        if (!frame.has_batch()) continue;
        ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
        take(batch, accounts_[names.at(batch.channel.value)]);
    }
}

void Ledger::close(const std::string& channel, std::uint64_t made) {
    Account& account = accounts_[channel];
    const std::uint64_t reported = account.next + account.gap;
    if (reported > made) account.wrong++;
    account.after_last = reported > made ? 0 : made - reported;
}

}  // namespace sla::soak
