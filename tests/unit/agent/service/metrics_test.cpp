#include "agent/service/metrics.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sla::service {
namespace {

Metrics sample() {
    Metrics metrics;
    metrics.events = 18'000'000'000'000'000'000ULL;
    metrics.lost = {{"overrun", 7}, {"late", 0}};
    metrics.memory = {{"history", 4096}};
    metrics.logins = {{"failed", 12}};
    metrics.triggers = {{"slow", true, 3, 1}, {"a \"quoted\" \\ name\nin two lines, \xc3\xb6", false, 0, 0}};
    metrics.clock.ticks_per_second = 2.1e9;
    return metrics;
}

bool has_line(const std::string& page, const std::string& line) {
    return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

TEST(MetricsText, SaysEachNumberExactly) {
    const std::string page = metrics_text(sample());
    EXPECT_TRUE(has_line(page, "sla_events_total 18000000000000000000")) << page;
    EXPECT_TRUE(has_line(page, "sla_events_lost_total{cause=\"overrun\"} 7")) << page;
    EXPECT_TRUE(has_line(page, "sla_memory_bytes{part=\"history\"} 4096")) << page;
    EXPECT_TRUE(has_line(page, "sla_logins_total{outcome=\"failed\"} 12")) << page;
    EXPECT_TRUE(has_line(page, "sla_trigger_shots_total{trigger=\"slow\"} 3")) << page;
    EXPECT_TRUE(has_line(page, "sla_trigger_armed{trigger=\"slow\"} 1")) << page;
    EXPECT_TRUE(has_line(page, "sla_clock_frequency_hertz 2100000000")) << page;
}

TEST(MetricsText, SaysWhetherARecordingGoesOn) {
    Metrics metrics = sample();
    EXPECT_EQ(metrics_text(metrics).find("sla_recording"), std::string::npos) << "none was asked for";
    metrics.recording = true;
    EXPECT_TRUE(has_line(metrics_text(metrics), "sla_recording_running 1"));
    metrics.recording = false;
    EXPECT_TRUE(has_line(metrics_text(metrics), "sla_recording_running 0"));
}

TEST(MetricsText, WritesNamesThatPeopleChoseApart) {
    const std::string page = metrics_text(sample());
    EXPECT_TRUE(has_line(page, "sla_trigger_armed{trigger=\"a \\\"quoted\\\" \\\\ name\\nin two lines, \xc3\xb6\"} 0"))
        << page;
}

TEST(MetricsText, IsWhatPromtoolWants) {
    if (!std::filesystem::exists("/usr/bin/promtool")) GTEST_SKIP() << "there is no promtool (Debian package prometheus)";
    const support::TempDir directory;
    std::ofstream(directory.file("page")) << metrics_text(sample());
    support::Process check({"/bin/sh", "-c", "/usr/bin/promtool check metrics < " + directory.file("page")});
    EXPECT_EQ(check.wait().code, 0) << check.output() << check.errors();
    EXPECT_EQ(check.errors(), "");
}

}  // namespace
}  // namespace sla::service
