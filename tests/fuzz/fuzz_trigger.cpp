// A trigger's text, up to the first zero byte; the bytes behind it are events that it then runs over.
#include "proto/base/check.h"
#include "proto/common/trigger/engine.h"
#include "proto/common/trigger/format.h"
#include "proto/common/trigger/parser.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using namespace sla;

constexpr std::uint32_t kChannels = 4;

// Three bytes an event: which channel and code, how far in time (sometimes back), value.
void run(const trigger::Trigger& trigger, std::string_view bytes) {
    std::uint64_t answers = 0;
    trigger::Engine engine(trigger, 1e6, [&](const trigger::Hit& hit) {
        ++answers;
        return hit.tick % 3;
    });
    const char* names[kChannels] = {"a", "b", "c", "irq.0"};
    for (std::uint32_t id = 0; id < kChannels; ++id) engine.add_channel(ChannelId{id}, names[id]);
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
        engine.feed(rows, tick);
    }
    engine.feed({}, tick + 100'000);
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
