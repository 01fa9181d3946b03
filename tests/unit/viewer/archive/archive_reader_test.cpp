// What was archived comes back; manifests that the files contradict do not.
#include "viewer/archive/archive_reader.h"

#include "tests/unit/viewer/archive/in_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

namespace sla::archive {
namespace {

using testing::HasSubstr;

class ArchiveReader : public InFolder {
protected:
    ArchiveReader() { EXPECT_TRUE(add(rows(25), plan_of(10)).ok()); }

    struct Read {
        ReadReport report;
        std::vector<std::int64_t> values;
        std::string problem;  // empty: none
    };
    Read read(formats::ParquetRange range = {}) {
        const auto captures = captures_of(lake());
        if (!captures.ok()) return {{}, {}, captures.error().message};
        const std::string back = folder_ / "capture.sla";
        const auto report = read_capture(captures->front(), range, back);
        if (!report.ok()) return {{}, {}, report.error().message};
        store::Session session;
        EXPECT_TRUE(ingest::load(back, session).ok());
        Read read{*report, {}, ""};
        if (const store::Lane* lane = session.lane_named("rx"); lane != nullptr) {
            for (std::uint64_t i = 0; i < lane->size(); ++i)
                read.values.push_back(static_cast<std::int64_t>((*lane)[i].value));
        }
        return read;
    }
    [[nodiscard]] std::string manifest() const { return lake() + "/manifest/alpha.c1.json"; }
    void change(const std::string& what, const std::string& instead) {
        std::ifstream in(manifest());
        std::string text{std::istreambuf_iterator<char>(in), {}};
        const std::size_t at = text.find(what);
        ASSERT_NE(at, std::string::npos) << what;
        std::ofstream(manifest()) << text.replace(at, what.size(), instead);
    }
    [[nodiscard]] std::string part(std::size_t index) const { return lake() + "/" + files()[index]; }
};

TEST_F(ArchiveReader, GivesEveryRowBackOnTheSameAxis) {
    const Read back = read();
    EXPECT_EQ(back.problem, "");
    EXPECT_EQ(back.values, up_to(25));
    EXPECT_EQ(back.report.rows, 25U);
    EXPECT_TRUE(back.report.missing.empty());
    store::Session before;
    rows(25).fill(before);
    store::Session after;
    ASSERT_TRUE(ingest::load(folder_ / "capture.sla", after).ok());
    EXPECT_EQ(after.clock().to_ps(1234), before.clock().to_ps(1234));
    EXPECT_EQ(after.clock().origin_realtime_ns(), before.clock().origin_realtime_ns());
}

// Silence behind the newest row, as far as it is known and as long as no row in it is not archived.
TEST_F(ArchiveReader, KnowsUpToWhereNothingHappened) {
    const auto known_after = [&](std::uint64_t count, std::uint64_t watermark, std::uint64_t until) {
        store::Session session;
        rows(count).fill(session);
        session.set_watermark(watermark);
        AddPlan plan = plan_of(10);
        plan.capture = "c3";
        plan.until = until;
        EXPECT_TRUE(Archive::open(lake())->add(session, plan).ok());
        const auto captures = captures_of(lake());
        EXPECT_TRUE(read_capture(captures->back(), {}, folder_ / "c3.sla").ok());
        store::Session back;
        EXPECT_TRUE(ingest::load(folder_ / "c3.sla", back).ok());
        return std::max(back.watermark(), back.last_tick());
    };
    EXPECT_EQ(known_after(10, 7'777, store::kNever), 7'777u);
    EXPECT_EQ(known_after(10, 9'999, store::kNever), 9'999u) << "no row more";
    EXPECT_EQ(known_after(120, 20'000, 11'000), 10'999u) << "of the others nothing is there";
    EXPECT_EQ(known_after(120, 20'000, store::kNever), 20'000u);
}

// A limit holds a program that goes on to the end of the capture, one that has ended to its own end.
TEST_F(ArchiveReader, KnowsWhichProgramsHadEnded) {
    const auto add_rows = [&](std::uint64_t count, bool ended) {
        store::Session session;
        rows(count).fill(session);
        store::Source program = *session.source_of(*session.lane_named("rx"));
        program.ended = ended;
        session.add_source(program);
        AddPlan plan = plan_of(10);
        plan.capture = "c3";
        ASSERT_TRUE(Archive::open(lake())->add(session, plan).ok());
    };
    const auto has_ended = [&] {
        const auto captures = captures_of(lake());
        const std::string back = folder_ / "c3.sla";
        EXPECT_TRUE(read_capture(captures->back(), {}, back).ok());
        store::Session session;
        EXPECT_TRUE(ingest::load(back, session).ok());
        return session.source_of(*session.lane_named("rx"))->ended;
    };
    add_rows(10, false);
    EXPECT_FALSE(has_ended());
    add_rows(20, true);
    EXPECT_TRUE(has_ended());
}

// A limit of a rate is judged otherwise on a clock that a PC makes up.
TEST_F(ArchiveReader, KnowsWhichSourceHasAClockOfItsOwn) {
    support::CaptureBuilder capture(0, 1e9, 40);
    const auto pc = capture.source("PC", support::BuilderSource::kPc);
    capture.value(capture.channel("irq", pc), 100, 1);
    store::Session session;
    capture.fill(session);
    store::Source own = *session.source(SourceId{pc});
    own.clock_domain = 1;
    session.add_source(own);
    AddPlan plan = plan_of(10);
    plan.capture = "c2";
    ASSERT_TRUE(Archive::open(lake())->add(session, plan).ok());
    const auto captures = captures_of(lake());
    ASSERT_TRUE(captures.ok());
    ASSERT_EQ(captures->size(), 2U);
    ASSERT_TRUE(read_capture(captures->back(), {}, folder_ / "pc.sla").ok());
    store::Session back;
    ASSERT_TRUE(ingest::load(folder_ / "pc.sla", back).ok());
    const store::Source& is = *back.source_of(*back.lane_named("irq"));
    EXPECT_EQ(is.kind, store::SourceKind::kPc);
    EXPECT_EQ(is.clock_domain, 1U);
}

TEST_F(ArchiveReader, ReadsOnlyGroupsThatMayHaveRowsOfTheTime) {
    const Read middle = read({1150, 1250});
    EXPECT_THAT(middle.values, testing::Contains(12));
    EXPECT_EQ(middle.values.size(), 10U);
    EXPECT_EQ(middle.report.groups_read, 1U);
    EXPECT_EQ(middle.report.groups, 3U);
    EXPECT_EQ(read({1000, 1100}).report.groups_read, 2U);
    EXPECT_EQ(read({2501, 9999}).report.groups_read, 0U);
    EXPECT_TRUE(read({1, 0}).values.empty());
}

TEST_F(ArchiveReader, SaysWhatAnArchiveIs) {
    EXPECT_TRUE(is_archive(lake()));
    EXPECT_TRUE(is_archive(manifest()));
    EXPECT_FALSE(is_archive(folder_));
    EXPECT_FALSE(is_archive(part(0)));
    AddPlan other = plan_of(10);
    other.host = "beta";
    ASSERT_TRUE(add(rows(3), other).ok());
    const auto both = captures_of(lake());
    ASSERT_TRUE(both.ok()) << both.error().message;
    ASSERT_EQ(both->size(), 2U);
    EXPECT_EQ(both->at(0).name(), "alpha/c1");
    EXPECT_EQ(both->at(1).name(), "beta/c1");
    const auto one = captures_of(lake() + "/manifest/beta.c1.json");
    ASSERT_TRUE(one.ok()) << one.error().message;
    EXPECT_EQ(one->size(), 1U);
    EXPECT_EQ(one->front().manifest.rows(), 3U);
}

TEST_F(ArchiveReader, PartsThatWereMovedElsewhereAreReported) {
    fs::remove(part(1));
    const Read back = read();
    EXPECT_EQ(back.values.size(), 15U);
    ASSERT_EQ(back.report.missing.size(), 1U);
    EXPECT_THAT(back.report.missing.front(), HasSubstr("its 10 rows are left out"));
    for (const std::string& file : files()) fs::remove(lake() + "/" + file);
    EXPECT_THAT(read().problem, HasSubstr("no part is in"));
}

TEST_F(ArchiveReader, UnlistedPartsAreNotRead) {
    fs::copy(part(0), fs::path(part(0)).parent_path() / "part-00000000000000009999.parquet");
    EXPECT_EQ(read().values, up_to(25));
}

TEST_F(ArchiveReader, ManifestsThatTheFilesContradictAreRefused) {
    change("\"rows\": 10", "\"rows\": 11");
    EXPECT_THAT(read().problem, HasSubstr("has 10 rows, but the manifest says 11"));
    change("\"rows\": 11", "\"rows\": 10");
    EXPECT_EQ(read().problem, "");
    change("\"last_tick\": 1000,", "\"last_tick\": 999,");
    EXPECT_THAT(read().problem, HasSubstr("rows of other times than the manifest says"));
}

TEST_F(ArchiveReader, ManifestsLeadNowhereElse) {
    const std::string own = files().front();
    for (const std::string& elsewhere : std::vector<std::string>{
             "/etc/passwd", "../" + own, "date=../../x/host=alpha/capture=c1/part-1.parquet",
             "date=1/host=beta/capture=c1/part-1.parquet", "date=1/host=alpha/capture=c1/part-../../x.parquet",
             "date=1/host=alpha/capture=c1/part-.parquet", "date=1/host=alpha/capture=c1/part-1.parquet/", ""}) {
        change("\"" + own + "\"", "\"" + elsewhere + "\"");
        EXPECT_THAT(read().problem, HasSubstr("names a part that is none of its capture")) << elsewhere;
        change("\"" + elsewhere + "\"", "\"" + own + "\"");
    }
    change("\"host\": \"alpha\"", "\"host\": \"beta\"");
    EXPECT_THAT(read().problem, HasSubstr("of another capture than its name"));
}

TEST_F(ArchiveReader, FilesThatAreNoneOrDamagedAreNamed) {
    const std::string first = part(0);
    std::ofstream(first, std::ios::trunc) << "not Parquet at all, whatever its name says";
    EXPECT_THAT(read().problem, HasSubstr(first));
    fs::remove(first);
    ASSERT_EQ(mkfifo(first.c_str(), 0600), 0);
    EXPECT_THAT(read().problem, HasSubstr("is no file"));
    std::ofstream(manifest(), std::ios::trunc) << "{}";
    EXPECT_THAT(read().problem, HasSubstr("is no manifest of an archive"));
    std::ofstream(manifest(), std::ios::trunc).flush();
    EXPECT_THAT(read().problem, HasSubstr("is no manifest of an archive"));
    fs::remove(manifest());
    EXPECT_THAT(read().problem, HasSubstr("has no capture yet"));
}

TEST_F(ArchiveReader, APartOfAnotherRunIsRefused) {
    // Rows of a capture that began at another moment, under the name of the second part.
    const std::string second = part(1);
    support::CaptureBuilder other(50, 1e9, 40);
    const auto rx = other.channel("rx");
    for (std::uint64_t i = 11; i <= 20; ++i) other.value(rx, i * 100, 1);
    AddPlan plan = plan_of(10);
    plan.host = "other";
    ASSERT_TRUE(add(other, plan).ok());
    const auto made = captures_of(lake() + "/manifest/other.c1.json");
    ASSERT_TRUE(made.ok());
    fs::copy(lake() + "/" + made->front().manifest.parts.front().file, second, fs::copy_options::overwrite_existing);
    EXPECT_THAT(read().problem, HasSubstr("counts time from another moment"));
}

}  // namespace
}  // namespace sla::archive
