// Error code and kind of an exception are not in Unicorn's interface, but in the context it saves. Where, is found by
// experiment: scratch engines take known faults, and the offsets at which all their contexts are correct are the ones.
//
//   context   ... │ error code │ from INT n │ ... │ exception in flight │ ...
//                   0 / 28h / 50h  0 / 1            -1: none
//
// The exception in flight must be cleared after each, or the next one counts as a fault within a fault.
#pragma once

#include "emu/cpu/unicorn/unicorn_engine.h"

#include <memory>

namespace sla::cpu {

struct ExceptionLayout {
    std::size_t error_code = 0;
    std::size_t from_int = 0;
    std::size_t in_flight = 0;
};

// Calibrates, then proves the layout with three divisions by zero in a row.
Result<ExceptionLayout> calibrate_exceptions();

// The saved context of one engine. Used between runs only.
class ExceptionContext {
public:
    struct Cause {
        bool software_interrupt = false;
        std::uint32_t error_code = 0;
    };

    ExceptionContext(const UnicornEngine& engine, const ExceptionLayout& layout);

    // Reads why the engine stopped and makes it ready for the next exception. About 130 ns.
    Cause take();

private:
    struct Free {
        void operator()(uc_context* context) const { uc_context_free(context); }
    };
    uc_engine* engine_;
    ExceptionLayout layout_;
    std::unique_ptr<uc_context, Free> context_;
};

}  // namespace sla::cpu
