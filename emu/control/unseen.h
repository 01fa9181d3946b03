// Channels that stay empty because of the CPU that runs, for whoever asks for them by name.
#pragma once

#include "emu/cpu/cpu.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::control {

// A sentence for each family of channels (the part of a name before its first dot) that is asked for and that this CPU
// never fills.
std::vector<std::string> unseen_channels(const cpu::Cpu& cpu, const std::function<bool(std::string_view)>& is_asked_for);

}  // namespace sla::control
