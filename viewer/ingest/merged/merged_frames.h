// The frames of a merged capture in order: of all parts the one that is furthest behind comes next. Private to the room.
#pragma once

#include "proto/capture/capture_reader.h"
#include "proto/capture/frame_source.h"
#include "viewer/ingest/merged/merged_parts.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sla::ingest {

class MergedFrames final : public capture::FrameSource {
public:
    static Result<std::unique_ptr<MergedFrames>> open(std::shared_ptr<const MergedParts> parts);

    std::optional<std::string_view> next() override;
    [[nodiscard]] const std::vector<capture::Damage>& damage() const override { return damage_; }
    [[nodiscard]] bool finished() const override;
    [[nodiscard]] std::uint64_t bytes() const override;
    [[nodiscard]] std::uint64_t position() const override;

private:
    struct Input {
        const MergedPart* part = nullptr;
        capture::CaptureReader reader;
        std::uint64_t reached = 0;  // nothing from before this is still to come; ~0 at its end
        std::size_t reported_damage = 0;
    };
    explicit MergedFrames(std::shared_ptr<const MergedParts> parts)
        : parts_(std::move(parts)), ready_(parts_->head().begin(), parts_->head().end()) {}
    void step_furthest_behind();
    void step(Input& input);
    void take_damage(Input& input);
    void report_watermark();

    std::shared_ptr<const MergedParts> parts_;
    std::vector<Input> inputs_;
    // By how far each has come, then by number: the one that is furthest behind is first.
    std::set<std::pair<std::uint64_t, std::size_t>> order_;
    std::deque<std::string> ready_;
    std::string frame_;  // handed out
    std::vector<capture::Damage> damage_;
    std::uint64_t watermark_ = 0;
    bool has_ended_ = false;
};

}  // namespace sla::ingest
