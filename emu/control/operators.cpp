#include "emu/control/operators.h"

#include <poll.h>

#include <algorithm>

namespace sla::control {

bool Operators::hold() const {
    return std::any_of(all_.begin(), all_.end(), [](const Operator* one) { return one->holds(); });
}

void Operators::stopped(const cpu::StopPoints::Found& found) {
    bool taken = false;
    for (Operator* one : all_) taken = one->stopped(found, taken) || taken;
}

void Operators::attend() {
    for (;;) {
        signal_.take_attention();
        for (Operator* one : all_) one->serve();
        if (!hold() || signal_.requested()) return;
        pollfd called{signal_.descriptor(), POLLIN, 0};
        ::poll(&called, 1, -1);
    }
}

}  // namespace sla::control
