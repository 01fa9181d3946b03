#include "emu/access.h"

#include "emu/control/control_path.h"
#include "proto/base/text.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace sla::emu {

Access::Access(machine::Machine& pc, vmm::Vmm& vmm, control::EventStop& events, const symbol::Symbols& symbols,
               snapshot::Subject& subject, machine::StopSignal& stop)
    : vmm_(vmm),
      stop_(stop),
      events_(events),
      console_(pc, vmm, &events, &symbols),
      operators_(stop),
      target_(vmm, console_, stop) {
    console_.save_and_load(subject);
    events.on_near([this](const std::string& awaited) {
        spdlog::warn("{}", awaited);
        if (control_) control_->tell_waiter(awaited);
    });
}

Result<void> Access::open(const RunOptions& options) {
    if (!options.stop_at.empty()) {
        const auto armed = console_.run("stop-at " + options.stop_at);
        if (!armed) return Error{armed.error().code, "--stop-at: " + armed.error().message};
        for (const std::string_view line : split_words(*armed, "\n")) spdlog::warn("--stop-at: {}", line);
    }
    if (auto opened = open_gdb(options); !opened) return opened;
    if (auto opened = open_control(options); !opened) return opened;
    vmm_.on_stop([this](const cpu::StopPoints::Found& found) {
        operators_.stopped(found);
        if (found.why == cpu::StopPoints::Why::kAsked) spdlog::info("{}", trimmed(console_.report(), "\n"));
    });
    vmm_.attend_with([this] { operators_.attend(); });
    if (options.wait) stop_.call_attention();
    return {};
}

Result<void> Access::open_gdb(const RunOptions& options) {
    if (options.gdb.empty()) return {};
    auto listener = gdb::GdbListener::open(options.gdb);
    if (!listener) return listener.error();
    spdlog::info("a debugger may connect: target remote {}", listener->text());
    debugger_ = std::make_unique<gdb::GdbServer>(std::move(listener).value(), target_, stop_, options.wait);
    operators_.add(*debugger_);
    console_.ask_others([this] { return debugger_->holds(); });
    return {};
}

// A run that cannot be controlled is one all the same, unless it shall stop for somebody.
Result<void> Access::open_control(const RunOptions& options) {
    const auto path = control::own_socket_path();
    auto server = path ? control::ControlServer::open(*path, stop_, console_)
                       : Result<std::unique_ptr<control::ControlServer>>(path.error());
    if (!server && !options.stop_at.empty())
        return unavailable("--stop-at: nobody could let the guest go on again: " + server.error().message);
    if (!server) {
        spdlog::info("`sla-emu control` will not reach this run: {}", server.error().message);
        return {};
    }
    control_ = std::move(*server);
    operators_.add(*control_);
    return {};
}

void Access::finish(int exit_code) {
    if (debugger_) debugger_->finish(exit_code);
    if (control_) control_->run_ends();
    if (!events_.armed()) return;
    spdlog::warn("nothing stopped the guest: '{}' did not happen{}", events_.text(),
                 events_.awaited().empty() ? "" : ", and not all channels that it names were there");
}

}  // namespace sla::emu
