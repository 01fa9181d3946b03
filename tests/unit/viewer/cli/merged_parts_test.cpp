// Parts that were cut out of recordings, put together again: they are the recordings.
#include "proto/capture/capture_writer.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/ingest/file_source.h"

#include <algorithm>
#include <functional>
#include <random>
#include <regex>
#include <set>

namespace sla::cli {
namespace {

constexpr std::uint64_t kStart = 1'000;

class MergedParts : public WithDirectory {
protected:
    // Two programs' channels of all kinds, with losses, in many small chunks. Hosts began together.
    // Behind `watermark` more rows may be missing.
    void write_random(const std::string& name, const std::string& host, std::uint64_t id, std::uint64_t seed,
                      std::uint64_t watermark = store::kNever) {
        support::CaptureBuilder capture(kStart);
        support::add_mixed(capture, 12, 120, seed);
        const auto job = capture.channel("job", capture.source("second program", support::BuilderSource::kProgram, 77));
        const auto worker = capture.thread("worker", 78, 3);
        for (std::uint64_t i = 0; i < 6; ++i) {
            capture.begin(job, kStart + i * 20'000 + seed, worker);
            if (i % 3 != 0) capture.end(job, kStart + i * 20'000 + 31'000 + seed, worker);
        }
        write(name, capture, [&](wire::Frame& frame) {
            if (frame.has_watermark()) frame.mutable_watermark()->set_tick(std::min(watermark, frame.watermark().tick()));
            if (frame.has_end()) frame.mutable_end()->set_tick(std::min(watermark, frame.end().tick()));
            if (!frame.has_hello()) return;
            frame.mutable_hello()->set_host(host);
            frame.mutable_hello()->set_boot_id(host + "'s boot");
            frame.mutable_hello()->set_capture_id(id);
        });
    }
    void write(const std::string& name, const support::CaptureBuilder& capture,
               const std::function<void(wire::Frame&)>& change) {
        capture::WriterOptions options;
        options.chunk_bytes = 2'000;
        auto writer = capture::CaptureWriter::create(file(name), options);
        ASSERT_TRUE(writer.ok());
        for (const std::string& bytes : capture.frames(17)) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            change(frame);
            ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    }
    // Ticks [from, until); 0 and ~0: from its start, to its end.
    void cut(const std::string& from, const std::string& to, std::uint64_t begin, std::uint64_t until,
             const std::vector<std::string>& channels = {}) const {
        const auto made = capture_tools::cut_capture(
            {file(from), file(to), channels, {}, capture_tools::CutPlan::Ticks{begin, until - 1}}, {});
        ASSERT_TRUE(made.ok()) << made.error().message;
    }
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> extent(const std::string& name) const {
        store::Session session;
        EXPECT_TRUE(ingest::load_file(file(name), session).ok());
        return {session.first_tick(), session.last_tick() + 1};
    }
    // So many parts that follow on each other, cut at random places; their names.
    std::vector<std::string> cut_at_random(const std::string& name, std::size_t parts, std::mt19937_64& random) const {
        const auto [first, end] = extent(name);
        std::vector<std::uint64_t> at = {0, store::kNever};
        while (at.size() < parts + 1) at.push_back(first + 1 + random() % (end - first - 1));
        std::sort(at.begin(), at.end());
        std::vector<std::string> names;
        for (std::size_t i = 0; i + 1 < at.size(); ++i) {
            names.push_back(name + "." + std::to_string(i));
            cut(name, names.back(), at[i], at[i + 1]);
        }
        return names;
    }
    // Borders between which there are rows; half of them ticks of rows.
    static std::vector<std::uint64_t> random_borders(const store::Session& session, std::size_t count,
                                                     std::mt19937_64& random) {
        std::vector<std::uint64_t> ticks;
        for (const store::Lane* lane : session.lanes()) {
            for (std::uint64_t row = 0; row < lane->size(); ++row) ticks.push_back(lane->tick(row));
        }
        std::sort(ticks.begin(), ticks.end());
        std::vector<std::uint64_t> at = {0, store::kNever};
        while (at.size() < count) {
            const std::uint64_t any = ticks.front() + random() % (ticks.back() - ticks.front());
            at.push_back(random() % 2 == 0 ? ticks[random() % ticks.size()] : any);
        }
        std::sort(at.begin(), at.end());
        std::vector<std::uint64_t> kept = {0};
        for (std::size_t i = 1; i < at.size(); ++i) {
            const auto next = std::lower_bound(ticks.begin(), ticks.end(), kept.back());
            const bool has_rows = next != ticks.end() && *next < at[i];
            const bool leaves_rows = at[i] == store::kNever || at[i] <= ticks.back();
            if (has_rows && leaves_rows) kept.push_back(at[i]);
        }
        return kept;
    }
    Outcome merge(const std::vector<std::string>& names, const std::string& to) const {
        std::vector<std::string> words = {"merge", "-o", file(to)};
        for (const std::string& name : names) words.push_back(file(name));
        Outcome outcome = run_sla(words);
        EXPECT_EQ(outcome.code, kDone) << outcome.errors;
        return outcome;
    }
    // A source whose name another one has is named with its file.
    static std::string without_files(const std::string& table) {
        static const std::regex kFile(" \\(there\\.sla(\\.[0-9])?\\)");
        return std::regex_replace(table, kFile, " (there)");
    }
    void expect_same(const std::string& name, const std::string& whole) const {
        for (const char* command : {"table", "stats"}) {
            const Outcome expected = run_sla({command, file(whole), "--format", "csv"});
            const Outcome found = run_sla({command, file(name), "--format", "csv"});
            ASSERT_EQ(expected.code, kDone) << expected.errors;
            EXPECT_EQ(found.code, kDone) << found.errors;
            const std::string a = without_files(found.out);
            const std::string b = without_files(expected.out);
            const auto at =
                static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
            const std::size_t from = at > 300 ? at - 300 : 0;
            ASSERT_TRUE(a == b) << command << " of " << name << ", whole:\n"
                                << b.substr(std::min(from, b.size()), 600) << "\nmerged:\n"
                                << a.substr(from, 600);
        }
        const Outcome verified = run_sla({"verify", file(name)});
        EXPECT_EQ(verified.code, kDone) << verified.out << verified.errors;
        const Outcome expected = run_sla({"channels", file(whole), "--format", "csv"});
        const Outcome found = run_sla({"channels", file(name), "--format", "csv"});
        EXPECT_EQ(without_files(found.out), without_files(expected.out));
    }
};

TEST_F(MergedParts, OfARecordingAreItAgainWhereverItWasCut) {
    std::mt19937_64 random(1);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        write_random("whole.sla", "here", seed, seed);
        std::vector<std::string> names = cut_at_random("whole.sla", 2 + seed % 4, random);
        std::shuffle(names.begin(), names.end(), random);
        const Outcome outcome = merge(names, "merged.sla");
        EXPECT_NE(outcome.errors.find("are parts of one recording: one again"), std::string::npos) << outcome.errors;
        EXPECT_EQ(outcome.errors.find("left out"), std::string::npos) << outcome.errors;
        expect_same("merged.sla", "whole.sla");
        if (HasFatalFailure()) return;
    }
}

TEST_F(MergedParts, ThatOverlapHaveEachRowOnce) {
    std::mt19937_64 random(7);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        write_random("whole.sla", "here", seed, seed);
        std::vector<std::string> names = cut_at_random("whole.sla", 3, random);
        const auto [first, end] = extent("whole.sla");
        for (int i = 0; i < 3; ++i) {
            const std::uint64_t a = first + 1 + random() % (end - first - 2);
            const std::uint64_t b = first + 1 + random() % (end - first - 2);
            names.push_back("more." + std::to_string(i));
            cut("whole.sla", names.back(), std::min(a, b), std::max(a, b) + 20'000);
        }
        std::shuffle(names.begin(), names.end(), random);
        merge(names, "merged.sla");
        expect_same("merged.sla", "whole.sla");
        if (HasFatalFailure()) return;
    }
}

TEST_F(MergedParts, MayBePartsOfPartsAndOfMergedOnesAndTheWholeItself) {
    std::mt19937_64 random(3);
    write_random("whole.sla", "here", 5, 9);
    const std::vector<std::string> names = cut_at_random("whole.sla", 3, random);
    merge({names[1], names[0]}, "front.sla");
    merge({names[2], "front.sla"}, "merged.sla");
    expect_same("merged.sla", "whole.sla");
    merge(cut_at_random("merged.sla", 4, random), "again.sla");
    expect_same("again.sla", "whole.sla");
    merge({names[1], "whole.sla"}, "both.sla");
    expect_same("both.sla", "whole.sla");
}

// A guest by a clock of its own runs ahead of the machine; of a snapshot the last moments are not known to be whole.
TEST_F(MergedParts, OfOneFileAreItAgainAlsoBehindWhatItIsKnownToBeWholeOf) {
    std::mt19937_64 random(11);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        write_random("whole.sla", "here", seed, seed, kStart + 1 + random() % 130'000);
        store::Session whole;
        ASSERT_TRUE(ingest::load_file(file("whole.sla"), whole).ok());
        const std::vector<std::uint64_t> at = random_borders(whole, 3 + seed % 4, random);
        std::vector<std::string> names;
        for (std::size_t i = 0; i + 1 < at.size(); ++i) {
            const std::uint64_t more = at[i + 1] < store::kNever && random() % 3 == 0 ? random() % 30'000 : 0;
            names.push_back("part." + std::to_string(i));
            cut("whole.sla", names.back(), at[i], at[i + 1] + more);
        }
        if (names.size() > 2) {  // the first two are a part of it, too
            merge({names[1], names[0]}, "two.sla");
            std::vector<std::string> others(names.begin() + 2, names.end());
            others.push_back("two.sla");
            merge(others, "merged.sla");
            expect_same("merged.sla", "whole.sla");
        }
        if (seed % 5 == 0) names.push_back("whole.sla");
        std::shuffle(names.begin(), names.end(), random);
        const Outcome outcome = merge(names, "merged.sla");
        EXPECT_EQ(outcome.errors.find("left out"), std::string::npos) << outcome.errors;
        expect_same("merged.sla", "whole.sla");
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

TEST_F(MergedParts, OfChannelsOfOneFileEndWhereItEnds) {
    write_random("whole.sla", "here", 1, 1, kStart + 40'000);
    cut("whole.sla", "net.sla", 0, store::kNever, {"net.*"});
    cut("whole.sla", "rest.sla", 0, store::kNever, {"[!n]*"});
    const Outcome outcome = merge({"rest.sla", "net.sla"}, "merged.sla");
    EXPECT_EQ(outcome.errors.find("left out"), std::string::npos) << outcome.errors;
    expect_same("merged.sla", "whole.sla");
}

// Of a guest that runs ahead the snapshot has the last rows alone, and they come before those of the time that they stand beside.
TEST_F(MergedParts, ASnapshotBesideItsRecordingTakesNoRowsFromIt) {
    const auto make = [&](const std::string& name, std::uint64_t guest_from, std::uint64_t program_from) {
        support::CaptureBuilder capture(kStart);
        const auto guest = capture.channel("irq");
        const auto program = capture.channel("net");
        for (std::uint64_t i = guest_from; i < 1000; ++i) capture.tick(guest, 2'000 + i * 600);
        for (std::uint64_t i = program_from; i < 100; ++i) capture.tick(program, 2'000 + i * 1'000);
        std::vector<std::string> ahead;
        std::vector<std::string> others;
        bool is_head = true;
        for (const std::string& bytes : capture.frames(17)) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            if (frame.has_hello()) frame.mutable_hello()->set_capture_id(7);
            const bool is_guests = frame.has_batch() && frame.batch().channel() == guest;
            if (frame.has_batch()) {
                const std::uint64_t left_out = is_guests ? guest_from : program_from;
                frame.mutable_batch()->set_first_index(frame.batch().first_index() + left_out);
            }
            is_head = is_head && !frame.has_batch() && !frame.has_watermark();
            (is_guests || is_head ? ahead : others).push_back(frame.SerializeAsString());
        }
        auto writer = capture::CaptureWriter::create(file(name), {});
        ASSERT_TRUE(writer.ok());
        for (const auto* frames : {&ahead, &others}) {
            for (const std::string& frame : *frames) ASSERT_TRUE(writer->append(frame).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    };
    make("all.sla", 0, 0);
    make("snapshot.sla", 700, 60);
    for (const auto& names : {std::vector<std::string>{"all.sla", "snapshot.sla"}, {"snapshot.sla", "all.sla"}}) {
        EXPECT_EQ(merge(names, "merged.sla").errors.find("gone"), std::string::npos);
        store::Session merged;
        ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
        EXPECT_EQ(merged.events(), 1100U);
        EXPECT_EQ(merged.lost(), 0U);
        EXPECT_EQ(merged.lanes().size(), 2U);
    }
}

// Of the last 20 us of the first one rows are still to come.
TEST_F(MergedParts, OfASnapshotAndTheLaterRecordingHaveAHoleWhereTheSnapshotIsNotKnownToBeWhole) {
    const auto make = [&](const std::string& name, std::uint64_t end, std::uint64_t watermark, std::uint64_t late) {
        support::CaptureBuilder capture(kStart);
        const auto rx = capture.channel("rx");
        const auto tx = capture.channel("tx");
        for (std::uint64_t tick = 2'000; tick <= end; tick += 1'000) {
            capture.tick(rx, tick);
            if (tick <= late) capture.tick(tx, tick + 1);
        }
        write(name, capture, [&](wire::Frame& frame) {
            if (frame.has_end()) frame.mutable_end()->set_tick(watermark);
        });
    };
    make("snapshot.sla", 60'000, 40'000, 40'000);
    make("later.sla", 90'000, 70'000, 90'000);
    cut("snapshot.sla", "a.sla", 0, 50'000);
    cut("later.sla", "b.sla", 50'000, store::kNever);
    EXPECT_NE(merge({"a.sla", "b.sla"}, "merged.sla").errors.find("2 gap rows 'left out'"), std::string::npos);
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    ASSERT_EQ(merged.lanes().size(), 2U);
    EXPECT_EQ(merged.lane_named("rx")->size(), 89U + 1U) << "what there is of the time is there";
    EXPECT_EQ(merged.lane_named("tx")->size(), 80U + 1U) << "ten are not, and a hole is";
    EXPECT_EQ(merged.lane_named("tx")->gaps()[0].tick, 40'001U);
    EXPECT_EQ(merged.lane_named("tx")->gaps()[0].until_tick, 49'999U);
    // Of the time behind 70 us neither is known to be whole: those of one file become one, beside those of the other.
    make("longer.sla", 85'000, 40'000, 40'000);
    cut("later.sla", "c.sla", 0, 80'000);
    cut("later.sla", "d.sla", 75'000, store::kNever);
    cut("longer.sla", "e.sla", 60'000, 78'000);
    cut("longer.sla", "f.sla", 76'000, store::kNever);
    EXPECT_NE(merge({"f.sla", "c.sla", "e.sla", "d.sla"}, "four.sla").errors.find("stand side by side: "),
              std::string::npos);
    store::Session four;
    ASSERT_TRUE(ingest::load_file(file("four.sla"), four).ok());
    std::multiset<std::uint64_t> sizes;
    for (const store::Lane* lane : four.lanes()) {
        EXPECT_TRUE(lane->gaps().empty());
        sizes.insert(lane->size());
    }
    EXPECT_EQ(sizes, (std::multiset<std::uint64_t>{0, 26, 89, 89}));
}

TEST_F(MergedParts, OfTwoHostsBecomeTwoRecordings) {
    std::mt19937_64 random(4);
    write_random("here.sla", "here", 1, 1);
    write_random("there.sla", "there", 2, 2);
    merge({"here.sla", "there.sla"}, "whole.sla");
    std::vector<std::string> names = cut_at_random("here.sla", 3, random);
    const std::vector<std::string> more = cut_at_random("there.sla", 3, random);
    names.insert(names.end(), more.begin(), more.end());
    merge(names, "merged.sla");
    expect_same("merged.sla", "whole.sla");
    merge(cut_at_random("whole.sla", 4, random), "again.sla");
    expect_same("again.sla", "whole.sla");
}

TEST_F(MergedParts, OfOtherChannelsStandBesideEachOther) {
    write_random("whole.sla", "here", 1, 1);
    cut("whole.sla", "net.sla", 0, store::kNever, {"net.*"});
    cut("whole.sla", "rest.sla", 0, store::kNever, {"[!n]*"});
    merge({"rest.sla", "net.sla"}, "merged.sla");
    const Outcome expected = run_sla({"table", file("whole.sla"), "--format", "csv", "--channel", "net.*"});
    EXPECT_EQ(run_sla({"table", file("merged.sla"), "--format", "csv", "--channel", "net.*"}).out, expected.out);
}

TEST_F(MergedParts, SayWhereTimeIsMissingBetweenThem) {
    support::CaptureBuilder capture(1'000);
    const auto rx = capture.channel("rx");
    const auto tx = capture.channel("tx");
    for (std::uint64_t tick = 2'000; tick <= 30'000; tick += 1'000) capture.tick(rx, tick);
    capture.level(tx, 3'500, true);
    capture.level(tx, 14'500, false);
    capture.level(tx, 25'500, true);
    capture.write(file("whole.sla"));
    cut("whole.sla", "a.sla", 0, 10'000);
    cut("whole.sla", "b.sla", 20'000, store::kNever, {"rx"});
    cut("whole.sla", "c.sla", 22'000, store::kNever, {"tx"});
    const Outcome outcome = merge({"a.sla", "b.sla", "c.sla"}, "merged.sla");
    EXPECT_NE(outcome.errors.find("2 gap rows 'left out' in its place"), std::string::npos) << outcome.errors;
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    ASSERT_EQ(merged.lanes().size(), 2U);
    const store::Lane& first = *merged.lane_named("rx");
    ASSERT_EQ(first.gaps().size(), 1U);
    EXPECT_EQ(first.gaps()[0].cause, wire::LossCause::kLeftOut);
    EXPECT_EQ(first.gaps()[0].tick, 10'000U);
    EXPECT_EQ(first.gaps()[0].until_tick, 19'999U);
    EXPECT_EQ(first.size(), 8U + 1U + 11U);
    const store::Lane& second = *merged.lane_named("tx");
    ASSERT_EQ(second.size(), 3U) << "what held when the last part came would count as an event of the time before";
    EXPECT_EQ(second.tick(1), second.gaps()[0].tick);
    EXPECT_EQ(second.events(), 2U);
    EXPECT_EQ(run_sla({"verify", file("merged.sla")}).code, kDone);
}

// What held where it begins was counted nowhere, and stays so; a span that is open there counts as it is.
TEST_F(MergedParts, CountNoMoreThanTheyDidBesideAnotherThatBeginsBefore) {
    support::CaptureBuilder capture(1'000);
    const auto rx = capture.channel("rx");
    capture.value(rx, 2'000, 7);
    capture.level(rx, 3'000, true);
    capture.begin(rx, 4'000);
    capture.end(rx, 6'000);
    capture.level(rx, 7'000, false);
    write("whole.sla", capture, [](wire::Frame& frame) {
        if (frame.has_hello()) frame.mutable_hello()->set_capture_id(7);
    });
    cut("whole.sla", "part.sla", 5'000, store::kNever);
    write_random("other.sla", "here", 1, 1);
    merge({"other.sla", "part.sla"}, "merged.sla");
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    const store::Lane& lane = *merged.lane_named("rx");
    ASSERT_EQ(lane.size(), 3U);
    EXPECT_EQ(lane.tick(0), 4'000U);
    EXPECT_EQ(lane.spans()[0].state, store::SpanState::kClosed);
    EXPECT_EQ(lane.tick(1), 6'000U);
}

TEST_F(MergedParts, OfFormerVersionsStandSideBySide) {
    write_random("whole.sla", "here", 1, 1);
    const auto [first, end] = extent("whole.sla");
    cut("whole.sla", "a.sla", 0, (first + end) / 2);
    cut("whole.sla", "b.sla", (first + end) / 2, store::kNever);
    for (const std::string name : {"a.sla", "b.sla"}) {
        auto reader = capture::CaptureReader::open(file(name));
        auto writer = capture::CaptureWriter::create(file("old." + name));
        while (const auto bytes = reader->next()) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(std::string(*bytes)));
            if (frame.has_hello()) frame.mutable_hello()->clear_part_of();
            ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    }
    merge({"old.a.sla", "old.b.sla"}, "merged.sla");
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    EXPECT_EQ(merged.lanes().size(), 26U);
}

TEST_F(MergedParts, WhoseNumbersMeanOtherThingsStandSideBySideAndItIsSaid) {
    const auto make = [&](const std::string& name, const char* channel) {
        support::CaptureBuilder capture(1'000);
        const auto id = capture.channel(channel);
        for (std::uint64_t tick = 2'000; tick <= 30'000; tick += 1'000) capture.tick(id, tick);
        capture.write(file(name));
    };
    make("one.sla", "rx");
    make("other.sla", "tx");
    cut("one.sla", "a.sla", 0, 10'000);
    cut("other.sla", "b.sla", 10'000, store::kNever);
    const Outcome outcome = merge({"a.sla", "b.sla"}, "merged.sla");
    EXPECT_NE(outcome.errors.find("stand side by side: "), std::string::npos) << outcome.errors;
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    EXPECT_EQ(merged.lanes().size(), 2U);
}

// A part that is saved has rows that count anew.
TEST_F(MergedParts, ThatWereSavedLoseNoRow) {
    support::CaptureBuilder capture(1'000);
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 30'000; tick += 1'000) capture.tick(rx, tick);
    capture.write(file("whole.sla"));
    for (const auto& [name, from, to] : {std::tuple("a.sla", "0", "10us"), std::tuple("b.sla", "10us", "40us")}) {
        ASSERT_EQ(
            run_sla({"export", file("whole.sla"), "--format", "sla", "-o", file(name), "--from", from, "--to", to}).code,
            kDone);
    }
    merge({"a.sla", "b.sla"}, "merged.sla");
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    EXPECT_EQ(merged.events(), 29U);
}

}  // namespace
}  // namespace sla::cli
