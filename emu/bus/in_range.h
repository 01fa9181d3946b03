// Whether a number lies in a closed range: opcodes, ports and registers come in runs.
#pragma once

namespace sla::bus {

constexpr bool in_range(unsigned value, unsigned first, unsigned last) {
    return value >= first && value <= last;
}

}  // namespace sla::bus
