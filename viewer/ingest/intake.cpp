#include "viewer/ingest/intake.h"

#include <utility>

namespace sla::ingest {

Intake::Intake(Work work) : work_(std::move(work)), thread_([this] { run(); }) {}

Intake::~Intake() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        may_work_ = false;
    }
    changed_.notify_all();
    work_.wake();
    thread_.join();
}

void Intake::begin() {
    {
        const std::lock_guard lock(mutex_);
        may_work_ = true;
    }
    changed_.notify_all();
}

void Intake::end() {
    std::unique_lock lock(mutex_);
    may_work_ = false;
    if (!is_working_) return;
    work_.wake();
    changed_.wait(lock, [this] { return !is_working_; });
}

void Intake::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return over_ || may_work_; });
        if (over_) return;
        is_working_ = true;
        lock.unlock();
        while (may_work_) {
            if (!work_.turn() && may_work_) work_.wait();
        }
        lock.lock();
        is_working_ = false;
        changed_.notify_all();
    }
}

}  // namespace sla::ingest
