// One wire from a chip to an input of the interrupt controller.
#pragma once

namespace sla::bus {

class IrqController {
public:
    virtual ~IrqController() = default;
    virtual void set_irq(unsigned line, bool high) = 0;
};

class IrqLine {
public:
    IrqLine(IrqController& controller, unsigned line) : controller_(&controller), line_(line) {}
    void set(bool high) { controller_->set_irq(line_, high); }
    [[nodiscard]] unsigned number() const { return line_; }

private:
    IrqController* controller_;
    unsigned line_;
};

}  // namespace sla::bus
