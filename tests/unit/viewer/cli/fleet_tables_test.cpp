#include "viewer/cli/fleet/fleet_tables.h"

#include <gtest/gtest.h>

namespace sla::cli {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

fleet::RunEntry run_of(const std::string& host, const std::string& capture, std::int64_t started_s, std::int64_t seen_s) {
    fleet::RunEntry run;
    run.host = host;
    run.capture = capture;
    run.started_ns = started_s * kSecondNs;
    run.seen_ns = seen_s * kSecondNs;
    return run;
}

TEST(FleetTables, ACaptureWithoutAnEndIsCutOffOnceItsHostHasBegunAnother) {
    constexpr std::int64_t kNow = 100'000 * kSecondNs;
    const auto lines_of = [&](const std::vector<fleet::RunEntry>& runs) {
        formats::ByteBuffer out;
        captures_table(runs, kNow).plain.append_to(out, formats::Format::kCsv);
        return std::string(out.view());
    };
    const fleet::RunEntry killed = run_of("web", "1", 50'000, 60'000);
    const fleet::RunEntry after = run_of("web", "2", 70'000, 99'999);
    const fleet::RunEntry elsewhere = run_of("db", "1", 70'000, 99'999);
    EXPECT_NE(lines_of({killed, after}).find("\nweb,1,cut off 11 h ago,"), std::string::npos) << lines_of({killed, after});
    EXPECT_NE(lines_of({killed, after}).find("\nweb,2,live,"), std::string::npos);
    EXPECT_NE(lines_of({killed, elsewhere}).find("\nweb,1,silent for 11 h,"), std::string::npos) << "it may come back";
    fleet::RunEntry ended = killed;
    ended.ended_ns = 60'001 * kSecondNs;
    EXPECT_NE(lines_of({ended, after}).find("\nweb,1,ended,"), std::string::npos);
}

TEST(FleetTables, StatusCountsWhatCapturesHaveLost) {
    const auto csv_of = [](const std::vector<fleet::CaptureLosses>* losses) {
        fleet::ShardState shard;
        shard.shard = 1;
        shard.deleted = 7;
        formats::ByteBuffer out;
        shards_table({shard}, losses, 0).plain.append_to(out, formats::Format::kCsv);
        return std::string(out.view());
    };
    const std::vector<fleet::CaptureLosses> losses{{run_of("web", "1", 1, 2), {1000, 20, 3, true}},
                                                   {run_of("db", "2", 1, 2), {0, 400, 0, false}}};
    std::vector<fleet::CaptureLosses> here = losses;
    for (fleet::CaptureLosses& one : here) one.run.shard = 1;
    EXPECT_NE(csv_of(&here).find(",7,423\n"), std::string::npos) << csv_of(&here);
    EXPECT_NE(csv_of(&losses).find(",7,0\n"), std::string::npos) << "of another shard";
    fleet::ShardState shard;
    shard.deleted = 7;
    EXPECT_NE(shards_table({shard}, nullptr, 0).people.text().find("?"), std::string::npos) << "nobody looked";
    EXPECT_EQ(fleet::in_words(losses[0]), "'web', capture 1: the stream lacks 23 events that had been published");
    EXPECT_EQ(fleet::in_words({losses[0].run, {1000, 20, 0, true}}),
              "'web', capture 1: the stream lacks 20 events and more of its end that had been published");
}

}  // namespace
}  // namespace sla::cli
