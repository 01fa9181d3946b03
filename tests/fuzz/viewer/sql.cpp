// Questions in SQL: whatever is typed, it is answered or refused, within bounds of memory and steps, and nothing changes. What
// is answered may be a lane, whose rows are in order of time, or a column.
#include "proto/base/check.h"
#include "viewer/sql/column_answer.h"
#include "viewer/sql/engine.h"
#include "viewer/sql/lane_answer.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

// A few rows of every kind, on two channels.
void fill(sla::store::Session& session) {
    session.set_origin({"agent", "host", 1, 1000, 1, 0, ""});
    session.add_source({sla::SourceId{1}, sla::store::SourceKind::kProgram, "program", 4242, "program", 0, false, 0});
    session.add_thread({sla::ThreadId{1}, sla::SourceId{1}, 4242, "main"});
    session.add_clock(0, {1000, 1000, 1'700'000'000'000'000'000, 1, 1});
    session.add_clock(0, {1'001'000, 1'001'000, 1'700'000'000'001'000'000, 1, 1});
    for (const std::uint32_t id : {1U, 2U}) {
        sla::store::Lane& lane =
            session.add_channel({sla::ChannelId{id}, sla::SourceId{1}, id == 1 ? "net.rx" : "work", "", false});
        sla::wire::EventBatch batch;
        for (std::uint64_t i = 0; i < 40; ++i) {
            constexpr std::uint8_t kCodes[] = {SLA_CODE_TICK, SLA_CODE_BEGIN_VALUE, SLA_CODE_END, SLA_CODE_VALUE_FLOAT,
                                               SLA_CODE_LEVEL};
            batch.add(2000 + i * 10 + id, kCodes[i % 5], i, 1);
        }
        lane.append(batch);
        lane.append_gap(5000, 5100, 3, 1, sla::wire::LossCause::kOverrun);
    }
    session.set_ended(6000, "");
}

struct Bounded final : sla::sql::Answer {
    sla::Result<void> begin(const std::vector<std::string>&) override { return {}; }
    sla::Result<bool> row(const sla::sql::AnswerRow& row) override {
        for (std::size_t i = 0; i < row.size(); ++i)
            bytes += row.bytes(i).size() + static_cast<std::size_t>(row.integer(i) == 7);
        return ++rows < 200;
    }
    std::size_t rows = 0;
    std::size_t bytes = 0;
};

void ask_for_lane(sla::sql::Engine& engine, std::string_view question) {
    sla::sql::LaneAnswer answer;
    if (!engine.ask(question, answer).ok()) return;
    sla::store::Lane lane(sla::store::Channel{sla::ChannelId{9}, {}, "answer", "", false});
    if (!answer.fill(lane).ok()) return;
    for (std::uint64_t i = 1; i < lane.size(); ++i) SLA_CHECK(lane.tick(i - 1) <= lane.tick(i));
    SLA_CHECK(lane.spans().unmatched_ends() == 0);
}

void ask_for_column(sla::sql::Engine& engine, std::string_view expression) {
    sla::sql::ColumnAnswer answer;
    if (!engine.ask(sla::sql::column_question(expression), answer).ok()) return;
    answer.finish();
    for (std::uint64_t i = 0; i < 41; ++i) static_cast<void>(answer.find({1, "net.rx", i, 2001 + i * 10}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static sla::store::Session session;
    static int looks = 0;
    static const std::unique_ptr<sla::sql::Engine> engine = [] {
        fill(session);
        sla::sql::EngineOptions options;
        options.memory_bytes = std::uint64_t{32} << 20;
        options.go_on = [] { return ++looks < 50; };
        return sla::sql::Engine::open({{"c", &session}}, options).value();
    }();
    looks = 0;
    Bounded answer;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto asked = engine->ask(text, answer);
    SLA_CHECK(asked.ok() || !asked.error().message.empty());
    looks = 0;
    ask_for_lane(*engine, text);
    looks = 0;
    ask_for_column(*engine, text);
    looks = 0;
    Bounded count;
    SLA_CHECK(engine->ask("SELECT * FROM events", count).ok() && count.rows == 82);
    return 0;
}
