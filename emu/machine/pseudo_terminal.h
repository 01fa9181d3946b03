// A pseudo-terminal: another program (a terminal, socat) opens its path and talks to the guest's serial port.
//
// Neither side ever waits for the other: what the guest sends while nobody reads is counted and dropped.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sla::machine {

class PseudoTerminal {
public:
    static Result<std::unique_ptr<PseudoTerminal>> open();
    ~PseudoTerminal();
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    void send(std::uint8_t byte);
    std::optional<std::uint8_t> receive();
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    PseudoTerminal(int master, int slave, std::string path) : master_(master), slave_(slave), path_(std::move(path)) {}

    int master_;
    int slave_;  // kept open, so that the terminal outlives the programs that come and go
    std::string path_;
    std::uint64_t dropped_ = 0;
};

}  // namespace sla::machine
