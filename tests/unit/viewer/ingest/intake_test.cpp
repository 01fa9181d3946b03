// Taking in beside the owner's thread: never both at a time, and nothing before begin() or after end().
#include "viewer/ingest/intake.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace sla::ingest {
namespace {

// Gives so many batches; who waits for one more waits until it is woken.
class Batches {
public:
    [[nodiscard]] Intake::Work work() {
        return {[this] { return take(); }, [this] { wait(); }, [this] { wake(); }};
    }
    void add(int batches) {
        {
            const std::lock_guard lock(mutex_);
            waiting_ += batches;
        }
        changed_.notify_all();
    }
    int left() {
        const std::lock_guard lock(mutex_);
        return waiting_;
    }
    int taken = 0;  // no lock: the intake's or the owner's, by turns (the thread sanitizer looks on)

private:
    bool take() {
        const std::lock_guard lock(mutex_);
        if (waiting_ == 0) return false;
        --waiting_;
        ++taken;
        return true;
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_woken_ || waiting_ > 0; });
        is_woken_ = false;
    }
    void wake() {
        {
            const std::lock_guard lock(mutex_);
            is_woken_ = true;
        }
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int waiting_ = 0;
    bool is_woken_ = false;
};

TEST(Intakes, TakeInWhileTheOwnerRests) {
    Batches batches;
    Intake intake(batches.work());
    int given = 0;
    for (int frame = 0; frame < 200; ++frame) {
        batches.add(frame % 7);
        given += frame % 7;
        intake.begin();
        if (frame % 3 == 0) {
            while (batches.left() > 0) std::this_thread::yield();  // ends: they are taken
        }
        intake.end();
        const int seen = batches.taken;
        EXPECT_EQ(seen + batches.left(), given);
        std::this_thread::yield();
        EXPECT_EQ(batches.taken, seen) << "the owner looks at it";
    }
    EXPECT_GT(batches.taken, 0);
}

TEST(Intakes, DoNothingUnlessTheyMay) {
    Batches batches;
    {
        Intake intake(batches.work());
        batches.add(5);
        for (int i = 0; i < 1000; ++i) std::this_thread::yield();
        intake.end();  // was never begun
    }
    EXPECT_EQ(batches.taken, 0);
}

TEST(Intakes, EndThoughTheyWaitForMore) {
    Batches batches;
    Intake intake(batches.work());
    for (int i = 0; i < 100; ++i) {
        intake.begin();
        std::this_thread::yield();
        intake.end();
    }
    EXPECT_EQ(batches.taken, 0);
}

}  // namespace
}  // namespace sla::ingest
