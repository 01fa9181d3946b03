// The 256 words that IDENTIFY DEVICE gives (ATA/ATAPI-6, table 27).
#pragma once

#include <array>
#include <cstdint>

namespace sla::device {

std::array<std::uint16_t, 256> ata_identity(std::uint64_t sectors, unsigned most_multiple, unsigned multiple);

}  // namespace sla::device
