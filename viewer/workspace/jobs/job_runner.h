// Work beside the frames, on a few threads that the whole window shares and that give way to those that draw and take in. A
// job sees nothing that the window's thread changes: it has values, or a view of a session (store/session_view.h). One that
// runs out of memory ends alone, and the window says so.
//
//   window: start(work) ─► waiting ─► a thread: work(control) ─► window: is_running() no more
//
// Owner: the window's thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sla::store {
class Session;
}

namespace sla::workspace {

class JobRunner {
    struct State;

public:
    // What a job sees of who wants its work.
    class Control {
    public:
        explicit Control(State& state) : state_(state) {}
        [[nodiscard]] bool is_cancelled() const;

    private:
        State& state_;
    };
    using Work = std::function<void(Control&)>;

    // A job that was started. Who lets go of it cancels it; when it runs, that waits until it notices.
    class Job {
    public:
        Job() = default;
        ~Job() { stop(); }
        Job(Job&&) = default;
        Job& operator=(Job&& other) noexcept {
            stop();
            state_ = std::move(other.state_);
            return *this;
        }

        // It was started and has not ended, which it does also when it is cancelled.
        [[nodiscard]] bool is_running() const;
        void cancel();
        // Cancels it and waits for nothing: for work that holds all that it looks at, and does not ask whether it is wanted.
        void leave();
        // Somebody did so.
        [[nodiscard]] bool is_cancelled() const;
        // It ended before its end for want of memory.
        [[nodiscard]] bool ran_out_of_memory() const;

    private:
        friend class JobRunner;
        explicit Job(std::shared_ptr<State> state) : state_(std::move(state)) {}
        void stop();

        std::shared_ptr<State> state_;
    };

    explicit JobRunner(std::size_t threads) : most_threads_(threads) {}
    // Jobs that wait never begin; those that run are cancelled, and waited for.
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    // In the order in which they are started, as many at a time as there are threads; at once on this thread where the system
    // gives none. `what` is for people: "counting widths".
    [[nodiscard]] Job start(std::string what, Work work);
    // At once on this thread, for what no frame notices (is_little); it has ended then.
    [[nodiscard]] Job finish(std::string what, const Work& work);
    // What ran out of memory since the last call.
    [[nodiscard]] std::vector<std::string> take_failures();

    // The window's.
    static JobRunner& shared();

private:
    // `ended` is guarded by `mutex`.
    struct State {
        std::string what;
        Work work;
        std::atomic<bool> cancelled = false;
        std::atomic<bool> ran_out_of_memory = false;
        std::mutex mutex;
        std::condition_variable changed;
        bool ended = false;
    };
    void add_thread();
    void run();
    void do_work(State& state, const Work& work);
    static void end(State& state);

    const std::size_t most_threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<State>> waiting_;  // guarded by mutex_, as are the next four
    std::vector<std::shared_ptr<State>> running_;
    std::vector<std::string> failures_;
    std::size_t idle_ = 0;
    bool over_ = false;
    std::vector<std::thread> threads_;  // started when there is work for them
};

// Walking over all its rows takes a fraction of a millisecond, and no file.
[[nodiscard]] bool is_little(const store::Session& session);

}  // namespace sla::workspace
