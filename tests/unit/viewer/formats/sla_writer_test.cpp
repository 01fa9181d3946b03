// What a session holds, written as a capture, is the same when it is read again.
#include "viewer/formats/sla/sla.h"

#include "tests/support/capture_builder.h"
#include "tests/support/temporary_path.h"
#include "viewer/analysis/selection.h"
#include "viewer/formats/catalog/export.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace sla::formats {
namespace {

class SlaWriterTest : public ::testing::Test {
protected:
    // Every column of the table but the names of the file.
    std::string table_of(const store::Session& session) {
        const std::string path = (table_.path).string();
        EXPECT_TRUE(export_capture(session, *analysis::select(session, {}), {}, path).ok());
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    const support::TemporaryPath capture_{"saved.sla"};
    const support::TemporaryPath table_{"saved.csv"};
};

TEST_F(SlaWriterTest, KeepsEveryRowWithItsTimeAndError) {
    support::CaptureBuilder builder(1'000'000, 2.7e9, 70);
    support::add_mixed(builder, 20, 2000);
    const auto port = builder.channel("port.80", 1, "out {0:x}h");
    builder.detail(port, 2'000'000, SLA_CODE_TICK_VALUE, 7, 0x80, 1);
    builder.gap(port, 3'000'000, 412, wire::LossCause::kLagged, 3'500'000);
    store::Session live;
    builder.fill(live);
    live.add_shot({"slow", 1, 2'500'000, 2'000'000, 3'000'000, "width pipe > 50us"});
    live.add_note({2'000'000, "a segment was damaged", true});
    const auto written = write_sla(live, *analysis::select(live, {}), capture_.path.string());
    ASSERT_TRUE(written.ok()) << written.error().message;

    store::Session again;
    ASSERT_TRUE(ingest::load_file(capture_.path, again).ok());
    std::uint64_t gaps = 0;
    for (const store::Lane* lane : again.lanes()) gaps += lane->gaps().size();
    EXPECT_EQ(written->events, again.events() + gaps);
    EXPECT_TRUE(table_of(again) == table_of(live));
    EXPECT_EQ(again.lost(), live.lost());
    EXPECT_EQ(again.shots(), live.shots());
    ASSERT_EQ(again.notes().size(), live.notes().size());
    EXPECT_EQ(again.notes().back().text, "a segment was damaged");
    EXPECT_TRUE(again.notes().back().damage);
    EXPECT_EQ(again.origin().capture_id, live.origin().capture_id);
    EXPECT_EQ(again.sources().begin()->second.name, live.sources().begin()->second.name);
}

TEST_F(SlaWriterTest, WritesAPartOfIt) {
    support::CaptureBuilder builder(1'000'000, 2.7e9);
    support::add_mixed(builder, 20, 200);
    store::Session live;
    builder.fill(live);
    auto some = *analysis::select(live, {});
    some.lanes.resize(3);
    ASSERT_TRUE(write_sla(live, some, capture_.path.string()).ok());
    store::Session again;
    ASSERT_TRUE(ingest::load_file(capture_.path, again).ok());
    EXPECT_EQ(again.lanes().size(), some.lanes.size());
}

TEST_F(SlaWriterTest, APartBeginsAndEndsWhereItWasAskedToAndTheWholeWhereItWasKnown) {
    support::CaptureBuilder builder(1'000'000, 2.7e9);
    const auto channel = builder.channel("c");
    for (const std::uint64_t tick : {1'100'000, 1'200'000, 1'300'000}) builder.tick(channel, tick, 1);
    store::Session live;
    builder.fill(live);
    live.set_watermark(9'000'000);
    ASSERT_TRUE(write_sla(live, *analysis::select(live, {}), capture_.path.string()).ok());
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(capture_.path, whole).ok());
    EXPECT_FALSE(whole.begins_late());
    EXPECT_EQ(whole.watermark(), 9'000'000u) << "nothing happened until then";
    auto part = *analysis::select(live, {});
    part.from = 1'150'000;
    part.until = 1'250'000;
    ASSERT_TRUE(write_sla(live, part, capture_.path.string()).ok());
    store::Session again;
    ASSERT_TRUE(ingest::load_file(capture_.path, again).ok());
    EXPECT_EQ(again.origin().begin_tick, 1'150'000u);
    EXPECT_EQ(again.watermark(), 1'250'000u);
    EXPECT_EQ(again.events(), 1u);
    EXPECT_TRUE(again.lanes()[0]->begins_late()) << "what its level was there nobody knows";
}

TEST_F(SlaWriterTest, DoesNotWriteToStandardOutput) {
    store::Session empty;
    EXPECT_FALSE(write_sla(empty, {}, "-").ok());
}

}  // namespace
}  // namespace sla::formats
