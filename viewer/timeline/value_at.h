// Values in words: of one event, and of a lane at an instant.
#pragma once

#include "viewer/store/lane.h"

#include <cstdint>
#include <string>

namespace sla::timeline {

// "0.42", "inf", "nan", whatever its sign.
std::string number_text(double number);

// "1500", "0.42", "−3"; "" when the event has none. A gap's is the number lost.
std::string value_text(const store::Event& event);

// What a lane shows at an instant: its level, its last value, the span that is open, its last text; "" before the first
// event, behind the last tick that is known of the lane, and where a loss makes it unknown ("?" then). "…" while the rows
// there are being fetched from a file.
std::string value_at(const store::Lane& lane, std::uint64_t tick, std::uint64_t known_until);

}  // namespace sla::timeline
