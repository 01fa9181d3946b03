#include "viewer/workspace/jobs/job_runner.h"

#include "viewer/store/session.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace sla::workspace {

namespace {

constexpr int kNiceness = 10;
constexpr std::uint64_t kLittle = 20'000;  // rows
constexpr std::size_t kShared = 4;         // threads: statistics and pairs do not wait for a search and an export

}  // namespace

bool JobRunner::Control::is_cancelled() const {
    return state_.cancelled;
}

bool JobRunner::Job::is_running() const {
    if (state_ == nullptr) return false;
    const std::lock_guard lock(state_->mutex);
    return !state_->ended;
}

void JobRunner::Job::cancel() {
    if (state_ != nullptr) state_->cancelled = true;
}

void JobRunner::Job::leave() {
    cancel();
    state_.reset();
}

bool JobRunner::Job::is_cancelled() const {
    return state_ != nullptr && state_->cancelled;
}

bool JobRunner::Job::ran_out_of_memory() const {
    return state_ != nullptr && state_->ran_out_of_memory;
}

void JobRunner::Job::stop() {
    if (state_ == nullptr) return;
    state_->cancelled = true;
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [this] { return state_->ended || state_->work != nullptr; });
}

JobRunner::~JobRunner() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        for (const auto& state : running_) state->cancelled = true;
        for (const auto& state : std::exchange(waiting_, {})) end(*state);
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

JobRunner::Job JobRunner::start(std::string what, Work work) {
    auto state = std::make_shared<State>();
    state->what = std::move(what);
    state->work = std::move(work);
    {
        const std::lock_guard lock(mutex_);
        if (idle_ <= waiting_.size() && threads_.size() < most_threads_) add_thread();
        if (!threads_.empty()) {
            waiting_.push_back(state);
            changed_.notify_one();
            return Job(std::move(state));
        }
    }
    return finish(std::move(state->what), state->work);
}

void JobRunner::add_thread() {
    try {
        threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // this user, or this container, may have no more
    }
}

std::vector<std::string> JobRunner::take_failures() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failures_, {});
}

void JobRunner::end(State& state) {
    {
        const std::lock_guard lock(state.mutex);
        state.ended = true;
    }
    state.changed.notify_all();
}

JobRunner::Job JobRunner::finish(std::string what, const Work& work) {
    auto state = std::make_shared<State>();
    state->what = std::move(what);
    do_work(*state, work);
    state->ended = true;
    return Job(std::move(state));
}

void JobRunner::do_work(State& state, const Work& work) {
    Control control(state);
    try {
        if (!state.cancelled) work(control);
        return;
    } catch (const std::bad_alloc&) {
        state.ran_out_of_memory = true;
    }
    const std::lock_guard lock(mutex_);
    failures_.push_back(state.what);
}

void JobRunner::run() {
    // Of this thread alone. Where it may not, it works as all others.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        --idle_;
        if (over_) return;
        const std::shared_ptr<State> state = std::move(waiting_.front());
        waiting_.pop_front();
        running_.push_back(state);
        lock.unlock();
        Work work;
        {
            const std::lock_guard of_state(state->mutex);
            work = std::exchange(state->work, nullptr);
        }
        do_work(*state, work);
        work = nullptr;  // what it holds goes before anybody learns of its end
        end(*state);
        lock.lock();
        std::erase(running_, state);
    }
}

bool is_little(const store::Session& session) {
    return session.page_source() == nullptr && session.events() <= kLittle;
}

JobRunner& JobRunner::shared() {
    static JobRunner runner(kShared);
    return runner;
}

}  // namespace sla::workspace
