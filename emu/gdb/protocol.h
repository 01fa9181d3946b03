// gdb's remote serial protocol on a Target: a packet's answer, and the report of a stop. Knows no socket; one thread.
//
//   standing ──c, s, vCont──► running ──stopped(), interrupted()──► standing
#pragma once

#include "emu/gdb/target.h"

#include <optional>
#include <string>
#include <string_view>

namespace sla::gdb {

class Protocol {
public:
    explicit Protocol(Target& target) : target_(target) {}

    // Nothing: the answer is the report of the next stop, or none is wanted.
    std::optional<std::string> answer(std::string_view packet);
    // The guest stopped by itself, or for the debugger.
    std::string stopped(const cpu::StopPoints::Found& found);
    std::string interrupted();

    [[nodiscard]] bool running() const { return running_; }
    // Said that it leaves: the guest is let go.
    [[nodiscard]] bool detached() const { return detached_; }

private:
    using Reply = std::optional<std::string>;

    Reply query(std::string_view packet);
    std::string part_of_xml(std::string_view range) const;
    std::string monitor(std::string_view hex);
    std::string all_registers() const;
    std::string write_all_registers(std::string_view hex);
    std::string write_register(std::string_view rest);
    std::string read_memory(std::string_view range) const;
    std::string write_memory(std::string_view rest, bool binary);
    std::string point(std::string_view packet);
    Reply resume(bool step);
    Reply verbose(std::string_view packet);
    std::string go_back(bool step);
    Reply detach();

    Target& target_;
    std::string last_stop_ = "S05";
    bool running_ = false;
    bool detached_ = false;
};

}  // namespace sla::gdb
