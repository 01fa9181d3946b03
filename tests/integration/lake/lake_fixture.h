// Captures as tables in a lake, and readers of Parquet that know nothing of us.
#pragma once

#include "tests/support/process.h"
#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace sla {

class Lake : public ::testing::Test {
protected:
    [[nodiscard]] std::string file(const std::string& name) const { return directory_.file(name); }

    static support::Exit run(const std::vector<std::string>& argv, std::string& output, std::string& errors) {
        support::Process process(argv);
        const support::Exit exit = process.wait();
        output = process.output();
        errors = process.errors();
        return exit;
    }
    // Its standard output; expects exit code 0.
    static std::string sla(const std::vector<std::string>& words) {
        std::vector<std::string> argv = {SLA_BINARIES "/sla"};
        argv.insert(argv.end(), words.begin(), words.end());
        std::string output;
        std::string errors;
        EXPECT_EQ(run(argv, output, errors).code, 0) << errors;
        return output;
    }
    // Why there are no other readers of Parquet; empty: they are there.
    static const std::string& missing_readers() {
        static const std::string kReason = [] {
            std::string output;
            std::string errors;
            run({"/bin/sh", SLA_LAKE_SOURCES "/packages.sh", SLA_LAKE_PACKAGES}, output, errors);
            std::ifstream missing(SLA_LAKE_PACKAGES "/missing");
            std::string reason;
            std::getline(missing, reason);
            return missing || !reason.empty() ? reason : std::string();
        }();
        return kReason;
    }
    // What questions.mjs says, sorted by line.
    static std::vector<std::string> asked(const std::string& reader, const std::string& path) {
        std::string output;
        std::string errors;
        const auto exit = run({"/usr/bin/env", "node", SLA_LAKE_SOURCES "/questions.mjs", reader, path, SLA_LAKE_PACKAGES},
                              output, errors);
        EXPECT_EQ(exit.code, 0) << errors;
        return sorted_lines(output);
    }
    // The same of a capture, by `sla stats` and `sla sql`: channels of which nothing was lost, whose deltas are all there.
    static std::vector<std::string> reported_by_sla(const std::string& capture) {
        const std::string rows =
            sla({"sql", capture, "--format", "csv",
                 "SELECT channel, count(*), coalesce(sum(value) FILTER (WHERE typeof(value) = 'integer'), 0) "
                 "FROM events GROUP BY channel"});
        std::map<std::string, std::string> sums;  // "rows,sum" by channel
        for (const std::string& line : sorted_lines(rows))
            sums[line.substr(0, line.find(','))] = line.substr(line.find(',') + 1);
        std::string lines;
        for (const std::string& line : sorted_lines(sla({"stats", capture, "--format", "csv"}))) {
            std::vector<std::string> fields;
            std::istringstream in(line);
            for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
            // channel,pair,count,lost,min_ns,mode_ns,p50_ns,mean_ns,p90_ns,p99_ns,p999_ns,max_ns
            if (fields.size() < 12 || !fields[1].empty() || fields[3] != "0") continue;
            lines += fields[0] + "," + sums[fields[0]];
            for (const std::size_t i : {4, 6, 8, 9, 10, 11}) lines += "," + fields[i];
            lines += "\n";
        }
        return sorted_lines(lines);
    }
    static std::vector<std::string> sorted_lines(const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        std::sort(lines.begin(), lines.end());
        return lines;
    }

private:
    support::TempDir directory_;
};

}  // namespace sla
