// From the retention into the spool, on a thread of its own: one more reader, which never makes anybody wait.
//
// When the spool is full, or the disk, it stops reading. The retention then gives old batches up in its own time, and says,
// channel by channel, how many events this reader did not get: that gap goes into the stream like any other row, and is
// counted as dropped.
#pragma once

#include "agent/publish/spool_writer.h"
#include "agent/retain/retention.h"
#include "proto/fleet/registry.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sla::publish {

class Recording {
public:
    struct Calls {
        std::function<void(const std::string&)> say;  // what people should know
        std::function<void()> wake;                   // something new can be published
        std::function<std::uint64_t()> memory;        // that the publisher holds beside
    };
    Recording(Spool& spool, const std::string& capture, retain::Retention& retention, Calls calls);
    ~Recording();

    void start();
    // After Retention::finish: all that it held is in the spool, or counted as dropped.
    // The spool has so long to get space. Of a retention that is not finished (an agent that could not start) what it has.
    void join(std::chrono::milliseconds wait_for_space = std::chrono::seconds(5));

    struct State {
        std::uint64_t pieces = 0;
        bool has_ended = false;
        std::uint64_t events = 0;   // in the spool, ever
        std::uint64_t dropped = 0;  // that the spool had no space for
        // Of these, and of what programs lost, what no row in the spool tells of: the disk took nothing more until the end.
        std::uint64_t lost_at_end = 0;
        std::string problem;  // why nothing goes into it now
        double ticks_per_second = 0;
        fleet::ClockReading clock;
        std::string clock_health;
    };
    State state();

private:
    using Time = SpoolWriter::Time;
    void run();
    [[nodiscard]] std::chrono::milliseconds wait_after(Time last_flush) const;
    [[nodiscard]] bool fits() const;
    bool has_space(Time now);
    bool read_some(Time now);
    void finish_writing();
    [[nodiscard]] bool is_over(Time now);
    void look_at(const retain::Delivery& delivery);
    void try_to_mend(Time now);
    void report_space(bool has_some);
    void report_removal();
    void drop_rest();
    void publish_state(bool has_ended);

    Spool& spool_;
    retain::Retention& retention_;
    Calls calls_;
    SpoolWriter writer_;
    retain::Cursor cursor_;
    bool is_at_end_ = false;
    bool is_full_ = false;
    bool has_said_full_ = false;
    std::optional<Time> end_;  // since it is to end: when nothing more is waited for
    std::uint64_t dropped_at_end_ = 0;
    Time next_try_;
    Time next_look_;           // for room that somebody made in a full spool
    unsigned made_again_ = 0;  // the spool's folder, as was reported
    std::string reported_;     // the last failure of the disk that was reported
    State next_;               // the thread's
    std::mutex mutex_;
    State state_;                                  // under mutex_
    std::chrono::milliseconds wait_for_space_{0};  // written before is_ending_
    std::atomic<bool> is_ending_{false};
    std::thread thread_;
};

}  // namespace sla::publish
