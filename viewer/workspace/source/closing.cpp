#include "viewer/workspace/source/closing.h"

#include <atomic>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace sla::workspace {
namespace {

// A thread for each, which is few: what a window opened and closes.
class Closer {
public:
    ~Closer() {
        for (Closing& one : closings_) one.thread.join();
    }
    void close(std::shared_ptr<void> last) {
        const std::lock_guard lock(mutex_);
        closings_.remove_if([](Closing& one) {
            if (one.is_over) one.thread.join();
            return one.is_over.load();
        });
        Closing& mine = closings_.emplace_back();
        try {
            mine.thread = std::thread([&mine, &last] {
                std::shared_ptr<void> own = std::move(last);
                mine.has_it = true;
                mine.has_it.notify_one();
                own.reset();
                mine.is_over = true;
            });
        } catch (const std::system_error&) {  // no more threads: here, then
            closings_.pop_back();
            return;
        }
        mine.has_it.wait(false);
    }

private:
    struct Closing {
        std::thread thread;
        std::atomic<bool> has_it = false;
        std::atomic<bool> is_over = false;
    };
    std::mutex mutex_;
    std::list<Closing> closings_;
};

}  // namespace

void close_beside(std::shared_ptr<void> last) {
    static Closer closer;
    if (last != nullptr) closer.close(std::move(last));
}

}  // namespace sla::workspace
