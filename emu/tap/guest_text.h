// Names and texts that a guest gives for markers of its own, as bytes of its memory, made fit for lanes: UTF-8 stays as it is.
// Control characters and bytes that are not UTF-8 become \x1b and the like, and a backslash before an x becomes \x5c: so two texts
// that differ still do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sla::tap {

inline constexpr std::size_t kMaxGuestChannels = 256;
inline constexpr std::size_t kMaxGuestName = 64;
inline constexpr std::size_t kMaxGuestText = 112;

// One that comes out longer keeps its beginning, and "~" and a hash of all of it tell it from others: as names of programs' channels.
std::string guest_name(std::string_view bytes);

// One that comes out longer is cut between two characters.
std::string guest_text(std::string_view bytes);

}  // namespace sla::tap
