#include "emu/device/storage/fdc82077.h"

#include <algorithm>

namespace sla::device {

namespace {

enum FloppyPort : std::uint16_t { kSra = 0x3F0, kSrb = 0x3F1, kDor = 0x3F2, kTdr = 0x3F3, kMsrDsr = 0x3F4, kFifo = 0x3F5 };

constexpr std::uint8_t kDorRun = 0x04;  // low: reset
constexpr std::uint8_t kDorDma = 0x08;  // lets interrupt and DMA out
constexpr std::uint8_t kDsrReset = 0x80;

constexpr std::uint8_t kRqm = 0x80;
constexpr std::uint8_t kDio = 0x40;  // the controller has a byte for the CPU
constexpr std::uint8_t kBusy = 0x10;

constexpr std::uint8_t kNobodyDrives = 0xFF;  // status A and B, which an AT does not have
constexpr std::uint8_t kDirChanged = 0x80;
constexpr unsigned kSensedDrives = 4;

}  // namespace

Fdc82077::Fdc82077(bus::EventQueue& events, bus::IrqLine irq, DmaPair& dma)
    : events_(events),
      irq_(irq),
      dma_(dma),
      timer_(events.add_timer([this](bus::Nanoseconds) { on_time(); }, bus::irq_line_bit(irq.number()))) {}

bool Fdc82077::is_latch(std::uint16_t port, bus::Access access) const {
    return port == kMsrDsr && access == bus::Access::kIn;
}

std::uint32_t Fdc82077::read_port(std::uint16_t port, bus::Width) {
    switch (port) {
        case kSra:
        case kSrb: return kNobodyDrives;
        case kDor: return dor_;
        case kTdr: return tape_;
        case kMsrDsr: return main_status();
        case kFifo: return read_fifo();
        default: {
            const unsigned selected = dor_ & 3;
            const bool turns = (dor_ >> (4 + selected) & 1) != 0;
            return turns && selected < kDrives && drives_[selected].changed ? kDirChanged : 0;
        }
    }
}

void Fdc82077::write_port(std::uint16_t port, bus::Width, std::uint32_t wide) {
    const auto value = static_cast<std::uint8_t>(wide);
    switch (port) {
        case kDor: return write_dor(value);
        case kTdr: tape_ = value & 3; return;
        case kMsrDsr:
            if ((value & kDsrReset) == 0) return;
            reset();
            if ((dor_ & kDorRun) != 0) leave_reset();  // the DOR's own holds on
            return;
        case kFifo: return write_fifo(value);
        default: return;  // the data rate: every disk is read at its own
    }
}

std::uint8_t Fdc82077::main_status() const {
    switch (phase_) {
        case Phase::kCommand: return command_.empty() ? kRqm : kRqm | kBusy;
        case Phase::kResult: return kRqm | kDio | kBusy;
        case Phase::kExecution: return kBusy;
        default: return 0;
    }
}

void Fdc82077::write_dor(std::uint8_t value) {
    const bool ran = (dor_ & kDorRun) != 0;
    dor_ = value;
    const bool runs = (value & kDorRun) != 0;
    if (!runs) return reset();
    if (!ran) return leave_reset();
    irq_.set(interrupting_ && (dor_ & kDorDma) != 0);
}

void Fdc82077::reset() {
    phase_ = Phase::kReset;
    command_.clear();
    result_.clear();
    seek_ended_ = false;
    resets_to_sense_ = 0;
    if (!locked_) configured_.fill(0);
    interrupting_ = false;
    irq_.set(false);
    events_.disarm(timer_);
}

void Fdc82077::hardware_reset() {
    locked_ = no_dma_ = false;
    specified_.fill(0);
    tape_ = 0;
    reset();
    dor_ = kDorAtPowerOn;
    phase_ = Phase::kCommand;
}

void Fdc82077::leave_reset() {
    events_.arm(timer_, events_.now() + kResetTime);
}

void Fdc82077::interrupt() {
    interrupting_ = true;
    irq_.set((dor_ & kDorDma) != 0);
}

void Fdc82077::execute_for(bus::Nanoseconds time, bus::Nanoseconds most_more) {
    phase_ = Phase::kExecution;
    events_.arm(timer_, events_.now() + events_.lasting(time, time, time + most_more));
}

void Fdc82077::on_time() {
    if (phase_ == Phase::kExecution) return finish();
    if (phase_ != Phase::kReset) return;
    phase_ = Phase::kCommand;
    resets_to_sense_ = kSensedDrives;
    interrupt();
}

void Fdc82077::write_fifo(std::uint8_t value) {
    if (phase_ != Phase::kCommand) return;
    command_.push_back(value);
    if (command_.size() <= parameters_of(command_.front())) return;
    start();
    if (phase_ == Phase::kCommand) command_.clear();
}

void Fdc82077::result(std::initializer_list<std::uint8_t> bytes) {
    result_.assign(bytes);
    std::reverse(result_.begin(), result_.end());
    phase_ = Phase::kResult;
    command_.clear();
}

std::uint8_t Fdc82077::read_fifo() {
    if (phase_ != Phase::kResult) return 0;
    interrupting_ = false;
    irq_.set(false);
    const std::uint8_t value = result_.back();
    result_.pop_back();
    if (result_.empty()) phase_ = Phase::kCommand;
    return value;
}

void Fdc82077::visit_state(bus::StateVisitor& state) {
    constexpr std::size_t kMaxBytes = 16;  // of a command or a result
    state.section("fdc");
    state.show("msr", main_status());
    state.field("dor", dor_);
    state.field("tdr", tape_);
    state.field("st0", st0_);
    state.field("unit", unit_, 3);
    state.field("seek_ended", seek_ended_);
    state.field("resets_to_sense", resets_to_sense_, 4);
    state.field("nd", no_dma_);
    state.field("locked", locked_);
    state.field("specified", specified_);
    state.field("configured", configured_);
    state.field("intrq", interrupting_);
    for (unsigned i = 0; i < kDrives; ++i) {
        state.part(bus::StateVisitor::numbered("drive", i), [&] {
            state.field("cylinder", drives_[i].cylinder, 255);
            state.field("changed", drives_[i].changed);
        });
    }
    Phase phase = phase_;
    state.field("phase", phase, static_cast<unsigned>(Phase::kReset));
    state.list("command", command_, kMaxBytes);
    state.list("result", result_, kMaxBytes);
    events_.visit_timer(state, timer_);
    if (!state.loads()) return;
    phase_ = phase;
    const bool executes =
        !command_.empty() && has_execution(command_.front()) && command_.size() > parameters_of(command_.front());
    if ((phase == Phase::kExecution) == executes && (phase == Phase::kResult) == !result_.empty()) return;
    command_.clear();
    result_.clear();
    phase_ = Phase::kCommand;
    state.refuse("phase", "does not fit the bytes of command and result");
}

}  // namespace sla::device
