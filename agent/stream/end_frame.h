// The last frame of a stream that ends on purpose.
#pragma once

#include <cstdint>
#include <string>

namespace sla::stream {

std::string end_frame(std::uint64_t tick, const std::string& reason);

}  // namespace sla::stream
