#include "tests/integration/soak/soak_ledger.h"

#include "proto/capture/capture_reader.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

namespace sla::soak {
namespace {

void take(const wire::EventBatch& batch, Account& account) {
    for (std::size_t i = 0; i < batch.size(); i++) {
        const std::uint64_t value = batch.values[i];
        if (batch.codes[i] == SLA_CODE_GAP) {
            account.lost += value;
            account.gap += value;
            continue;
        }
        const std::uint64_t expected = account.next + account.gap;
        if (value < expected) {
            account.wrong++;
        } else if (account.recorded == 0) {
            account.before_first = value - expected;
        } else if (value > expected) {
            account.holes.push_back(value - expected);
        }
        account.gap = 0;
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
    const std::uint64_t told = account.next + account.gap;
    if (told > made) account.wrong++;
    account.after_last = told > made ? 0 : made - told;
}

}  // namespace sla::soak
