// A folder of its own with an archive in it, and rows to put there. For tests.
#pragma once

#include "tests/support/capture_builder.h"
#include "viewer/archive/archive.h"
#include "viewer/formats/catalog/import.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sla::archive {

namespace fs = std::filesystem;

class InFolder : public testing::Test {
protected:
    InFolder() : folder_(fs::path(testing::TempDir()) / ("sla_archive_" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~InFolder() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string lake() const { return folder_ / "lake"; }

    // Ticks 100, 200, ... of one channel; 1 GHz, from the given UTC on.
    static support::CaptureBuilder rows(std::uint64_t count) {
        support::CaptureBuilder capture(0, 1e9, 40);
        const auto rx = capture.channel("rx");
        for (std::uint64_t i = 1; i <= count; ++i) capture.value(rx, i * 100, static_cast<std::int64_t>(i));
        return capture;
    }
    Result<AddReport> add(const support::CaptureBuilder& capture, AddPlan plan) {
        store::Session session;
        capture.fill(session);
        auto archive = Archive::open(lake());
        if (!archive.ok()) return archive.error();
        return archive->add(session, plan);
    }
    static AddPlan plan_of(std::uint64_t part_rows) {
        AddPlan plan;
        plan.host = "alpha";
        plan.capture = "c1";
        plan.part_rows = part_rows;
        return plan;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> out;
        if (!fs::exists(lake())) return out;
        for (const auto& entry : fs::recursive_directory_iterator(lake())) {
            if (entry.is_regular_file() && entry.path().filename() != ".lock" && entry.path().extension() != ".json")
                out.push_back(fs::relative(entry.path(), lake()));
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    // The values of all parts, in order of their files.
    std::vector<std::int64_t> values() {
        std::vector<std::int64_t> out;
        for (const std::string& part : files()) {
            const std::string back = folder_ / "back.sla";
            const auto report = formats::import_file(lake() + "/" + part, formats::ImportFormat::kParquet, back);
            EXPECT_TRUE(report.ok()) << part << ": " << report.error().message;
            store::Session session;
            EXPECT_TRUE(ingest::load(back, session).ok());
            const store::Lane& lane = *session.lane_named("rx");
            for (std::uint64_t i = 0; i < lane.size(); ++i) out.push_back(static_cast<std::int64_t>(lane[i].value));
        }
        return out;
    }
    static std::vector<std::int64_t> up_to(std::int64_t last) {
        std::vector<std::int64_t> out;
        for (std::int64_t i = 1; i <= last; ++i) out.push_back(i);
        return out;
    }

    fs::path folder_;
};

}  // namespace sla::archive
