// The channels of the machine monitor: what the emulated PC does for its guest, and when. Details are the guest's CS:EIP
// wherever it is known.
//
//   vmm.exit.REASON  span   the guest stands still: timer window hlt int exception port mmio cpuid msr tsc counter hypercall
//   vmm.irq.request  tick   the interrupt controller raises INTR
//   vmm.irq.window   tick   the CPU can take interrupts at last; value: how many ns after the request
//   vmm.inject       tick   a handler is entered; value: the vector
//   vmm.irq.ack      tick   the interrupt controller is asked for the vector; value: the vector
//   vmm.irq.eoi      tick   the handler is done with it; value: the IRQ
//   cpu.mode         text   real, protected, paged, virtual 8086
//   cpu.reset        text   the guest starts again: port 92h, the keyboard controller, port CF9h, triple fault
//   vmm.timer.set    tick   a chip wants to be called; value: in how many ns
//   vmm.timer.fire   tick   it is called; value: how many ns late
//   msr.read, msr.write   tick   value: the register's; detail: its number
//   pin.pm0, pin.pm1      tick   a performance counter signals; value: by how many it grew, or 1 for an overflow
//   pmc.ctr0, pmc.ctr1    value  the counter itself, whenever its pin signals: each increment, or each overflow
//   pmc.sample       tick   every so many events; value: EIP
//   pmc.note         text   a counter was set to something this CPU does not offer
//   cpu.symbol       text   the function that an event is in, where symbols were given (symbol_sink.h)
//   guest.NAME       as the guest says: its own markers (emu/vmm/guest_markers.h)
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/code_address.h"
#include "emu/bus/state_visitor.h"
#include "emu/tap/sink.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::tap {

enum class ExitKind {
    kTimer,
    kWindow,
    kHalt,
    kInt,
    kException,
    kPort,
    kMmio,
    kCpuid,
    kMsr,
    kTsc,
    kCounter,
    kHypercall,
    kCount
};

class VmmTap {
public:
    explicit VmmTap(Sink& sink) : sink_(sink) {}

    static std::string exit_name(ExitKind reason);
    void exit_begins(ExitKind reason, const bus::CodeAddress& at);
    void exit_ends(ExitKind reason);
    [[nodiscard]] bool wants(ExitKind reason) { return sink_.listens(exit_channel(reason)); }
    // Of accesses to ports port_tap.h describes.
    ChannelId exit_channel(ExitKind reason);

    void requested(const bus::CodeAddress& at);
    void window_opened(bus::Nanoseconds waited, const bus::CodeAddress& at);
    void injected(std::uint8_t vector, const bus::CodeAddress& from);
    void acknowledged(std::uint8_t vector, const bus::CodeAddress& at);
    void ended(unsigned irq, const bus::CodeAddress& at);

    void mode(std::string_view name);
    void reset(std::string_view by);
    void timer_set(bus::Nanoseconds in);
    void timer_fired(bus::Nanoseconds late);
    void msr(bool write, std::uint32_t number, std::uint64_t value, const bus::CodeAddress& at);
    void pin(unsigned counter, std::uint64_t by, const bus::CodeAddress& at);
    void counter(unsigned counter, std::uint64_t value, const bus::CodeAddress& at);
    void sample(const bus::CodeAddress& at);
    void note(const std::string& text);

    // The guest's own channels, by number; the number of one that is open. Names and texts are those of guest_text.h.
    [[nodiscard]] std::optional<std::size_t> guest_channel(const std::string& name) const;
    std::size_t open_guest_channel(const std::string& name);
    [[nodiscard]] std::size_t guest_channels() const { return guest_.size(); }
    void guest_event(std::size_t channel, sla_code code, std::uint64_t value, const bus::CodeAddress& at);
    void guest_text(std::size_t channel, const std::string& text);
    // Names of those that have spans open, as often as they have.
    [[nodiscard]] std::vector<std::string> open_guest_spans() const;
    // Which there are, and what is open; loading opens those that nobody had before.
    void visit_state(bus::StateVisitor& state);

private:
    using Slot = std::optional<ChannelId>;

    static constexpr std::uint16_t kMostOpen = 1024;  // of a channel; more that never end are not counted

    void keep_guest_channels(std::size_t count);
    ChannelId channel_of(Slot& slot, const char* name, const char* format);
    void tick(Slot& slot, const char* name, std::uint64_t value, const bus::CodeAddress& at, std::uint64_t detail = 0);

    Sink& sink_;
    std::array<Slot, static_cast<std::size_t>(ExitKind::kCount)> exits_;
    Slot request_, window_, inject_, acknowledge_, end_, mode_, reset_, timer_set_, timer_fired_, msr_read_, msr_write_,
        sample_, note_;
    std::array<Slot, 2> pins_;
    std::array<Slot, 2> counters_;
    std::vector<ChannelId> guest_;
    std::vector<std::string> guest_names_;
    std::vector<std::uint16_t> guest_spans_;   // that are open
    std::map<std::string, ChannelId> opened_;  // by names, all that a guest ever had: another guest, or the same one again
};

}  // namespace sla::tap
