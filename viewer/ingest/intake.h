// Intake: takes in what comes on a thread of its own, while the owner of a session looks away.
//
//   owner's thread    ── a frame: looks at the session ──┤ begin()          end() ├── a frame: …
//   intake's thread                                      └─ turn, turn, turn … ─┘
//
// Never both at a time: what a turn touches is the owner's again when end() returns, which waits for the turn that is on its
// way. begin() and end() belong to the owner's thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace sla::ingest {

class Intake {
public:
    // `turn` takes in a little, a batch or so, and says whether there was something; `wait` returns when more has come, or
    // soon, or when `wake` was called from another thread.
    struct Work {
        std::function<bool()> turn;
        std::function<void()> wait;
        std::function<void()> wake;
    };
    explicit Intake(Work work);
    // After end(), or before the first begin().
    ~Intake();
    Intake(const Intake&) = delete;
    Intake& operator=(const Intake&) = delete;

    void begin();
    void end();

private:
    void run();

    const Work work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> may_work_ = false;  // changed with mutex_ held
    bool is_working_ = false;             // guarded by mutex_, as is over_
    bool over_ = false;
    std::thread thread_;
};

}  // namespace sla::ingest
