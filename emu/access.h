// Who may stop a run and look into it: the control socket, a debugger, a trigger. Dies before the Vmm.
#pragma once

#include "emu/control/console.h"
#include "emu/control/control_server.h"
#include "emu/control/event_stop.h"
#include "emu/control/operators.h"
#include "emu/gdb/gdb_server.h"
#include "emu/gdb/vmm_target.h"
#include "emu/machine/stop_signal.h"
#include "emu/run_options.h"
#include "emu/vmm/vmm.h"
#include "proto/base/result.h"

#include <memory>
#include <string>
#include <utility>

namespace sla::emu {

class Access {
public:
    Access(machine::Machine& pc, vmm::Vmm& vmm, control::EventStop& events, const symbol::Symbols& symbols,
           snapshot::Subject& subject, machine::StopSignal& stop);

    // What goes back for those who ask, and why nothing does.
    void go_back_by(history::History* history, std::string why_not) { console_.go_back_by(history, std::move(why_not)); }
    Result<void> open(const RunOptions& options);
    // The run is over.
    void finish(int exit_code);

private:
    Result<void> open_gdb(const RunOptions& options);
    Result<void> open_control(const RunOptions& options);

    vmm::Vmm& vmm_;
    machine::StopSignal& stop_;
    control::EventStop& events_;
    control::Console console_;
    control::Operators operators_;
    gdb::VmmTarget target_;
    std::unique_ptr<gdb::GdbServer> debugger_;
    std::unique_ptr<control::ControlServer> control_;
};

}  // namespace sla::emu
