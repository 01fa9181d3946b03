// A capture with a chunk that cannot be read, as files of other formats: what was lost there comes back with its number, whether
// the capture was read in order or its rows stay in the file.
#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"
#include "tests/support/unreadable_of.h"
#include "tests/unit/viewer/formats/imported.h"
#include "viewer/ingest/file_source.h"

#include <filesystem>
#include <map>
#include <random>

namespace sla::formats {
namespace {

class DamagedExports : public WithFiles {
protected:
    static constexpr std::uint64_t kRows = 150'000;

    // Ticks on one channel, spans on another; a loss without a number among them.
    void write() const {
        support::CaptureBuilder capture(0);
        const auto ticks = capture.channel("ticks");
        const auto spans = capture.channel("spans");
        std::mt19937_64 random(7);
        for (std::uint64_t i = 1; i <= kRows; ++i) {
            if (i % 1000 == 0) {
                capture.gap(ticks, 100 * i, i % 3000 == 0 ? 0 : 7, wire::LossCause::kOverrun, 100 * i + 10);
            } else {
                capture.tick(ticks, 100 * i, static_cast<std::int64_t>(random() >> 20));
            }
            if (i % 2 == 0) capture.begin(spans, 100 * i + 20);
            if (i % 2 == 1) capture.end(spans, 100 * i + 20);
        }
        capture.write(file("all.sla"));
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("all.sla"), 1));
    }
    void open(std::uint64_t rows_in_memory, store::Session& session) const {
        ingest::FileOptions options;
        options.rows_in_memory = rows_in_memory;
        options.memory_bytes = ingest::FileOptions::kNoLimit;
        ASSERT_TRUE(ingest::load_file(file("all.sla"), session, {}, options).ok());
        for (const store::Lane* lane : session.lanes()) support::unreadable_of(*lane, store::PageSource::Look::kCheck);
    }
    struct Lost {
        std::uint64_t events = 0;
        std::uint64_t uncounted = 0;
        std::uint64_t kept = 0;
        bool operator==(const Lost&) const = default;
        friend std::ostream& operator<<(std::ostream& out, const Lost& lost) {
            return out << lost.events << " lost, " << lost.uncounted << " losses without a number, " << lost.kept << " kept";
        }
    };
    static std::map<std::string, Lost> lost_of(const store::Session& session) {
        std::map<std::string, Lost> lost;
        for (const store::Lane* lane : session.lanes()) {
            Lost& of = lost[lane->channel().name];
            const support::Unreadable unreadable = support::unreadable_of(*lane, store::PageSource::Look::kKnown);
            of = {lane->lost() + unreadable.events, lane->uncounted_losses(), lane->events() - unreadable.events};
        }
        return lost;
    }
};

TEST_F(DamagedExports, BringBackHowManyEventsWereLost) {
    using enum ExportFormat;
    ASSERT_NO_FATAL_FAILURE(write());
    store::Session whole;
    ASSERT_NO_FATAL_FAILURE(open(kRows * 4, whole));
    ASSERT_EQ(whole.lanes()[0]->pages(), nullptr);
    const auto was = lost_of(whole);
    ASSERT_GT(was.at("ticks").events, 1000u);
    ASSERT_GT(was.at("spans").events, 1000u);
    store::Session paged;
    ASSERT_NO_FATAL_FAILURE(open(0, paged));
    ASSERT_NE(paged.lanes()[0]->pages(), nullptr);
    ASSERT_EQ(lost_of(paged), was);
    for (const auto format : {kCsv, kJson, kVcd, kChrome, kCtf, kParquet, kPerfetto}) {
        for (const store::Session* session : {&whole, &paged}) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(format) << (session == &paged ? " paged" : " whole"));
            ASSERT_TRUE(export_capture(*session, *analysis::select(*session, {}), {format, 1e9}, file("exported")).ok());
            const auto report = import_file(file("exported"), *detect_format(file("exported")), file("imported.sla"));
            std::filesystem::remove_all(file("exported"));
            ASSERT_TRUE(report.ok()) << report.error().message;
            store::Session back;
            ASSERT_TRUE(ingest::load(file("imported.sla"), back).ok());
            EXPECT_EQ(lost_of(back), was);
        }
    }
}

}  // namespace
}  // namespace sla::formats
