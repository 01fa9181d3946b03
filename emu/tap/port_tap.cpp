#include "emu/tap/port_tap.h"

#include "emu/tap/format.h"

namespace sla::tap {

void PortTap::make(Plan& plan, unsigned device, const bus::PortTable& ports) {
    plan.made = true;
    plan.of_ways = ways_ == nullptr ? 0 : *ways_;
    plan.port = Way(sink_, tap_.port_channel(device, ports.device_name(device)));
    plan.exit = Way(sink_, vmm_tap_.exit_channel(ExitKind::kPort));
}

void PortTap::begin_out(const Access& access, const PortEvent& event, const bus::CodeAddress& at) {
    const std::uint64_t place = pack(at);
    if (share_a_stamp(access)) {
        const std::uint64_t now = sla_now();
        access.plan_.port.wide_at(now, SLA_CODE_TICK_VALUE, event.value, pack(event), place);
        access.plan_.exit.wide_at(now + 1, SLA_CODE_BEGIN, 0, 0, place);
        return;
    }
    if (access.accesses_) access.plan_.port.wide(sink_, SLA_CODE_TICK_VALUE, event.value, pack(event), place);
    if (access.exits_) access.plan_.exit.wide(sink_, SLA_CODE_BEGIN, 0, 0, place);
}

void PortTap::end_out(const Access& access) {
    if (access.exits_) access.plan_.exit.wide(sink_, SLA_CODE_END, 0, 0, 0);
}

void PortTap::begin_in(const Access& access, const bus::CodeAddress& at) {
    if (access.exits_) access.plan_.exit.wide(sink_, SLA_CODE_BEGIN, 0, 0, pack(at));
}

void PortTap::end_in(const Access& access, const PortEvent& event, const bus::CodeAddress& at) {
    if (share_a_stamp(access)) {
        const std::uint64_t now = sla_now();
        access.plan_.exit.wide_at(now, SLA_CODE_END, 0, 0, 0);
        access.plan_.port.wide_at(now + 1, SLA_CODE_TICK_VALUE, event.value, pack(event), pack(at));
        return;
    }
    end_out(access);
    if (access.accesses_) access.plan_.port.wide(sink_, SLA_CODE_TICK_VALUE, event.value, pack(event), pack(at));
}

}  // namespace sla::tap
