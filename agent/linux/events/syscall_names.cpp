#include "agent/linux/events/syscall_names.h"

#include <unordered_map>

namespace sla::linux {

std::string syscall_name(std::int64_t number) {
    static const std::unordered_map<std::int64_t, const char*> kNames = {
#include <syscall_names.inc>
    };
    const auto found = kNames.find(number);
    return found != kNames.end() ? found->second : "number-" + std::to_string(number);
}

}  // namespace sla::linux
