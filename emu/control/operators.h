// Those who may stop the guest and look into it while it runs: the control socket, a debugger. The machine's thread comes by
// when one of them calls attention or the guest stopped by itself, and stays until none holds the guest any more.
//
//   Vmm ── found a stop point, or is called ──► attend(): serve() all ──► one holds? wait for the signal, serve() again
#pragma once

#include "emu/cpu/stop_points.h"
#include "emu/machine/stop_signal.h"

#include <vector>

namespace sla::control {

class Operator {
public:
    virtual ~Operator() = default;

    // The guest stands still: what waits is done now.
    virtual void serve() = 0;
    // The guest shall not go on.
    [[nodiscard]] virtual bool holds() const = 0;
    // The guest stopped by itself; `taken`: one before holds it for that. True: so does this one.
    virtual bool stopped(const cpu::StopPoints::Found& found, bool taken) = 0;
};

class Operators {
public:
    explicit Operators(machine::StopSignal& signal) : signal_(signal) {}

    // The last is the one for stops that nobody waited for. They outlive the run.
    void add(Operator& more) { all_.push_back(&more); }
    void stopped(const cpu::StopPoints::Found& found);
    // Until none holds it, or the run shall end.
    void attend();

private:
    [[nodiscard]] bool hold() const;

    machine::StopSignal& signal_;
    std::vector<Operator*> all_;
};

}  // namespace sla::control
