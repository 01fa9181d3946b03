// The engine against the naive interpreter, on random triggers and random streams with losses, fed in random steps.
#include "proto/common/trigger/engine.h"
#include "proto/common/trigger/format.h"
#include "proto/common/trigger/parser.h"
#include "tests/unit/proto/common/trigger/random_trigger.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

namespace sla::trigger {

void PrintTo(const NaiveHit& hit, std::ostream* out) {
    *out << (hit.certain ? "hit at " : "cannot tell at ") << hit.tick << " in " << hit.level;
}

namespace {

constexpr std::uint64_t kAfterwards = 80;  // ticks, so that what only time brings comes too

std::vector<NaiveHit> run_engine(const Trigger& trigger, const std::vector<NaiveRow>& rows, std::uint64_t end,
                                 Random& random) {
    std::vector<NaiveHit> hits;
    Engine engine(trigger, kNaiveHz, [&](const Hit& hit) {
        hits.push_back({hit.tick, hit.certain, hit.level});
        return std::uint64_t{0};
    });
    const std::vector<std::string> names = random_channel_names();
    for (std::uint32_t id = 0; id < names.size(); ++id) engine.add_channel(ChannelId{id}, names[id]);
    std::size_t next = 0;
    const std::uint64_t stride = 1 + below(random, 60);
    for (std::uint64_t watermark = 0; next < rows.size() || watermark < end;) {
        watermark = std::min(end, watermark + 1 + below(random, stride));
        std::vector<wire::EventBatch> batches(names.size());
        for (; next < rows.size() && rows[next].tick <= watermark; ++next) {
            const NaiveRow& row = rows[next];
            wire::EventBatch& batch = batches[row.channel];
            batch.channel = ChannelId{row.channel};
            batch.add(row.tick, row.code, row.value, row.thread);
            if (row.code != SLA_CODE_GAP) continue;
            wire::Extra extra;
            extra.position = static_cast<std::uint32_t>(batch.size() - 1);
            extra.until_tick = row.until;
            batch.extras.push_back(extra);
        }
        std::vector<Rows> fed;
        for (std::uint32_t id = 0; id < names.size(); ++id) {
            batches[id].channel = ChannelId{id};
            fed.push_back(Rows::of(batches[id]));
        }
        engine.feed(fed, watermark);
    }
    return hits;
}

std::string text_of(const Trigger& trigger) {
    return std::visit([](const auto& tree) { return to_text(tree); }, trigger);
}

std::string text_of(const std::vector<NaiveRow>& rows) {
    std::string out;
    for (const NaiveRow& row : rows) {
        out += std::to_string(row.tick) + " " + random_channel_names()[row.channel] + " code " + std::to_string(row.code) +
               " value " + std::to_string(static_cast<std::int64_t>(row.value)) + " thread " + std::to_string(row.thread) +
               " until " + std::to_string(row.until) + "\n";
    }
    return out;
}

struct Counts {
    std::uint64_t events = 0;
    std::uint64_t hits = 0;
    std::uint64_t cannot_tell = 0;
};

template <typename MakeTrigger>
void compare_both(std::uint64_t streams, std::uint64_t seed, MakeTrigger make) {
    Counts counts;
    for (std::uint64_t i = 0; i < streams; ++i) {
        Random random(seed * 1'000'003 + i);
        const Trigger trigger = make(random);
        const std::vector<NaiveRow> rows = random_rows(random, 10 + below(random, 50));
        const std::uint64_t end = rows.back().tick + kAfterwards;
        const std::vector<NaiveHit> expected = NaiveTrigger(trigger, random_channel_names()).run(rows, end);
        const std::vector<NaiveHit> got = run_engine(trigger, rows, end, random);
        ASSERT_EQ(got, expected) << "stream " << i << " of\n" << text_of(trigger) << "\n" << text_of(rows);
        counts.events += rows.size();
        for (const NaiveHit& hit : got) ++(hit.certain ? counts.hits : counts.cannot_tell);
    }
    EXPECT_GT(counts.hits, streams / 10) << "the streams must make triggers fire";
    EXPECT_GT(counts.cannot_tell, streams / 10);
    std::printf("%llu events, %llu hits, %llu times nobody could tell\n", static_cast<unsigned long long>(counts.events),
                static_cast<unsigned long long>(counts.hits), static_cast<unsigned long long>(counts.cannot_tell));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kStreams = 3'000;
#else
constexpr std::uint64_t kStreams = 30'000;  // about a million events
#endif

// SLA_PROPERTY_STREAMS: another number of streams of each.
std::uint64_t streams(std::uint64_t usually) {
    const char* asked = std::getenv("SLA_PROPERTY_STREAMS");
    return asked == nullptr ? usually : std::strtoull(asked, nullptr, 10);
}

TEST(EngineProperty, ExpressionsFireWhereTheNaiveInterpreterDoes) {
    compare_both(streams(kStreams), 1, [](Random& random) { return Trigger(random_expression(random)); });
}

TEST(EngineProperty, SequencersFireWhereTheNaiveInterpreterDoes) {
    compare_both(streams(kStreams), 2, [](Random& random) { return Trigger(random_sequencer(random)); });
}

TEST(EngineProperty, TextOfATreeParsesToTheSameTree) {
    Random random(3);
    for (int i = 0; i < 20'000; ++i) {
        const Expression expression = random_expression(random);
        const Result<Expression> again = parse_expression(to_text(expression));
        ASSERT_TRUE(again.ok()) << to_text(expression) << "\n" << again.error().message;
        ASSERT_EQ(*again, expression) << to_text(expression) << "\n" << to_text(*again);
        const Sequencer sequencer = random_sequencer(random);
        const Result<Sequencer> levels = parse_sequencer(to_text(sequencer));
        ASSERT_TRUE(levels.ok()) << to_text(sequencer) << "\n" << levels.error().message;
        ASSERT_EQ(*levels, sequencer) << to_text(sequencer) << "\n" << to_text(*levels);
    }
}

}  // namespace
}  // namespace sla::trigger
