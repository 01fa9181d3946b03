// Captures that come piece by piece, for tests of what follows them: a channel is there from its first batch on, and rows that
// were walked over leave memory.
#pragma once

#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "viewer/analysis/followed_lanes.h"
#include "viewer/ingest/follow/passed_rows.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sla::analysis {

// Frames in the capture's order, but each channel's name right before its first batch.
inline std::vector<std::string> with_late_channels(const std::vector<std::string>& frames) {
    std::map<std::uint32_t, std::string> names;
    std::vector<std::string> out;
    for (const std::string& bytes : frames) {
        wire::Frame frame;
        EXPECT_TRUE(frame.ParseFromString(bytes));
        if (frame.has_channel()) {
            names[frame.channel().id()] = bytes;
            continue;
        }
        if (frame.has_end()) {
            for (const auto& [id, name] : names) out.push_back(name);
        }
        if (const auto name = names.find(frame.has_batch() ? frame.batch().channel() : 0); name != names.end()) {
            out.push_back(name->second);
            names.erase(name);
        }
        out.push_back(bytes);
    }
    return out;
}

class GrowingCapture {
public:
    GrowingCapture() {
        applier_.on_growth([this](store::Lane& lane) { passed_.tend(lane); });
    }

    using Walk = std::function<void(const FinalRows&)>;
    // Each frame, and all rows that are final then.
    void take(const std::vector<std::string>& frames, const Walk& walk) {
        for (const std::string& frame : frames) {
            applier_.apply(std::string_view(frame));
            if (session_.final_tick() == 0 || !session_.has_origin()) continue;
            const std::uint64_t until = session_.ended() ? store::kNever : session_.final_tick() + 1;
            if (until <= passed_until_) continue;
            walk({session_, passed_until_, until});
            passed_.pass(until - 1);
            passed_until_ = until;
        }
    }
    [[nodiscard]] const store::Session& session() const { return session_; }

private:
    store::Session session_;
    ingest::FrameApplier applier_{session_};
    ingest::PassedRows passed_{session_, 1};  // pages as small as they may be
    std::uint64_t passed_until_ = 0;
};

}  // namespace sla::analysis
