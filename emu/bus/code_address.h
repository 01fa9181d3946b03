// CS:EIP, where a guest instruction stands.
#pragma once

#include <cstdint>

namespace sla::bus {

// known == false where finding it would cost too much.
struct CodeAddress {
    std::uint16_t selector = 0;
    std::uint32_t offset = 0;
    bool known = false;
};

}  // namespace sla::bus
