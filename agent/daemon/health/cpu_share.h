// How much of one core this process used lately. The kernel counts in steps of some milliseconds, so what is measured over
// less than kMinSeconds is no share: the one before stands.
#pragma once

namespace sla::daemon {

class CpuShare {
public:
    static constexpr double kMinSeconds = 0.1;

    // `used`: seconds of CPU time since the process began; `now`: of any clock.
    double observe(double now, double used) {
        if (!began_) {
            began_ = true;
            begin_ = now;
            used_ = used;
        }
        if (now - begin_ < kMinSeconds) return share_;
        share_ = (used - used_) / (now - begin_);
        begin_ = now;
        used_ = used;
        return share_;
    }

private:
    bool began_ = false;
    double begin_ = 0;
    double used_ = 0;
    double share_ = 0;
};

}  // namespace sla::daemon
