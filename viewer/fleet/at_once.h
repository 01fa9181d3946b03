// Many questions to servers, some of them on their way at a time: most of the time of each is waiting. Private to the room.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sla::fleet {

// work(i, goes_on) for every i below `count`, in no order, on so many threads at most, of which the caller's is one. `ask` (may
// be empty) is only asked there: false stops them all, which they notice by goes_on(). True: nothing was left out. What
// one throws is thrown again when all have ended.
template <typename Work>
bool each_at_once(std::size_t count, std::size_t most, const std::function<bool()>& ask, Work work) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> is_over = false;
    std::mutex mutex;
    std::exception_ptr thrown;  // the first; under mutex
    const auto run = [&](const std::function<bool()>& goes_on) {
        try {
            while (goes_on()) {
                const std::size_t i = next++;
                if (i >= count) return;
                work(i, goes_on);
            }
        } catch (...) {
            is_over = true;
            const std::lock_guard lock(mutex);
            if (thrown == nullptr) thrown = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(most);
    try {
        while (threads.size() + 1 < most && threads.size() + 1 < count)
            threads.emplace_back([&] { run([&] { return !is_over; }); });
    } catch (const std::exception&) {  // no threads or no memory for more: fewer will do
    }
    run([&] {
        if (ask && !is_over && !ask()) is_over = true;
        return !is_over;
    });
    for (std::thread& thread : threads) thread.join();
    if (thrown != nullptr) std::rethrow_exception(thrown);
    return !is_over;
}

}  // namespace sla::fleet
