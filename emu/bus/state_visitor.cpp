#include "emu/bus/state_visitor.h"

namespace sla::bus {

std::string StateVisitor::joined(std::string_view first, std::string_view second) {
    std::string out(first);
    return out.append(second);
}

std::string StateVisitor::numbered(std::string_view name, std::size_t number) {
    return joined(name, std::to_string(number));
}

}  // namespace sla::bus
