// The strip above the ruler: where in the whole capture events are and were lost, and the view as a window to drag.
#pragma once

#include "viewer/store/session_view.h"
#include "viewer/timeline/pictures/minimap.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/jobs/job_runner.h"

#include <chrono>
#include <memory>
#include <optional>

namespace sla::ui {

class MinimapStrip {
public:
    void draw(Context& context);
    // It shows all that there was when it was begun last, and where.
    [[nodiscard]] bool is_whole() const { return is_whole_; }
    // And that was at that revision of the session, or later.
    [[nodiscard]] bool is_whole_since(std::uint64_t revision) const { return is_whole_ && shown_revision_ >= revision; }
    // What was counted so far is of a capture that was still being loaded: where its columns end is not for good.
    void count_anew();
    // Rows of a file are being counted for it.
    [[nodiscard]] bool is_counting() const { return counting_ != nullptr || gathering_; }

private:
    using Clock = std::chrono::steady_clock;

    // Has what the sums of pages do not say counted beside the frames, from a view that is made of some lanes a frame.
    void count(const store::Session& session, const timeline::Viewport& strip);
    void take_counts();

    timeline::Minimap minimap_;
    std::optional<store::SessionView::Gathering> gathering_;
    std::shared_ptr<std::shared_ptr<const timeline::MinimapCounts>> counting_;  // the job's
    workspace::JobRunner::Job job_;
    Clock::time_point begun_;
    Clock::time_point rests_until_;
    bool has_failed_ = false;
    bool dragging_ = false;
    bool is_whole_ = true;
    std::uint64_t shown_revision_ = 0;
};

}  // namespace sla::ui
