// How much of a file's rows another session keeps at hand, at most.
#pragma once

#include <cstddef>

namespace sla::ingest {

// Who paints: a pixel of a whole capture, which may lie in two chunks, and one that is read ahead.
inline constexpr std::size_t kPictureCache = std::size_t{96} << 20;
// Who walks through and sees each row once: the chunk in hand and its neighbours.
inline constexpr std::size_t kWalkCache = std::size_t{16} << 20;

}  // namespace sla::ingest
