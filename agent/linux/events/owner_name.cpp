#include "agent/linux/events/owner_name.h"

#include "proto/base/process_stat.h"
#include "proto/base/text.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace sla::linux {

std::vector<pid_t> threads_of(pid_t pid) {
    std::vector<pid_t> threads;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", none))
        threads.push_back(static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10)));
    return threads;
}

std::uint64_t start_time_of(pid_t pid) {
    const auto stat = process_stat(pid);
    return stat && !stat->has_ended() ? stat->start : 0;
}

std::string own_name(std::string_view prefix, char separator) {
    const pid_t self = ::getpid();
    return std::string(prefix) + separator + std::to_string(self) + separator + std::to_string(start_time_of(self));
}

bool is_abandoned(std::string_view name, std::string_view prefix, char separator) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    if (name.empty() || name.front() != separator) return false;
    const std::size_t middle = name.find(separator, 1);
    if (middle == std::string_view::npos) return false;
    const auto pid = whole_number<pid_t>(name.substr(1, middle - 1));
    const auto start = whole_number<std::uint64_t>(name.substr(middle + 1));
    return pid && start && start_time_of(*pid) != *start;
}

}  // namespace sla::linux
