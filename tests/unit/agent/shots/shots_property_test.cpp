// Shots of triggers made up from a seed, over streams made up from it and taken in random steps: the same as the engine's hits
// when it has all rows at once, as a recording has them, and rests after each as long. By the machine's clock, and by a
// time that the source makes up and the machine's has nothing to do with.
#include "agent/shots/trigger_watch.h"
#include "proto/common/trigger/format.h"
#include "proto/wire/control.pb.h"
#include "tests/unit/proto/common/trigger/random_trigger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace sla::shots {
namespace {

using trigger::below;
using trigger::kNaiveHz;
using trigger::NaiveRow;
using trigger::Random;

constexpr trigger::TimeSource kProgram{3};
constexpr std::int64_t kTickNs = 20'000'000;  // at kNaiveHz
constexpr std::uint64_t kAfterwards = 80;     // ticks, so that what only time brings comes too

struct Found {
    std::vector<std::uint64_t> ticks;
    std::uint64_t cannot_tell = 0;
    bool operator==(const Found&) const = default;
};

void PrintTo(const Found& found, std::ostream* out) {
    for (const std::uint64_t tick : found.ticks) *out << tick << ' ';
    *out << "and " << found.cannot_tell << " times nobody could tell";
}

struct Rest {  // in ticks
    std::uint64_t pre = 0;
    std::uint64_t post = 0;
    std::uint64_t hold_off = 0;
};

// Of all channels the rows from `next` on, up to that tick.
std::vector<wire::EventBatch> take_rows(const std::vector<NaiveRow>& rows, std::size_t& next, std::uint64_t last_tick) {
    std::vector<wire::EventBatch> batches(trigger::random_channel_names().size());
    for (std::uint32_t id = 0; id < batches.size(); ++id) batches[id].channel = ChannelId{id};
    for (; next < rows.size() && rows[next].tick <= last_tick; ++next) {
        const NaiveRow& row = rows[next];
        wire::EventBatch& batch = batches[row.channel];
        batch.add(row.tick, row.code, row.value, row.thread);
        if (row.code != SLA_CODE_GAP) continue;
        wire::Extra extra;
        extra.position = static_cast<std::uint32_t>(batch.size() - 1);
        extra.until_tick = row.until;
        batch.extras.push_back(extra);
    }
    return batches;
}

Found find_in_recording(const trigger::Trigger& tree, const std::vector<NaiveRow>& rows, std::uint64_t end,
                        const Rest& rest) {
    Found found;
    trigger::Engine engine(tree, kNaiveHz, [&](const trigger::Hit& hit) -> std::uint64_t {
        if (!hit.certain) {
            found.cannot_tell++;
            return 0;
        }
        found.ticks.push_back(hit.tick);
        return hit.tick + rest.post + 1 + rest.hold_off + rest.pre;
    });
    const std::vector<std::string> names = trigger::random_channel_names();
    for (std::uint32_t id = 0; id < names.size(); ++id) engine.add_channel(ChannelId{id}, names[id]);
    engine.look_away(rest.pre, trigger::kMachineTime, 0);
    std::size_t next = 0;
    const std::vector<wire::EventBatch> batches = take_rows(rows, next, end);
    std::vector<trigger::Rows> fed;
    for (const wire::EventBatch& batch : batches) fed.push_back(trigger::Rows::of(batch));
    engine.feed(fed, end);
    return found;
}

// The agent's, of channels that are there when it is set, or come later.
Found shoot(const wire::SetTrigger& request, trigger::TimeSource time, bool come_later, const std::vector<NaiveRow>& rows,
            std::uint64_t end, Random& random) {
    Found found;
    TriggerWatch watch{Hooks{.announce =
                                 [&](const wire::Shot& shot) {
                                     found.ticks.push_back(shot.tick());
                                     EXPECT_EQ(shot.time_source(), time.value) << "at " << shot.tick();
                                 },
                             .notice = [](const std::string&) {},
                             .act = [](ShotOrder) {}}};
    const auto add_channels = [&] {
        const std::vector<std::string> names = trigger::random_channel_names();
        for (std::uint32_t id = 0; id < names.size(); ++id) watch.add_channel(ChannelId{id}, names[id], time);
    };
    const bool is_own = time != trigger::kMachineTime;
    std::uint64_t machine = is_own ? 1'000'000 : 0;
    if (!come_later) add_channels();
    if (is_own) watch.know(time, 0);
    EXPECT_EQ(watch.set(request, true, machine, kNaiveHz), "");
    if (come_later) add_channels();
    const std::uint64_t stride = 1 + below(random, 60);
    std::size_t next = 0;
    for (std::uint64_t known = 0; known < end;) {
        known = std::min(end, known + 1 + below(random, stride));
        for (const wire::EventBatch& batch : take_rows(rows, next, known)) {
            if (!batch.empty() && watch.wants(batch.channel)) watch.take(batch, 0);
        }
        machine = is_own ? machine + below(random, 1000) : known;
        if (is_own) watch.know(time, known);
        watch.advance(machine);
    }
    wire::Status status;
    watch.fill(status);
    found.cannot_tell = status.triggers(0).cannot_tell();
    return found;
}

wire::SetTrigger request_of(const trigger::Trigger& tree, const Rest& rest) {
    wire::SetTrigger request;
    if (const auto* expression = std::get_if<trigger::Expression>(&tree)) {
        request.set_expression(to_text(*expression));
    } else {
        request.set_levels(to_text(std::get<trigger::Sequencer>(tree)));
    }
    request.set_pre_ns(static_cast<std::int64_t>(rest.pre) * kTickNs);
    request.set_post_ns(static_cast<std::int64_t>(rest.post) * kTickNs);
    request.set_hold_off_ns(static_cast<std::int64_t>(rest.hold_off) * kTickNs);
    if (rest.pre == 0 && rest.post == 0) request.set_window_ns(1);  // none said is a long one
    return request;
}

template <typename MakeTrigger>
void compare_all(std::uint64_t streams, std::uint64_t seed, MakeTrigger make) {
    std::size_t shots = 0;
    for (std::uint64_t i = 0; i < streams; ++i) {
        Random random(seed * 1'000'003 + i);
        const trigger::Trigger tree = make(random);
        const std::vector<NaiveRow> rows = trigger::random_rows(random, 10 + below(random, 50));
        const std::uint64_t end = rows.back().tick + kAfterwards;
        const bool come_later = below(random, 2) == 0;  // then their time has no pre time to wait for
        Rest rest;
        if (!come_later) rest.pre = below(random, 4);
        if (below(random, 2) == 0) rest.post = below(random, 9);
        if (below(random, 2) == 0) rest.hold_off = below(random, 5);
        const wire::SetTrigger request = request_of(tree, rest);
        const Found expected = find_in_recording(tree, rows, end, rest);
        const std::string what = "stream " + std::to_string(i) + " of " + request.expression() + request.levels();
        ASSERT_EQ(shoot(request, trigger::kMachineTime, come_later, rows, end, random), expected) << what;
        ASSERT_EQ(shoot(request, kProgram, come_later, rows, end, random), expected) << what << " by its own time";
        shots += expected.ticks.size();
    }
    EXPECT_GT(shots, streams / 10) << "the streams must make triggers fire";
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kStreams = 500;
#else
constexpr std::uint64_t kStreams = 5'000;
#endif

TEST(ShotsProperty, TheAgentFiresWhereTheRecordingHasHits) {
    compare_all(kStreams, 4, [](Random& random) { return trigger::Trigger(trigger::random_expression(random)); });
}

TEST(ShotsProperty, ByLevelsToo) {
    compare_all(kStreams, 5, [](Random& random) { return trigger::Trigger(trigger::random_sequencer(random)); });
}

}  // namespace
}  // namespace sla::shots
