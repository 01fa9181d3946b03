#include "viewer/timeline/pictures/level_picture.h"

#include <algorithm>

namespace sla::timeline {

namespace {

constexpr std::uint64_t kExactEdges = 4;

// Builds runs of one level from left to right.
class Wave {
public:
    Wave(LanePicture& out, store::Level level, float x) : out_(out), run_{x, x, level, false} {}

    [[nodiscard]] store::Level level() const { return run_.level; }

    void change(float x, store::Level level) {
        if (level == run_.level) return;
        finish(x);
        run_ = {x, x, level, true};
    }
    // What follows begins at x without an edge of its own.
    void resume(float x, store::Level level) { run_ = {x, x, level, false}; }
    void finish(float x) {
        run_.x1 = x;
        if (run_.x1 > run_.x0) out_.levels.push_back(run_);
    }

private:
    LanePicture& out_;
    LevelMark run_;
};

// Ticks spent high up to the edges of columns, which are asked for from left to right: where no row lies between, the last
// answer says.
class HighTicks {
public:
    explicit HighTicks(const store::Lane& lane) : lane_(lane) {}

    // Before the rows at that tick or later, of which `behind` is the first.
    store::LevelState at(std::uint64_t behind, std::uint64_t tick) {
        if (known_ && behind == behind_) {
            if (state_.level == store::Level::kHigh) state_.high += tick - tick_;
        } else {
            state_ = lane_.level_behind(behind, tick);
        }
        known_ = true;
        behind_ = behind;
        tick_ = tick;
        return state_;
    }

private:
    const store::Lane& lane_;
    store::LevelState state_;
    std::uint64_t behind_ = 0;
    std::uint64_t tick_ = 0;
    bool known_ = false;
};

}  // namespace

void picture_levels(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out) {
    const std::uint64_t start = view.first_tick_from(0.0);
    const auto end_x = static_cast<float>(std::min(view.width(), view.x_of(std::max(now, lane.last_tick()))));
    if (end_x <= 0.0F) return;
    HighTicks high(lane);
    Wave wave(out, start == 0 ? store::Level::kUnknown : lane.level_at(start - 1), 0.0F);
    visit_columns(lane, view, [&](const Column& column) {
        std::uint64_t changes = 0;
        store::Level level = wave.level();
        float change_x = 0.0F;
        const bool few = column.last - column.first <= kExactEdges;
        for (std::uint64_t i = column.first; few && i < column.last; ++i) {
            const store::Event event = lane[i];
            const store::Level after = store::level_after(level, event.code, event.value);
            if (after == level) continue;
            level = after;
            ++changes;
            change_x = static_cast<float>(view.x_of(event.tick));
        }
        if (few && changes <= 1) {
            if (changes == 1) wave.change(change_x, level);
            return;
        }
        const std::uint64_t before = high.at(column.first, column.from_tick).high;
        const store::LevelState after = high.at(column.last, column.until_tick);
        const auto ticks = static_cast<double>(column.until_tick - column.from_tick);
        const auto x = static_cast<float>(column.x);
        wave.finish(x);
        out.busy_levels.push_back({x, static_cast<float>(static_cast<double>(after.high - before) / std::max(ticks, 1.0)),
                                   few ? changes : column.last - column.first});
        wave.resume(x + 1.0F, after.level);
    });
    wave.finish(end_x);
}

}  // namespace sla::timeline
