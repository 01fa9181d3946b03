// What other threads have for the stepping one: programs that came, or were turned away, marks by hand, requests of clients. Each step takes all.
#pragma once

#include "agent/source/program.h"
#include "agent/stream/session.h"
#include "proto/wire/control.pb.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sla::daemon {

// A mark by hand.
struct HandMark {
    wire::Mark mark;
    std::function<void()> taken;  // whoever sent it may send more
};

class ControlInbox {
public:
    void put(std::shared_ptr<source::Program> program) { put_into(programs_, std::move(program)); }
    void put(HandMark mark) { put_into(marks_, std::move(mark)); }
    void put(stream::ControlRequest request) { put_into(requests_, std::move(request)); }
    void put_turned_away(std::string why) { put_into(turned_away_, std::move(why)); }

    std::vector<std::shared_ptr<source::Program>> take_programs() { return take_from(programs_); }
    std::vector<HandMark> take_marks() { return take_from(marks_); }
    std::vector<stream::ControlRequest> take_requests() { return take_from(requests_); }
    std::vector<std::string> take_turned_away() { return take_from(turned_away_); }

private:
    template <typename T>
    void put_into(std::vector<T>& box, T one) {
        std::lock_guard lock(mutex_);
        box.push_back(std::move(one));
    }
    template <typename T>
    std::vector<T> take_from(std::vector<T>& box) {
        std::lock_guard lock(mutex_);
        return std::exchange(box, {});
    }

    std::mutex mutex_;
    std::vector<std::shared_ptr<source::Program>> programs_;  // under mutex_, as all
    std::vector<HandMark> marks_;
    std::vector<stream::ControlRequest> requests_;
    std::vector<std::string> turned_away_;  // why, each
};

}  // namespace sla::daemon
