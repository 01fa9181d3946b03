#include "emu/tap/vmm_tap.h"

#include "emu/tap/format.h"
#include "emu/tap/guest_text.h"

#include <algorithm>

namespace sla::tap {

namespace {

constexpr std::array<const char*, static_cast<std::size_t>(ExitKind::kCount)> kExitNames{
    "vmm.exit.timer", "vmm.exit.window", "vmm.exit.hlt", "vmm.exit.int", "vmm.exit.exception", "vmm.exit.port",
    "vmm.exit.mmio",  "vmm.exit.cpuid",  "vmm.exit.msr", "vmm.exit.tsc", "vmm.exit.counter",   "vmm.exit.hypercall"};

}  // namespace

ChannelId VmmTap::channel_of(Slot& slot, const char* name, const char* format) {
    if (!slot) slot = sink_.open(name, format);
    return *slot;
}

ChannelId VmmTap::exit_channel(ExitKind reason) {
    const auto index = static_cast<std::size_t>(reason);
    return channel_of(exits_[index], kExitNames[index], kAddressFormat);
}

void VmmTap::tick(Slot& slot, const char* name, std::uint64_t value, const bus::CodeAddress& at, std::uint64_t detail) {
    sink_.wide(channel_of(slot, name, kAddressFormat), SLA_CODE_TICK_VALUE, value, detail, pack(at));
}

std::string VmmTap::exit_name(ExitKind reason) {
    return kExitNames[static_cast<std::size_t>(reason)];
}

void VmmTap::exit_begins(ExitKind reason, const bus::CodeAddress& at) {
    sink_.wide(exit_channel(reason), SLA_CODE_BEGIN, 0, 0, pack(at));
}

void VmmTap::exit_ends(ExitKind reason) {
    sink_.wide(exit_channel(reason), SLA_CODE_END, 0, 0, 0);
}

void VmmTap::requested(const bus::CodeAddress& at) {
    tick(request_, "vmm.irq.request", 0, at);
}

void VmmTap::window_opened(bus::Nanoseconds waited, const bus::CodeAddress& at) {
    tick(window_, "vmm.irq.window", static_cast<std::uint64_t>(waited), at);
}

void VmmTap::injected(std::uint8_t vector, const bus::CodeAddress& from) {
    tick(inject_, "vmm.inject", vector, from);
}

void VmmTap::acknowledged(std::uint8_t vector, const bus::CodeAddress& at) {
    tick(acknowledge_, "vmm.irq.ack", vector, at);
}

void VmmTap::ended(unsigned irq, const bus::CodeAddress& at) {
    tick(end_, "vmm.irq.eoi", irq, at);
}

void VmmTap::mode(std::string_view name) {
    sink_.text(channel_of(mode_, "cpu.mode", kNoFormat), std::string(name));
}

void VmmTap::reset(std::string_view by) {
    sink_.text(channel_of(reset_, "cpu.reset", kNoFormat), std::string(by));
}

void VmmTap::timer_set(bus::Nanoseconds in) {
    sink_.plain(channel_of(timer_set_, "vmm.timer.set", kNoFormat), SLA_CODE_TICK_VALUE,
                static_cast<std::uint64_t>(std::max<bus::Nanoseconds>(in, 0)));
}

void VmmTap::timer_fired(bus::Nanoseconds late) {
    sink_.plain(channel_of(timer_fired_, "vmm.timer.fire", kNoFormat), SLA_CODE_TICK_VALUE,
                static_cast<std::uint64_t>(late));
}

void VmmTap::msr(bool write, std::uint32_t number, std::uint64_t value, const bus::CodeAddress& at) {
    tick(write ? msr_write_ : msr_read_, write ? "msr.write" : "msr.read", value, at, number);
}

void VmmTap::pin(unsigned counter, std::uint64_t by, const bus::CodeAddress& at) {
    tick(pins_[counter], counter == 0 ? "pin.pm0" : "pin.pm1", by, at);
}

void VmmTap::counter(unsigned counter, std::uint64_t value, const bus::CodeAddress& at) {
    const ChannelId to = channel_of(counters_[counter], counter == 0 ? "pmc.ctr0" : "pmc.ctr1", kAddressFormat);
    sink_.wide(to, SLA_CODE_VALUE_UNSIGNED, value, 0, pack(at));
}

void VmmTap::sample(const bus::CodeAddress& at) {
    tick(sample_, "pmc.sample", at.offset, at);
}

void VmmTap::note(const std::string& text) {
    sink_.text(channel_of(note_, "pmc.note", kNoFormat), text);
}

std::optional<std::size_t> VmmTap::guest_channel(const std::string& name) const {
    const auto found = std::find(guest_names_.begin(), guest_names_.end(), name);
    if (found == guest_names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - guest_names_.begin());
}

std::size_t VmmTap::open_guest_channel(const std::string& name) {
    auto known = opened_.find(name);
    if (known == opened_.end()) known = opened_.emplace(name, sink_.open("guest." + name, kAddressFormat)).first;
    guest_.push_back(known->second);
    guest_names_.push_back(name);
    guest_spans_.push_back(0);
    return guest_.size() - 1;
}

void VmmTap::guest_event(std::size_t channel, sla_code code, std::uint64_t value, const bus::CodeAddress& at) {
    std::uint16_t& open = guest_spans_[channel];
    if ((code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE) && open < kMostOpen) ++open;
    if ((code == SLA_CODE_END || code == SLA_CODE_END_VALUE) && open > 0) --open;
    sink_.wide(guest_[channel], code, value, 0, pack(at));
}

std::vector<std::string> VmmTap::open_guest_spans() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < guest_.size(); ++i) names.insert(names.end(), guest_spans_[i], "guest." + guest_names_[i]);
    return names;
}

void VmmTap::guest_text(std::size_t channel, const std::string& text) {
    sink_.text(guest_[channel], text);
}

void VmmTap::visit_state(bus::StateVisitor& state) {
    std::uint64_t count = guest_names_.size();
    state.field("channels", count, kMaxGuestChannels);
    if (state.loads() && count < guest_names_.size()) {
        keep_guest_channels(static_cast<std::size_t>(count));
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::uint8_t> name;
        if (i < guest_names_.size()) name.assign(guest_names_[i].begin(), guest_names_[i].end());
        state.list(bus::StateVisitor::numbered("channel", i), name, kMaxGuestName);
        if (!state.loads()) continue;
        const std::string wanted(name.begin(), name.end());
        if (i < guest_names_.size() && guest_names_[i] == wanted) continue;
        keep_guest_channels(i);
        open_guest_channel(wanted);
    }
    const bool are_known = state.optional_section("guest_spans");
    for (std::size_t i = 0; i < guest_spans_.size(); ++i) {
        if (are_known) {
            state.field(bus::StateVisitor::numbered("open", i), guest_spans_[i], kMostOpen);
        } else {
            guest_spans_[i] = 0;
        }
    }
}

void VmmTap::keep_guest_channels(std::size_t count) {
    guest_.resize(count);
    guest_names_.resize(count);
    guest_spans_.resize(count);
}

}  // namespace sla::tap
