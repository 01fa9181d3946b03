// What the tests of a session that may take little memory share.
#pragma once

#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/spill.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

namespace sla::ingest {

using store::Session;

inline constexpr std::uint64_t kLittle = 1'000'000;
inline constexpr auto kTimeout = std::chrono::seconds(60);

class SpillTest : public ::testing::Test {
protected:
    SpillTest() : directory_(std::filesystem::path(::testing::TempDir()) / ("spill_" + std::to_string(getpid()))) {
        std::filesystem::create_directory(directory_);
    }
    ~SpillTest() override { std::filesystem::remove_all(directory_); }

    // A viewer's loop: takes frames as long as there is space.
    struct Small {
        explicit Small(const std::filesystem::path& directory, std::uint64_t memory = kLittle,
                       std::uint64_t page_rows = 2000)
            : spill(session, {memory, directory.string(), page_rows}) {
            applier.on_growth([this](store::Lane& lane) { spill.tend(lane); });
        }
        [[nodiscard]] bool space_within(std::chrono::milliseconds timeout) {
            const auto until = std::chrono::steady_clock::now() + timeout;
            while (spill.is_full()) {
                if (std::chrono::steady_clock::now() > until) return false;
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            }
            return true;
        }
        // Full, and the disk is why.
        [[nodiscard]] bool is_stalled() {
            while (spill.is_full()) {
                if (!spill.report().failure.empty()) return true;
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            }
            return false;
        }
        void take(const std::string& frame) {
            ASSERT_TRUE(space_within(kTimeout));
            applier.apply(std::string_view(frame));
            most = std::max(most, spill.report().memory_bytes);
        }

        Session session;
        FrameApplier applier{session};
        Spill spill;
        std::uint64_t most = 0;
    };

    void fill_both(Small& small, Session& whole, std::uint64_t seed, int chunks, bool finish = true) {
        FrameApplier applier(whole);
        make_random_stream({[&](const std::string& frame) {
                               small.take(frame);
                               applier.apply(std::string_view(frame));
                           }},
                           seed, chunks, finish);
    }

    std::filesystem::path directory_;
    std::mt19937_64 random_{7};
};

}  // namespace sla::ingest
