#include "emu/device/timer/pit8254.h"

#include <utility>

namespace sla::device {

namespace {

constexpr std::uint8_t kReadBack = 3;

}  // namespace

Pit8254::Pit8254(bus::EventQueue& events, bus::IrqLine irq)
    : events_(events),
      irq_(irq),
      timer_(events.add_timer([this](bus::Nanoseconds due) { on_edge(due); }, bus::irq_line_bit(irq.number()))) {}

bool Pit8254::output(unsigned counter) {
    counters_[counter].advance(ticks_now());
    return counters_[counter].output(ticks_now());
}

void Pit8254::set_gate(unsigned counter, bool high) {
    counters_[counter].set_gate(ticks_now(), high);
    if (counter == 0) follow_counter0(ticks_now());
}

std::uint32_t Pit8254::read_port(std::uint16_t port, bus::Width) {
    if (port == kControlPort) return 0xFF;
    return counters_[port - kFirstPort].read(ticks_now());
}

void Pit8254::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    const auto byte = static_cast<std::uint8_t>(value);
    if (port == kControlPort) return write_control(byte);
    const unsigned counter = port - kFirstPort;
    counters_[counter].write_count(ticks_now(), byte);
    if (counter == 0) follow_counter0(ticks_now());
}

void Pit8254::write_control(std::uint8_t control) {
    const unsigned counter = control >> 6;
    if (counter == kReadBack) return read_back(control);
    if ((control & 0x30) == 0) return counters_[counter].latch_count(ticks_now());
    counters_[counter].write_control(ticks_now(), control);
    if (counter == 0) follow_counter0(ticks_now());
}

void Pit8254::read_back(std::uint8_t command) {
    for (unsigned counter = 0; counter < counters_.size(); ++counter) {
        if ((command >> (counter + 1) & 1) == 0) continue;
        if ((command & 0x20) == 0) counters_[counter].latch_count(ticks_now());
        if ((command & 0x10) == 0) counters_[counter].latch_status(ticks_now());
    }
}

void Pit8254::follow_counter0(Pit8254Counter::Tick at) {
    counters_[0].advance(at);
    irq_.set(counters_[0].output(at));
    if (const auto edge = counters_[0].next_edge(at)) {
        events_.arm(timer_, input_.time_of(*edge));
    } else {
        events_.disarm(timer_);
    }
}

void Pit8254::on_edge(bus::Nanoseconds due) {
    follow_counter0(input_.ticks_at(due));
    if (events_.now() - due <= kMaxLag) return;
    if (const auto edge = counters_[0].next_edge(ticks_now())) events_.arm(timer_, input_.time_of(*edge));
}

void Pit8254::visit_state(bus::StateVisitor& state) {
    state.section("pit");
    if (state.shows()) {
        show_counters(state);
    } else {
        state.parts("counter", counters_);
    }
    events_.visit_timer(state, timer_);
}

// Who looks sees the present time: it is worked out for copies.
void Pit8254::show_counters(bus::StateVisitor& state) const {
    const Pit8254Counter::Tick now = input_.ticks_at(events_.now() + state.ahead());
    auto counters = counters_;
    for (Pit8254Counter& counter : counters) counter.advance(now);
    state.parts("counter", counters);
    for (std::size_t i = 0; i < counters.size(); ++i) {
        state.part(bus::StateVisitor::numbered("counter", i), [&] { counters[i].show_now(state, now); });
    }
}

}  // namespace sla::device
