#include "viewer/workspace/search/fuzzy.h"

#include <gtest/gtest.h>

namespace sla::workspace {
namespace {

TEST(Fuzzy, FindsLettersInTheirOrder) {
    EXPECT_TRUE(fuzzy_score("", "anything"));
    EXPECT_TRUE(fuzzy_score("zi", "Zoom in"));
    EXPECT_TRUE(fuzzy_score("ZOOM", "zoom out"));
    EXPECT_FALSE(fuzzy_score("iz", "Zoom in"));
    EXPECT_FALSE(fuzzy_score("zoomx", "Zoom"));
    EXPECT_FALSE(fuzzy_score("zz", "Zoom"));
}

TEST(Fuzzy, PrefersBeginningsOfWordsAndRuns) {
    EXPECT_GT(*fuzzy_score("zi", "Zoom in"), *fuzzy_score("zi", "azimuth of it"));
    EXPECT_GT(*fuzzy_score("net", "net.rx"), *fuzzy_score("net", "new event"));
    EXPECT_GT(*fuzzy_score("exp", "Export"), *fuzzy_score("exp", "next page"));
}

TEST(Fuzzy, PrefersLettersThatStandTogetherToThoseGatheredFromAfar) {
    const auto better = [](const char* typed, const char* meant, const char* other) {
        EXPECT_GT(fuzzy_score(typed, meant), fuzzy_score(typed, other)) << typed;
    };
    better("shts", "Panels: Shots", "Search: Next hit of the search");
    better("shots", "Panels: Shots", "Panels: Shots over each other at t = 0");
    better("nh", "Search: Next hit of the search", "Lane: machine");
    better("gaps", "Panels: Gaps", "View: Go to the newest event, and stay");
    better("undo", "Window: Undo", "Lane: pipe.unbounded");
    better("mark", "Panels: Markers", "Measure: Set a marker at the mouse, or the selected event");
}

}  // namespace
}  // namespace sla::workspace
