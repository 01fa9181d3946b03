#include "emu/machine/machine.h"

#include "emu/machine/cmos_setup.h"

namespace sla::machine {

namespace {

constexpr bus::Nanoseconds kPulse = 1'000'000;

enum Irq : unsigned {
    kTimerIrq = 0,
    kKeyboardIrq = 1,
    kCom2Irq = 3,
    kCom1Irq = 4,
    kFloppyIrq = 6,
    kClockIrq = 8,
    kDiskIrq = 14,
};

// MSR 1Bh
constexpr std::uint64_t kFirstProcessor = 1U << 8;
constexpr std::uint64_t kApicOn = 1U << 11;
constexpr std::uint64_t kApicAddress = 0xFFFFF000;

bool is_apic_base(std::uint64_t value) {
    return (value & ~(kFirstProcessor | kApicOn | kApicAddress)) == 0;
}

// None: it is off, or memory is there.
std::optional<std::uint32_t> lapic_address(std::uint64_t apic_base, const bus::Memory& memory) {
    const auto address = static_cast<std::uint32_t>(apic_base & kApicAddress);
    const bool is_there = (apic_base & kApicOn) != 0 && memory.at(address, 1).empty();
    return is_there ? std::optional(address) : std::nullopt;
}

}  // namespace

Machine::Machine(bus::Clock& clock, std::size_t ram_bytes, std::int64_t power_on)
    : clock_(clock),
      events_(clock),
      memory_(ram_bytes),
      lapic_(events_),
      ioapic_(lapic_),
      irqs_(pic_, ioapic_),
      pit_(events_, bus::IrqLine(irqs_, kTimerIrq)),
      system_control_(pit_, a20_,
                      [this] {
                          pulled_ = {Line::kResetCpu, Puller::kPort92};
                      }),
      rtc_(events_, bus::IrqLine(irqs_, kClockIrq), power_on),
      dma_(memory_),
      keyboard_(events_, bus::IrqLine(irqs_, kKeyboardIrq),
                {a20_,
                 [this] {
                     pulled_ = {Line::kResetCpu, Puller::kKeyboard};
                 }}),
      com1_(events_, bus::IrqLine(irqs_, kCom1Irq), "com1"),
      com2_(events_, bus::IrqLine(irqs_, kCom2Irq), "com2"),
      ata_(events_, bus::IrqLine(irqs_, kDiskIrq)),
      floppy_(events_, bus::IrqLine(irqs_, kFloppyIrq), dma_),
      pci_([this](bool board) {
          pulled_ = {board ? Line::kResetBoard : Line::kResetCpu, Puller::kPortCf9};
      }),
      power_(events_, ports_,
             [this] {
                 pulled_ = {Line::kOff, Puller::kPower};
             }),
      board_(pci_, power_),
      vga_(events_),
      pulse_end_(events_.add_timer([this](bus::Nanoseconds) { end_pulses(); }, 0)) {
    claim_ports();
    describe_memory(rtc_, ram_bytes);
}

std::string_view Machine::Pulled::by_words() const {
    switch (by) {
        case Puller::kPort92: return "port 92h";
        case Puller::kKeyboard: return "the keyboard controller";
        case Puller::kPortCf9: return "port CF9h";
        case Puller::kPower: return "the power management";
        case Puller::kOperator: return "control";
        case Puller::kUnknown: break;
    }
    return "the snapshot";
}

void Machine::reset() {
    if (pulled_.line == Line::kResetBoard) reset_board();
    pulled_ = {};
    lapic_.reset();
    set_apic_base(kApicBaseAtReset);
    system_control_.end_reset();
}

bool Machine::set_apic_base(std::uint64_t value) {
    if (!is_apic_base(value)) return false;
    apic_base_ = value;
    lapic_.switch_on((value & kApicOn) != 0);
    mmio_.move(lapic_, lapic_address(value, memory_));
    return true;
}

bool Machine::can_wake(bool interrupts_on) const {
    const bus::IrqLines armed = events_.armed_lines();
    if (interrupts_on && (armed & bus::kLapicTimer) != 0 && lapic_.admits_timer()) return true;
    for (unsigned irq = 0; irq < device::Pic8259Pair::kIrqs; ++irq) {
        if ((armed & bus::irq_line_bit(irq)) == 0) continue;
        if (interrupts_on && lapic_.lets_pic_through() && pic_.admits(irq)) return true;
        if (ioapic_.admits(irq, interrupts_on)) return true;
    }
    return false;
}

void Machine::pulse_irq(unsigned irq) {
    irqs_.pulse(irq, true);
    events_.arm(pulse_end_, events_.now() + kPulse);
}

// Not those that the CPU has not got round to yet.
void Machine::end_pulses() {
    for (unsigned irq = 0; irq < device::Pic8259Pair::kIrqs; ++irq) {
        if ((irqs_.pulsed() & bus::irq_line_bit(irq)) == 0 || pic_.holds_edge(irq)) continue;
        irqs_.pulse(irq, false);
    }
    if (irqs_.pulsed() != 0) events_.arm(pulse_end_, events_.now() + kPulse);
}

void Machine::vary(std::uint64_t seed) {
    constexpr std::int64_t kMaxError = 100;  // parts of a million against the CPU's crystal
    if (seed == 0) return;
    events_.vary(seed);
    bus::Variation& drawn = events_.variation();
    const std::int64_t timer_error = drawn.between(-kMaxError, kMaxError);
    pit_.set_error(timer_error, drawn.between(0, 999));
    power_.set_error(timer_error);
    const std::int64_t clock_error = drawn.between(-kMaxError, kMaxError);
    rtc_.set_error(clock_error, drawn.between(0, device::RtcMc146818::kHertz - 1));
}

void Machine::add_test_device() {
    using device::TestDevice;
    test_device_.emplace(irqs_);
    for (const auto& [first, last] : TestDevice::kPorts) ports_.claim_free(*test_device_, first, last);
    mmio_.claim(*test_device_, TestDevice::kBase, TestDevice::kBytes);
}

void Machine::reset_board() {
    a20_.set(true);
    ioapic_.reset();
    system_control_.reset();
    rtc_.reset();
    dma_.reset();
    keyboard_.reset();
    com1_.reset();
    com2_.reset();
    ata_.reset();
    floppy_.hardware_reset();
    pci_.reset();
    power_.reset();
    vga_.reset();
}

void Machine::claim_ports() {
    using namespace device;
    const auto claim = [this](bus::PortDevice& chip, std::uint16_t first, std::uint16_t last) {
        ports_.claim(chip, first, last);
    };
    claim(pic_, Pic8259Pair::kMasterPort, Pic8259Pair::kMasterPort + 1);
    claim(pic_, Pic8259Pair::kSlavePort, Pic8259Pair::kSlavePort + 1);
    claim(pic_, Pic8259Pair::kElcrPort, Pic8259Pair::kElcrPort + 1);
    claim(pit_, Pit8254::kFirstPort, Pit8254::kControlPort);
    claim(system_control_, SystemControl::kPortB, SystemControl::kPortB);
    claim(system_control_, SystemControl::kPortA, SystemControl::kPortA);
    claim(rtc_, RtcMc146818::kIndexPort, RtcMc146818::kDataPort);
    claim(dma_, DmaPair::kFirstPort, DmaPair::kFirstPort + 15);
    claim(dma_, DmaPair::kSecondPort, DmaPair::kSecondPort + 31);
    claim(dma_, DmaPair::kFirstPagePort, DmaPair::kLastPagePort);
    claim(keyboard_, I8042::kDataPort, I8042::kDataPort);
    claim(keyboard_, I8042::kCommandPort, I8042::kCommandPort);
    claim(com1_, Uart16550::kCom1, Uart16550::kCom1 + Uart16550::kPorts - 1);
    claim(com2_, Uart16550::kCom2, Uart16550::kCom2 + Uart16550::kPorts - 1);
    claim(ata_, AtaChannel::kFirstPort, AtaChannel::kLastPort);
    claim(ata_, AtaChannel::kControlPort, AtaChannel::kControlPort);
    claim(floppy_, Fdc82077::kFirstPort, Fdc82077::kLastPort);
    claim(floppy_, Fdc82077::kDirPort, Fdc82077::kDirPort);
    claim(pci_, PciHost::kAddressPort, PciHost::kLastPort);
    claim(fw_cfg_, FwCfg::kSelectorPort, FwCfg::kDataPort);
    claim(vga_, Vga::kFirstPort, Vga::kLastPort);
    claim(post_port_, PostPort::kPort, PostPort::kPort);
    claim(debug_port_, DebugPort::kPort, DebugPort::kPort);
    claim(debug_port_, DebugPort::kBochsPort, DebugPort::kBochsPort);
    claim(exit_port_, ExitPort::kPort, ExitPort::kPort);
    mmio_.claim(lapic_, Lapic::kBase, Lapic::kBytes);
    mmio_.claim(ioapic_, Ioapic::kBase, Ioapic::kBytes);
}

void Machine::insert_floppy(unsigned unit, device::Disk& disk) {
    floppy_.drive(unit).insert(disk);
    describe_floppy(rtc_, unit, floppy_.drive(unit).geometry().cmos_type);
}

void Machine::visit_state(bus::StateVisitor& state) {
    state.section("clock");
    bus::Nanoseconds now = clock_.now() + state.ahead();
    state.field("now", now, bus::StateVisitor::kMaxTime, 0);
    if (state.loads()) clock_.set(now);
    events_.variation().visit_state(state);
    visit_board(state);
    pic_.visit_state(state);
    lapic_.visit_state(state);
    ioapic_.visit_state(state);
    pit_.visit_state(state);
    system_control_.visit_state(state);
    rtc_.visit_state(state);
    dma_.visit_state(state);
    keyboard_.visit_state(state);
    com1_.visit_state(state);
    com2_.visit_state(state);
    ata_.visit_state(state);
    floppy_.visit_state(state);
    pci_.visit_state(state);
    power_.visit_state(state);
    fw_cfg_.visit_state(state);
    vga_.visit_state(state);
    if (test_device_) test_device_->visit_state(state);
    memory_.visit_state(state);
}

void Machine::visit_board(bus::StateVisitor& state) {
    state.section("board");
    bool a20 = a20_.on();
    state.field("a20", a20);
    if (state.loads()) a20_.set(a20);
    std::uint64_t apic_base = apic_base_;
    state.field("apic_base", apic_base);
    if (state.loads() && !is_apic_base(apic_base)) {
        state.refuse("apic_base", "has reserved bits");
    } else if (state.loads()) {  // whether the local APIC is on, and what it serves, is in its own state
        apic_base_ = apic_base;
        mmio_.move(lapic_, lapic_address(apic_base, memory_));
    }
    irqs_.visit_state(state);
    state.field("pulled_line", pulled_.line, static_cast<unsigned>(Line::kOff));
    post_port_.visit_state(state);
    exit_port_.visit_state(state);
    events_.visit_timer(state, pulse_end_);
    if (state.optional_section("puller")) {
        state.field("by", pulled_.by, static_cast<unsigned>(Puller::kOperator));
    } else {
        pulled_.by = Puller::kUnknown;
    }
}

}  // namespace sla::machine
