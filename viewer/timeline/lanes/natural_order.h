// Names as people order them. Any thread.
#pragma once

#include <string>

namespace sla::timeline {

// "irq.2" before "irq.10": runs of digits compare as numbers.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace sla::timeline
