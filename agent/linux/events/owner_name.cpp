#include "agent/linux/events/owner_name.h"

#include "proto/base/text.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace sla::linux {
namespace {

constexpr int kStartTimeField = 22;  // of /proc/PID/stat, proc(5)

}  // namespace

std::vector<pid_t> threads_of(pid_t pid) {
    std::vector<pid_t> threads;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", none))
        threads.push_back(static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10)));
    return threads;
}

std::uint64_t start_time_of(pid_t pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string stat;
    std::getline(in, stat);
    const std::size_t name_end = stat.rfind(')');  // the name before it may hold anything
    if (name_end == std::string::npos) return 0;
    std::istringstream rest(stat.substr(name_end + 1));
    std::string word;
    rest >> word;                              // the state
    if (word == "Z" || word == "X") return 0;  // it has ended; its parent has not asked about it yet
    for (int field = 4; field < kStartTimeField; field++) rest >> word;
    std::uint64_t start = 0;
    rest >> start;
    return start;
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
