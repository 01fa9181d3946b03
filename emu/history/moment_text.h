// A moment as people read it: "12.345678 ms".
#pragma once

#include "emu/cpu/repeat.h"

#include <string>

namespace sla::history {

std::string moment_text(cpu::Moment moment);

}  // namespace sla::history
