#include "emu/control/unseen.h"

#include <fmt/format.h>

#include <initializer_list>

namespace sla::control {

std::vector<std::string> unseen_channels(const cpu::Cpu& cpu, const std::function<bool(std::string_view)>& is_asked_for) {
    std::vector<std::string> said;
    const auto say = [&](std::initializer_list<const char*> families, const char* stay, const char* why) {
        for (const char* family : families) {
            if (!is_asked_for(family)) continue;
            said.push_back(fmt::format("channels {}.* {}: the CPU \"{}\" {}; use --cpu unicorn or x86emu", family, stay,
                                       cpu.name(), why));
        }
    };
    if (cpu.enters_handlers()) say({"int", "exc"}, "stay empty", "enters handlers by itself");
    if (cpu.counting() == cpu::Counting::kNothing) say({"pmc", "pin"}, "show no counts", "counts no events");
    return said;
}

}  // namespace sla::control
