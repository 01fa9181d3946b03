#include "proto/base/process_stat.h"

#include "proto/base/whole_file.h"

#include <sstream>
#include <string>

namespace sla {

std::optional<ProcessStat> process_stat(pid_t process) {
    if (process <= 0) return std::nullopt;
    const auto text = read_whole_file("/proc/" + std::to_string(process) + "/stat");
    if (!text.ok()) return std::nullopt;
    const std::size_t name_end = text->rfind(')');  // the name before it may hold anything
    if (name_end == std::string::npos) return std::nullopt;
    constexpr int kGroupField = 5;
    constexpr int kStartField = 22;
    std::istringstream rest(text->substr(name_end + 1));
    ProcessStat stat;
    rest >> stat.state >> stat.parent >> stat.group;
    std::string other;
    for (int field = kGroupField + 1; field < kStartField; ++field) rest >> other;
    rest >> stat.start;
    if (rest.fail()) return std::nullopt;
    return stat;
}

}  // namespace sla
