// Refiner: makes exact what LanePicture::rough says of a view that rests, on a thread of its own, from a session of its own
// over the same capture.
//
//   view   │ strip │ strip │ …        strip by strip from the left, all lanes of a strip one after the other: they share the
//   lanes  │   ↓   │       │          chunks of the file, which are then read once. A strip is as narrow as it must be for
//                                     its chunks to be held at a time, one pixel at least.
//
// want() and picture() belong to the owner's thread. A view that moves drops what was being made.
#pragma once

#include "proto/base/strong_id.h"
#include "viewer/store/session.h"
#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/viewport.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sla::timeline {

class Refiner {
public:
    // A lane, by how many ticks it is drawn later than it was, and until when it is known, where that is not `now`.
    struct Wanted {
        ChannelId id;
        std::int64_t later = 0;
        std::uint64_t known_until = store::kNever;
        bool operator==(const Wanted&) const = default;
    };
    // Fills a new session with the capture; called once, on the refiner's thread.
    using Fill = std::function<void(store::Session& session)>;

    explicit Refiner(Fill fill);
    ~Refiner();
    Refiner(const Refiner&) = delete;
    Refiner& operator=(const Refiner&) = delete;

    // What is shown now; call once a frame.
    void want(const Viewport& view, std::uint64_t now, const std::vector<Wanted>& lanes);
    // The lane's exact picture in the view wanted last; null while it is not made.
    [[nodiscard]] std::shared_ptr<const LanePicture> picture(ChannelId lane) const;
    // Of the view wanted last: 0 to 1, 1 when all is exact.
    [[nodiscard]] double progress() const;

private:
    struct Task {
        Viewport view;
        std::uint64_t now = 0;
        std::vector<Wanted> lanes;
        bool operator==(const Task&) const = default;
    };
    void work(const Fill& fill);
    // False when something else is wanted meanwhile.
    bool refine(const store::Session& session, const Task& task);
    void give_up();
    bool is_wanted(const Task& task, double done);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Task wanted_;
    int rested_ = 0;  // frames for which it has been the same
    std::map<ChannelId, std::shared_ptr<const LanePicture>> made_;
    bool is_made_ = true;
    double progress_ = 1;
    bool over_ = false;
    std::thread worker_;
};

// Appends the picture of a strip of the view that begins at pixel `begin`; strips come from the left.
void append_strip(const LanePicture& strip, float begin, LanePicture& out);

}  // namespace sla::timeline
