// Limits judged on a capture that a test makes.
#pragma once

#include "tests/support/capture_builder.h"
#include "viewer/analysis/limits/verdict.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::analysis {

// One tick a nanosecond; a stamp costs 20 ticks, so every time is ± 22 ns and a little.
class Verdicts : public ::testing::Test {
protected:
    Finding check(const std::string& text, const Selection& range = {}) {
        if (!filled_) capture_.fill(session_);
        filled_ = true;
        const auto limit = parse_limit(text);
        EXPECT_TRUE(limit.ok()) << text;
        const auto findings = check_limit(session_, *limit, range);
        EXPECT_EQ(findings.size(), 1u) << text;
        return findings.front();
    }
    Verdict verdict(const std::string& text) { return check(text).verdict; }

    support::CaptureBuilder capture_{0, 1e9, 20};
    store::Session session_;
    bool filled_ = false;
};

}  // namespace sla::analysis
