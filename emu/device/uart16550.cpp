#include "emu/device/uart16550.h"

#include <algorithm>
#include <array>

namespace sla::device {

namespace {

enum UartRegister : unsigned { kUartData, kIer, kIirFcr, kLcr, kMcr, kLsr, kMsr, kScr };

constexpr std::uint8_t kIerData = 0x01;
constexpr std::uint8_t kIerThr = 0x02;
constexpr std::uint8_t kIerLine = 0x04;
constexpr std::uint8_t kIerModem = 0x08;

// IIR: what is most urgent, 1 for nothing.
constexpr std::uint8_t kIirNone = 0x01;
constexpr std::uint8_t kIirModem = 0x00;
constexpr std::uint8_t kIirThr = 0x02;
constexpr std::uint8_t kIirData = 0x04;
constexpr std::uint8_t kIirTimeout = 0x0C;
constexpr std::uint8_t kIirLine = 0x06;
constexpr std::uint8_t kIirFifos = 0xC0;

constexpr std::uint8_t kFifoEnable = 0x01;
constexpr std::uint8_t kClearReceiver = 0x02;
constexpr std::uint8_t kDlab = 0x80;
constexpr std::uint8_t kLoop = 0x10;
constexpr std::uint8_t kUartOut2 = 0x08;  // lets the interrupt out on a PC

constexpr std::uint8_t kDataReady = 0x01;
constexpr std::uint8_t kOverrun = 0x02;
constexpr std::uint8_t kTransmitterEmpty = 0x60;

constexpr std::uint8_t kRing = 0x40;
constexpr std::uint8_t kPeerReady = 0xB0;          // DCD DSR CTS
constexpr bus::Nanoseconds kBitOfDivisor1 = 8680;  // 115200 baud

}  // namespace

Uart16550::Uart16550(bus::EventQueue& events, bus::IrqLine irq, std::string name)
    : events_(events),
      irq_(irq),
      timer_(events.add_timer(
          [this](bus::Nanoseconds) {
              byte_on_line_ = false;
              if (!arriving_.empty()) {
                  take(arriving_.front());
                  arriving_.pop_front();
              }
              expect_next();
          },
          bus::irq_line_bit(irq.number()))),
      name_(std::move(name)) {}

void Uart16550::reset() {
    fifo_.clear();
    divisor_ = kPowerOnDivisor;
    ier_ = fcr_ = lcr_ = mcr_ = scr_ = msr_delta_ = 0;
    overrun_ = thr_interrupt_ = false;
    follow_interrupt();
    expect_next();
}

bus::Nanoseconds Uart16550::byte_time() const {
    constexpr bus::Nanoseconds kBits = 10;
    return kBits * kBitOfDivisor1 * std::max<std::uint16_t>(divisor_, 1);
}

void Uart16550::receive(std::uint8_t byte) {
    arriving_.push_back(byte);
    expect_next();
}

// The peer heeds RTS and waits while the guest has not read what is there: nothing from outside gets lost.
void Uart16550::expect_next() {
    const std::size_t capacity = (fcr_ & kFifoEnable) != 0 ? kFifoBytes : 1;
    if (byte_on_line_ || arriving_.empty() || fifo_.size() >= capacity || (mcr_ & kLoop) != 0) return;
    byte_on_line_ = true;
    // A peer's bits are up to 2 % longer or shorter: more and the two would not understand each other.
    const bus::Nanoseconds usual = byte_time();
    events_.arm(timer_, events_.now() + events_.lasting(usual, usual - usual / 50, usual + usual / 50));
}

void Uart16550::take(std::uint8_t byte) {
    const std::size_t capacity = (fcr_ & kFifoEnable) != 0 ? kFifoBytes : 1;
    if (fifo_.size() >= capacity) {
        overrun_ = true;
        if (capacity == 1) fifo_.front() = byte;
    } else {
        fifo_.push_back(byte);
    }
    follow_interrupt();
}

std::size_t Uart16550::trigger_level() const {
    constexpr std::array<std::size_t, 4> kLevels{1, 4, 8, 14};
    return (fcr_ & kFifoEnable) != 0 ? kLevels[fcr_ >> 6] : 1;
}

std::uint8_t Uart16550::pending() const {
    if ((ier_ & kIerLine) != 0 && overrun_) return kIirLine;
    if ((ier_ & kIerData) != 0 && fifo_.size() >= trigger_level()) return kIirData;
    if ((ier_ & kIerData) != 0 && !fifo_.empty()) return kIirTimeout;
    if ((ier_ & kIerThr) != 0 && thr_interrupt_) return kIirThr;
    if ((ier_ & kIerModem) != 0 && msr_delta_ != 0) return kIirModem;
    return kIirNone;
}

void Uart16550::follow_interrupt() {
    irq_.set(pending() != kIirNone && (mcr_ & kUartOut2) != 0 && (mcr_ & kLoop) == 0);
}

// The modem inputs; in loop-back they are the modem outputs.
std::uint8_t Uart16550::modem_lines() const {
    if ((mcr_ & kLoop) == 0) return kPeerReady;
    return static_cast<std::uint8_t>((mcr_ & 0x02) << 3 | (mcr_ & 0x01) << 5 | (mcr_ & 0x0C) << 4);
}

std::uint8_t Uart16550::identify() {
    const std::uint8_t cause = pending();
    if (cause == kIirThr) thr_interrupt_ = false;
    return static_cast<std::uint8_t>(cause | ((fcr_ & kFifoEnable) != 0 ? kIirFifos : 0));
}

std::uint8_t Uart16550::read_data() {
    if (fifo_.empty()) return 0;
    const std::uint8_t byte = fifo_.front();
    fifo_.pop_front();
    expect_next();
    return byte;
}

std::uint32_t Uart16550::read_port(std::uint16_t port, bus::Width) {
    const bool dlab = (lcr_ & kDlab) != 0;
    std::uint8_t value = 0;
    switch (port & 7) {
        case kUartData: value = dlab ? static_cast<std::uint8_t>(divisor_) : read_data(); break;
        case kIer: value = dlab ? static_cast<std::uint8_t>(divisor_ >> 8) : ier_; break;
        case kIirFcr: value = identify(); break;
        case kLcr: value = lcr_; break;
        case kMcr: value = mcr_; break;
        case kLsr:
            value =
                static_cast<std::uint8_t>(kTransmitterEmpty | (fifo_.empty() ? 0 : kDataReady) | (overrun_ ? kOverrun : 0));
            overrun_ = false;
            break;
        case kMsr: value = static_cast<std::uint8_t>(modem_lines() | std::exchange(msr_delta_, std::uint8_t{0})); break;
        default: value = scr_; break;
    }
    follow_interrupt();
    return value;
}

void Uart16550::write_port(std::uint16_t port, bus::Width, std::uint32_t wide) {
    const auto value = static_cast<std::uint8_t>(wide);
    const bool dlab = (lcr_ & kDlab) != 0;
    switch (port & 7) {
        case kUartData:
            if (!dlab) send(value);
            if (dlab) divisor_ = static_cast<std::uint16_t>((divisor_ & 0xFF00) | value);
            break;
        case kIer:
            if (dlab) {
                divisor_ = static_cast<std::uint16_t>((divisor_ & 0x00FF) | value << 8);
            } else {
                if ((value & kIerThr) != 0 && (ier_ & kIerThr) == 0) thr_interrupt_ = true;
                ier_ = value & 0x0F;
            }
            break;
        case kIirFcr: write_fcr(value); break;
        case kLcr: lcr_ = value; break;
        case kMcr: {
            const std::uint8_t before = modem_lines();
            mcr_ = value & 0x1F;
            const auto changed = static_cast<std::uint8_t>(before ^ modem_lines());
            const auto noted = static_cast<std::uint8_t>(changed & ~(modem_lines() & kRing));  // of RI only its end
            msr_delta_ |= static_cast<std::uint8_t>(noted >> 4);
            expect_next();
            break;
        }
        case kScr: scr_ = value; break;
        default: break;
    }
    follow_interrupt();
}

void Uart16550::write_fcr(std::uint8_t value) {
    if (((fcr_ ^ value) & kFifoEnable) != 0 || (value & kClearReceiver) != 0) fifo_.clear();
    fcr_ = (value & kFifoEnable) != 0 ? value & 0xC9 : 0;
    expect_next();
}

void Uart16550::send(std::uint8_t byte) {
    thr_interrupt_ = true;
    if ((mcr_ & kLoop) != 0) {
        take(byte);
    } else if (receiver_) {
        receiver_(byte);
    }
}

void Uart16550::visit_state(bus::StateVisitor& state) {
    constexpr std::size_t kMaxArriving = 1U << 20;
    state.section(name_);
    state.field("ier", ier_);
    state.field("fcr", fcr_);
    state.field("lcr", lcr_);
    state.field("mcr", mcr_);
    state.field("scr", scr_);
    state.field("divisor", divisor_);
    state.field("msr_delta", msr_delta_);
    state.field("overrun", overrun_);
    state.field("thre_interrupt", thr_interrupt_);
    state.list("rbr_fifo", fifo_, kFifoBytes);
    state.list("arriving", arriving_, kMaxArriving);
    state.field("byte_on_line", byte_on_line_);
    events_.visit_timer(state, timer_);
}

}  // namespace sla::device
