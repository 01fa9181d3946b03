// Recording this machine's kernel from a test, and reading the rows back as `sla table` writes them.
#pragma once

#include "tests/support/process.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace sla {

struct HostRow {
    std::uint64_t tick = 0;
    std::string kind;
    std::string text;
    std::int64_t value = 0;
};
using HostRows = std::map<std::string, std::vector<HostRow>>;  // by channel

class HostTest : public testing::Test {
protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "skipped, because tracing the kernel needs root";
        keep_mounts();
    }
    // What agents mount, as tracefs where nobody has, goes with this process.
    static void keep_mounts() {
        static const bool are_ours =
            ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
        static_cast<void>(are_ours);  // where a container does not let us, they stay
    }
    // `sla record -o capture ARGS...`; its exit code.
    int record(const std::vector<std::string>& arguments) {
        std::vector<std::string> argv{SLA_BINARIES "/sla", "record", "-o", capture()};
        argv.insert(argv.end(), arguments.begin(), arguments.end());
        support::Process recording(argv, {{"TMPDIR", directory_.path()}});
        const int code = recording.wait(std::chrono::seconds(200)).code;
        errors_ = recording.errors();
        output_ = recording.output();
        if (errors_.find("not present:") != std::string::npos) absent_ = true;
        return code;
    }
    // Rows of the channels that match, in time order each.
    HostRows rows(const std::vector<std::string>& globs) {
        std::vector<std::string> argv{SLA_BINARIES "/sla",        "table", capture(), "--format", "tsv", "-o",
                                      directory_.file("rows.tsv")};
        for (const std::string& glob : globs) argv.insert(argv.end(), {"--channel", glob});
        support::Process table(argv);
        EXPECT_EQ(table.wait(std::chrono::seconds(200)).code, 0) << table.errors();
        HostRows rows;
        std::ifstream in(directory_.file("rows.tsv"));
        std::string line;
        std::getline(in, line);
        while (std::getline(in, line)) take(line, rows);
        return rows;
    }
    [[nodiscard]] std::string capture() const { return directory_.file("host.sla"); }

    support::TempDir directory_;
    std::string errors_;
    std::string output_;   // of the program
    bool absent_ = false;  // this kernel has no tracing to speak of

private:
    static void take(const std::string& line, HostRows& rows) {
        std::array<std::string, 9> columns;  // index, tick, time_ns, source, thread, channel, kind, value, text
        std::size_t begin = 0;
        for (std::string& column : columns) {
            const std::size_t end = std::min(line.find('\t', begin), line.size());
            column = line.substr(begin, end - begin);
            begin = std::min(end + 1, line.size());
        }
        HostRow row;
        row.tick = std::strtoull(columns[1].c_str(), nullptr, 10);
        row.kind = columns[6];
        row.value = std::strtoll(columns[7].c_str(), nullptr, 10);
        row.text = columns[8];
        rows[columns[5]].push_back(row);
    }
};

}  // namespace sla
