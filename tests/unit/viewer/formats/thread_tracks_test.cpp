// Spans of all channels of a thread on one track, in the files of tools that nest by track.
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/formats/imported.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <vector>

namespace sla::formats {
namespace {

using Json = nlohmann::json;

// Two threads: frames with what is done in them, and a transfer that ends after its frame.
support::CaptureBuilder game() {
    support::CaptureBuilder capture;
    const auto main = capture.thread("main", 4711);
    const auto loader = capture.thread("loader", 4712);
    const auto frame = capture.channel("game.frame");
    const auto physics = capture.channel("game.physics");
    const auto draw = capture.channel("game.draw");
    const auto io = capture.channel("io.read");
    const auto ticks = capture.channel("input");
    for (std::uint64_t i = 0; i < 5; ++i) {
        const std::uint64_t at = 10'000 + i * 10'000;
        capture.span(frame, at, at + 8'000, main);
        capture.span(physics, at + 500, at + 3'000, main);
        capture.span(draw, at + 3'500, at + 7'900, main);
        capture.span(draw, at + 4'000, at + 4'500, main);  // nested in its own
        capture.tick(ticks, at + 600, 7, main);
        capture.span(frame, at + 100, at + 2'000, loader);
    }
    capture.span(physics, 57'950, 58'000, main);  // ends with the last frame, whose channel is the lower one
    capture.span(io, 57'000, 59'500, main);       // begins in the last frame and ends after it
    capture.event(io, 61'000, SLA_CODE_END, 0, main);
    capture.begin(physics, 62'000, main);  // is never ended
    return capture;
}

class ThreadTracksInFiles : public WithFiles {
protected:
    ThreadTracksInFiles() { game().fill(session_); }
    Json chrome(const analysis::Selection& selection) {
        EXPECT_TRUE(export_capture(session_, selection, {ExportFormat::kChrome, 0}, file("out.chrome.json")).ok());
        return Json::parse(std::ifstream(file("out.chrome.json")))["traceEvents"];
    }
    Json chrome() { return chrome(*analysis::select(session_, {})); }

    store::Session session_;
};

TEST_F(ThreadTracksInFiles, SpansOfAThreadNestOnItsTrackWhateverTheirChannels) {
    const Json events = chrome();
    std::map<int, std::string> tracks;
    std::map<int, std::vector<std::string>> open;
    std::map<int, std::set<std::string>> seen;
    std::size_t deepest = 0;
    for (const Json& event : events) {
        const int tid = event["tid"];
        if (event["name"] == "thread_name") tracks[tid] = event["args"]["name"];
        if (event["ph"] != "B" && event["ph"] != "E") continue;
        seen[tid].insert(event["name"]);
        if (event["ph"] == "B") {
            open[tid].push_back(event["name"]);
            deepest = std::max(deepest, open[tid].size());
        } else if (tracks[tid].find("io.read") == std::string::npos) {  // whose end finds nothing that began
            ASSERT_FALSE(open[tid].empty()) << event;
            EXPECT_EQ(open[tid].back(), event["name"]) << "readers end what began last";
            open[tid].pop_back();
        }
    }
    EXPECT_EQ(deepest, 3u) << "a frame, its drawing, and that within it";
    std::map<std::string, std::set<std::string>> by_track;
    for (const auto& [tid, names] : seen) by_track[tracks[tid]] = names;
    using Names = std::set<std::string>;
    EXPECT_EQ(by_track["main/4711"], (Names{"game.frame", "game.physics", "game.draw"}));
    EXPECT_EQ(by_track["main/4711 (2)"], (Names{"game.physics", "io.read"}))
        << "they overlap: a second track of the same thread";
    EXPECT_EQ(by_track["loader/4712"], (Names{"game.frame"}));
    EXPECT_EQ(by_track["game.physics main/4711"], (Names{"game.physics"})) << "what is never ended stays with its lane";
}

TEST_F(ThreadTracksInFiles, WhatEndsBehindThePartThatIsExportedSwallowsNoOther) {
    analysis::Selection part = *analysis::select(session_, {});
    part.until = 14'200;  // within the first frame and its drawing
    const Json events = chrome(part);
    std::map<int, int> depth;
    std::map<int, std::string> tracks;
    for (const Json& event : events) {
        if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
        if (event["ph"] == "B") ++depth[event["tid"]];
        if (event["ph"] == "E") --depth[event["tid"]];
    }
    ASSERT_GE(depth.size(), 2u);
    for (const auto& [tid, open] : depth) {
        const bool is_thread = tracks[tid] == "main/4711" || tracks[tid] == "loader/4712";
        EXPECT_TRUE(!is_thread || open == 0) << tracks[tid];
    }
}

TEST_F(ThreadTracksInFiles, ComeBackAsTheChannelsTheyWere) {
    for (const ExportFormat format : {ExportFormat::kChrome, ExportFormat::kPerfetto}) {
        const std::string path = file(format == ExportFormat::kChrome ? "out.chrome.json" : "out.pftrace");
        ASSERT_TRUE(export_capture(session_, *analysis::select(session_, {}), {format, 0}, path).ok());
        store::Session back;
        take_in(path, back);
        for (const store::Lane* lane : session_.lanes()) {
            const std::string& name = lane->channel().name;
            EXPECT_EQ(reported(back, name), reported(session_, name)) << name;
            const store::Lane* other = back.lane_named(name);
            ASSERT_NE(other, nullptr) << name;
            ASSERT_EQ(other->size(), lane->size()) << name;
            for (std::uint64_t i = 0; i < lane->size(); ++i) {
                const store::Thread* of = session_.thread(ThreadId{(*lane)[i].thread});
                const store::Thread* to = back.thread(ThreadId{(*other)[i].thread});
                ASSERT_NE(to, nullptr) << name << " event " << i;
                EXPECT_EQ(to->tid, of->tid) << name << " event " << i;
            }
        }
    }
}

}  // namespace
}  // namespace sla::formats
