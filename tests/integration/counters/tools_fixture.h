// What users of the Pentium's own tools had, row by row of the table in viewer/GUIDE.md: how tests run a command and read its
// table.
#pragma once

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace sla {

using support::Process;

constexpr std::chrono::seconds kToolHang{180};

struct Ran {
    int code = 0;
    std::string out;
    std::string errors;
};

using Rows = std::vector<std::vector<std::string>>;

inline Rows rows_of(const std::string& csv) {
    Rows out;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        out.emplace_back();
        for (std::string field; std::getline(fields, field, ',');) out.back().push_back(field);
    }
    return out;
}

// The field behind these two; "": there is no such row.
inline std::string field_of(const std::string& csv, const std::string& first, const std::string& second, std::size_t field) {
    for (const auto& row : rows_of(csv)) {
        if (row.size() > field && row[0] == first && row[1] == second) return row[field];
    }
    return "";
}

// Columns of `sla counters run` and `sweep`.
constexpr std::size_t kHowField = 2, kNField = 3, kMinField = 4, kMedianField = 6, kMaxField = 7;

class Tools : public testing::Test {
protected:
    Ran sla(std::vector<std::string> words) { return run("sla", std::move(words)); }
    Ran run(const std::string& program, std::vector<std::string> words) {
        words.insert(words.begin(), std::string(SLA_BINARIES) + "/" + program);
        Process process(words, runtime_);
        const int code = process.wait(kToolHang).code;
        return {code, process.output(), process.errors()};
    }
    [[nodiscard]] std::uint64_t number(const std::string& capture, const std::string& question) {
        const Ran asked = sla({"sql", capture, "SELECT " + question, "--format", "csv"});
        EXPECT_EQ(asked.code, 0) << asked.errors;
        const Rows rows = rows_of(asked.out);
        return rows.size() == 2 ? std::stoull(rows[1][0]) : 0;
    }

    support::TempDir directory_;
    std::map<std::string, std::string> runtime_{{"SLA_RUNTIME_DIR", directory_.file("run")}};
};

}  // namespace sla
