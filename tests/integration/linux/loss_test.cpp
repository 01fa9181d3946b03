// What the kernel could not keep is counted to the last event.
#include "tests/integration/linux/host_test.h"

#include <sstream>

namespace sla {
namespace {

class HostLoss : public HostTest {};

// SLA_STORM_EVENTS=20000000 makes the long form of it.
std::int64_t storm_events() {
    const char* asked = std::getenv("SLA_STORM_EVENTS");
    return asked != nullptr ? std::strtoll(asked, nullptr, 10) : 3'000'000;
}

TEST_F(HostLoss, ReadAndLostTogetherAreWhatWasProduced) {
    const std::int64_t events = storm_events();
    ASSERT_EQ(record({"--linux", "raw_syscalls:sys_enter if id==110,raw_syscalls:sys_exit if id==110", "--linux-buffer",
                      "64KiB", "--follow", "--", SLA_HOST_PROGRAM, "storm", std::to_string(events / 2)}),
              0)
        << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    // Counted by the viewer's own reader of the capture; a table of millions of rows would only take longer.
    support::Process channels({SLA_BINARIES "/sla", "channels", capture(), "--format", "tsv"});
    ASSERT_EQ(channels.wait(std::chrono::seconds(100)).code, 0) << channels.errors();
    std::istringstream lines(channels.output());
    std::int64_t read = 0;
    std::int64_t lost = 0;
    for (std::string line; std::getline(lines, line);) {
        std::array<std::string, 5> columns;  // channel, source, kinds, events, lost
        std::istringstream words(line);
        for (std::string& column : columns) std::getline(words, column, '\t');
        if (columns[0] == "linux.syscall.getppid") read += std::strtoll(columns[3].c_str(), nullptr, 10);
        if (columns[0].starts_with("linux.")) lost += std::strtoll(columns[4].c_str(), nullptr, 10);
    }
    EXPECT_GT(read, 0);
    EXPECT_GT(lost, 0) << "the buffers were not small enough to lose anything";
    EXPECT_EQ(read + lost, events);
    EXPECT_NE(errors_.find("--linux-buffer"), std::string::npos) << "the loss is not said aloud: " << errors_;
}

}  // namespace
}  // namespace sla
