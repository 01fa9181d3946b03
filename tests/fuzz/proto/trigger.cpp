// A trigger's text, up to the first zero byte; the bytes behind it are events that it then runs over.
#include "proto/base/check.h"
#include "proto/common/trigger/engine.h"
#include "proto/common/trigger/format.h"
#include "proto/common/trigger/parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using namespace sla;

constexpr std::uint32_t kChannels = 4;
const char* const kNames[kChannels] = {"a", "b", "c", "irq.0"};

// Channels that leave and come back, and times that sources make up, which are behind or over.
class Times {
public:
    explicit Times(std::uint8_t mode) : mode_(mode) {}
    void add(trigger::Engine& engine, std::uint32_t id) const {
        const bool is_own = (mode_ >> id & 1) != 0;
        engine.add_channel(ChannelId{id}, kNames[id], is_own ? trigger::TimeSource{1 + id % 2} : trigger::kMachineTime);
    }
    void change(trigger::Engine& engine, std::uint8_t how) {
        engine.remove_channel(ChannelId{how % kChannels});
        mode_ ^= how;
        add(engine, how % kChannels);
    }
    const trigger::KnownTimes& at(std::uint64_t tick) {
        const std::uint64_t behind = std::uint64_t{mode_} >> 4 << 6;
        known_.set(trigger::kMachineTime, tick);
        for (const std::uint32_t source : {1, 2})
            known_.set(trigger::TimeSource{source}, tick - std::min(tick, source * behind));
        if (mode_ % 3 == 2) known_.end(trigger::TimeSource{1});
        return known_;
    }

private:
    std::uint8_t mode_;
    trigger::KnownTimes known_;
};

// A byte for the times, then three bytes an event: which channel and code, how far in time (sometimes back), value.
void run(const trigger::Trigger& trigger, std::string_view bytes) {
    if (bytes.empty()) return;
    Times times(static_cast<std::uint8_t>(bytes[0]));
    bytes.remove_prefix(1);
    std::uint64_t answers = 0;
    trigger::Engine engine(trigger, 1e6, [&](const trigger::Hit& hit) {
        ++answers;
        return hit.tick % 3;
    });
    for (std::uint32_t id = 0; id < kChannels; ++id) times.add(engine, id);
    std::uint64_t tick = 1000;
    while (bytes.size() >= 3) {
        std::vector<wire::EventBatch> batches(kChannels);
        for (int i = 0; i < 8 && bytes.size() >= 3; ++i, bytes.remove_prefix(3)) {
            const auto what = static_cast<std::uint8_t>(bytes[0]);
            const auto far = static_cast<std::uint8_t>(bytes[1]);
            wire::EventBatch& batch = batches[what % kChannels];
            tick += far < 250 ? far : 0;
            const std::uint64_t at = far == 255 && batch.empty() && tick > 500 ? tick - 500 : tick;
            const std::uint8_t code = wire::is_known_code(what / kChannels % 16) ? what / kChannels % 16 : SLA_CODE_TICK;
            batch.add(at, code, static_cast<std::uint8_t>(bytes[2]), what >> 6);
            if (code != SLA_CODE_GAP || far % 2 == 0) continue;
            wire::Extra extra;
            extra.position = static_cast<std::uint32_t>(batch.size() - 1);
            extra.until_tick = at + far;
            batch.extras.push_back(extra);
        }
        std::vector<trigger::Rows> rows;
        for (std::uint32_t id = 0; id < kChannels; ++id) {
            batches[id].channel = ChannelId{id};
            rows.push_back(trigger::Rows::of(batches[id]));
        }
        engine.feed(rows, times.at(tick));
        if (!bytes.empty() && static_cast<std::uint8_t>(bytes[0]) > 240)
            times.change(engine, static_cast<std::uint8_t>(bytes[0]));
    }
    engine.feed({}, times.at(tick + 100'000));
    engine.restart();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::string_view text = all.substr(0, all.find('\0'));
    const std::string_view events = text.size() < all.size() ? all.substr(text.size() + 1) : "";
    if (const auto expression = trigger::parse_expression(text)) {
        const auto again = trigger::parse_expression(trigger::to_text(*expression));
        SLA_CHECK(again.ok() && *again == *expression);
        run(*expression, events);
    }
    if (const auto sequencer = trigger::parse_sequencer(text)) {
        const auto again = trigger::parse_sequencer(trigger::to_text(*sequencer));
        SLA_CHECK(again.ok() && *again == *sequencer);
        run(*sequencer, events);
    }
    return 0;
}
