#include "emu/machine/pseudo_terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sla::machine {

Result<std::unique_ptr<PseudoTerminal>> PseudoTerminal::open() {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0) return system_error("cannot make a pseudo-terminal", errno);
    std::array<char, 128> path{};
    const bool usable =
        ::grantpt(master) == 0 && ::unlockpt(master) == 0 && ::ptsname_r(master, path.data(), path.size()) == 0;
    const int slave = usable ? ::open(path.data(), O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (slave < 0) {
        const int why = errno;
        ::close(master);
        return system_error("cannot open the pseudo-terminal", why);
    }
    termios settings{};
    ::tcgetattr(slave, &settings);
    ::cfmakeraw(&settings);
    ::tcsetattr(slave, TCSANOW, &settings);
    return std::unique_ptr<PseudoTerminal>(new PseudoTerminal(master, slave, path.data()));
}

PseudoTerminal::~PseudoTerminal() {
    ::close(slave_);
    ::close(master_);
}

void PseudoTerminal::send(std::uint8_t byte) {
    if (::write(master_, &byte, 1) != 1) ++dropped_;
}

std::optional<std::uint8_t> PseudoTerminal::receive() {
    std::uint8_t byte = 0;
    if (::read(master_, &byte, 1) != 1) return std::nullopt;
    return byte;
}

}  // namespace sla::machine
