// The whole capture in one strip: how many events each pixel column holds, and where something was lost.
#pragma once

#include "viewer/store/session.h"
#include "viewer/timeline/pictures/minimap_counts.h"
#include "viewer/timeline/viewport.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sla::timeline {

struct MinimapColumn {
    std::uint64_t events = 0;
    float density = 0;  // 0 to 1, over the logarithm of the count: the busiest column is 1
    bool lost = false;
    bool not_kept = false;
    bool is_uncertain = false;  // some of the events are of a page whose rows nobody has looked at: they may lie beside it
};

// Recomputed when the session grew, a few lanes a frame, so that neither a thousand lanes nor busy ones cost a stutter.
class Minimap {
public:
    // `view` maps the whole extent to the strip. Works on at most `lanes_per_frame` lanes; true when columns() is whole.
    bool refresh(const store::Session& session, const Viewport& view, std::size_t lanes_per_frame = 64);

    [[nodiscard]] const std::vector<MinimapColumn>& columns() const { return shown_; }
    // Of the columns; what was drawn may be a moment older than the session.
    [[nodiscard]] const Viewport& view() const { return shown_view_; }
    // Of the session that they are of.
    [[nodiscard]] std::uint64_t revision() const { return shown_revision_; }
    // Some column is.
    [[nodiscard]] bool is_uncertain() const { return is_uncertain_; }
    // Where it is not: counts of the same session, of some time ago. Null: there are none.
    void set_counts(std::shared_ptr<const MinimapCounts> counts) { counts_ = std::move(counts); }
    [[nodiscard]] const std::shared_ptr<const MinimapCounts>& counts() const { return counts_; }

private:
    void begin(const store::Session& session, const Viewport& view);
    void add_lane(const store::Lane& lane);
    void add_gaps(const store::Lane& lane);
    void add_pages(const store::Lane& lane, const MinimapCounts::Counted& counted);
    void add_page(const store::Page& page, const MinimapCounts::Counted& counted);
    void publish();

    std::vector<MinimapColumn> building_;
    Viewport building_view_;
    std::uint64_t building_revision_ = 0;
    std::size_t next_lane_ = 0;
    std::size_t looked_up_ = 0;  // columns of lanes, in this frame
    bool busy_ = false;
    std::shared_ptr<const MinimapCounts> counts_;  // that are known
    std::shared_ptr<const MinimapCounts> building_counts_;

    std::vector<MinimapColumn> shown_;
    Viewport shown_view_;
    std::uint64_t shown_revision_ = ~std::uint64_t{0};
    std::shared_ptr<const MinimapCounts> shown_counts_;
    bool is_uncertain_ = false;
};

}  // namespace sla::timeline
