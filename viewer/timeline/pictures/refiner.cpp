#include "viewer/timeline/pictures/refiner.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace sla::timeline {

namespace {

constexpr int kRestFrames = 3;  // a view that moves is not worth the work
constexpr int kWidestStrip = 32;
constexpr double kStripRows = 400'000;  // some 20 MB once read: half of what is kept at a time

// Pixels of a strip in which about so many rows lie, those of lanes that are not shown too: chunks hold them all.
int strip_pixels(const store::Session& session, const Viewport& view) {
    const TickRange visible = view.visible();
    double rows = 1;
    for (const store::Lane* lane : session.lanes()) {
        if (lane->pages() == nullptr) continue;
        constexpr std::size_t kEnough = 64;
        for (const store::Page& page : lane->pages()->pages_between(visible.first, visible.last, kEnough)) {
            rows += static_cast<double>(page.rows);
        }
    }
    return static_cast<int>(std::clamp(view.width() * kStripRows / rows, 1.0, double{kWidestStrip}));
}

template <typename Mark>
void append_shifted(const std::vector<Mark>& from, float begin, std::vector<Mark>& to) {
    for (Mark mark : from) {
        mark.x += begin;
        to.push_back(mark);
    }
}

void append_bar(SpanBar bar, float begin, std::vector<SpanBar>& to) {
    bar.x0 += begin;
    bar.x1 += begin;
    const auto known = std::find_if(to.rbegin(), to.rend(), [&](const SpanBar& other) { return other.span == bar.span; });
    if (known == to.rend()) {
        to.push_back(bar);
    } else {
        known->x0 = std::min(known->x0, bar.x0);
        known->x1 = std::max(known->x1, bar.x1);
    }
}

}  // namespace

void append_strip(const LanePicture& strip, float begin, LanePicture& out) {
    append_shifted(strip.ticks, begin, out.ticks);
    append_shifted(strip.busy_levels, begin, out.busy_levels);
    append_shifted(strip.slivers, begin, out.slivers);
    append_shifted(strip.texts, begin, out.texts);
    for (LevelMark mark : strip.levels) {
        mark.x0 += begin;
        mark.x1 += begin;
        const bool goes_on =
            !out.levels.empty() && !mark.edge && out.levels.back().x1 >= mark.x0 && out.levels.back().level == mark.level;
        if (goes_on) {
            out.levels.back().x1 = mark.x1;
        } else {
            out.levels.push_back(mark);
        }
    }
    for (ValueStep step : strip.values) {
        if (begin > 0 && step.x < 0) continue;  // the value before the strip is in the one before
        step.x += begin;
        out.values.push_back(step);
    }
    for (const SpanBar& bar : strip.bars) append_bar(bar, begin, out.bars);
}

Refiner::Refiner(Fill fill) : worker_([this, fill = std::move(fill)] { work(fill); }) {}

Refiner::~Refiner() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_one();
    worker_.join();
}

void Refiner::want(const Viewport& view, std::uint64_t now, const std::vector<Wanted>& lanes) {
    Task task{view, now, lanes};
    const std::lock_guard lock(mutex_);
    if (task == wanted_) {
        if (++rested_ == kRestFrames) changed_.notify_one();
        return;
    }
    wanted_ = std::move(task);
    rested_ = 0;
    made_.clear();
    is_made_ = wanted_.lanes.empty();
    progress_ = is_made_ ? 1 : 0;
}

std::shared_ptr<const LanePicture> Refiner::picture(ChannelId lane) const {
    const std::lock_guard lock(mutex_);
    const auto found = made_.find(lane);
    return found == made_.end() ? nullptr : found->second;
}

double Refiner::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

void Refiner::work(const Fill& fill) {
    store::Session session;
    try {
        fill(session);
    } catch (const std::bad_alloc&) {
        return give_up();
    }
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return over_ || (!is_made_ && rested_ >= kRestFrames); });
            if (over_) return;
            task = wanted_;
        }
        try {
            refine(session, task);
        } catch (const std::bad_alloc&) {
            give_up();
        }
    }
}

// What is wanted stays as rough as it is: there is no memory to do better.
void Refiner::give_up() {
    const std::lock_guard lock(mutex_);
    is_made_ = true;
    progress_ = 1;
}

bool Refiner::is_wanted(const Task& task, double done) {
    const std::lock_guard lock(mutex_);
    if (over_ || !(task == wanted_)) return false;
    progress_ = done;
    return true;
}

bool Refiner::refine(const store::Session& session, const Task& task) {
    std::map<ChannelId, LanePicture> pictures;
    LanePicture strip;
    const int width = static_cast<int>(std::ceil(task.view.width()));
    const int step = strip_pixels(session, task.view);
    for (int begin = 0; begin < width; begin += step) {
        const double pixels = std::min<double>(step, task.view.width() - begin);
        const Viewport view = task.view.strip(begin, pixels);
        for (std::size_t i = 0; i < task.lanes.size(); ++i) {
            const double lanes = static_cast<double>(i) / static_cast<double>(task.lanes.size());
            if (!is_wanted(task, (begin + lanes * pixels) / width)) return false;
            const Wanted& wanted = task.lanes[i];
            const store::Lane* lane = session.lane(wanted.id);
            if (lane == nullptr) continue;
            picture_lane_exactly(*lane, view.shifted(-wanted.later), std::min(task.now, wanted.known_until), strip);
            append_strip(strip, static_cast<float>(begin), pictures[wanted.id]);
        }
    }
    std::map<ChannelId, std::shared_ptr<const LanePicture>> made;
    for (const Wanted& wanted : task.lanes) {
        const auto found = pictures.find(wanted.id);
        if (found == pictures.end()) continue;
        fit_value_scale(found->second);
        picture_losses(*session.lane(wanted.id), task.view.shifted(-wanted.later), found->second);
        made[wanted.id] = std::make_shared<const LanePicture>(std::move(found->second));
        pictures.erase(found);
    }
    const std::lock_guard lock(mutex_);
    if (over_ || !(task == wanted_)) return false;
    made_ = std::move(made);
    is_made_ = true;
    progress_ = 1;
    return true;
}

}  // namespace sla::timeline
