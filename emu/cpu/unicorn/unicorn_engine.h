// One engine of the Unicorn library: opened, closed, registers, and the way into real mode. Only for unicorn_*.
#pragma once

#include "proto/base/result.h"

#include <unicorn/unicorn.h>

#include <cstdint>
#include <memory>
#include <span>

namespace sla::cpu {

class UnicornEngine {
public:
    // 32-bit protected mode, flat segments, no memory.
    static Result<UnicornEngine> open();

    [[nodiscard]] uc_engine* get() const { return engine_.get(); }

    [[nodiscard]] std::uint32_t read(uc_x86_reg which) const {  // some 10 ns
        std::uint64_t value = 0;
        uc_reg_read(get(), which, &value);
        return static_cast<std::uint32_t>(value);
    }
    // Of a segment register the library writes two bytes, and reading more of them at once waits for the processor's stores:
    // 20 ns.
    [[nodiscard]] std::uint16_t read_selector(uc_x86_reg which) const {
        std::uint16_t value = 0;
        uc_reg_read(get(), which, &value);
        return value;
    }
    void write(uc_x86_reg which, std::uint32_t value);
    void write_memory(std::uint32_t address, std::span<const std::uint8_t> bytes);

    // The engine is broken: it will not be closed, its memory is lost.
    void abandon() { engine_.get_deleter().abandoned = true; }

    // Runs the few instructions that lead to real mode at selector:offset, in memory at 1000h that is then as it was.
    Result<void> enter_real_mode(std::uint16_t selector, std::uint16_t offset);

private:
    struct Close {
        bool abandoned;
        void operator()(uc_engine* engine) const {
            if (!abandoned) uc_close(engine);
        }
    };
    explicit UnicornEngine(uc_engine* engine) : engine_(engine, Close{false}) {}

    std::unique_ptr<uc_engine, Close> engine_;
};

Error unicorn_error(std::string what, uc_err error);
// The library behaves in another way than the one that is known.
Error self_test_failed(std::string what);

}  // namespace sla::cpu
