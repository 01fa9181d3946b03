#include "agent/source/residence.h"

#include "proto/base/whole_file.h"

#include <cctype>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace sla::source {
namespace {

constexpr std::size_t kShownDigits = 12;
constexpr std::size_t kIdDigits = 32;  // from so many on it is an id, and no word

std::string read_link(const std::string& path) {
    std::error_code none;
    return std::filesystem::read_symlink(path, none).string();
}

bool has_other_pids(const Residence& residence, const std::string& proc) {
    if (residence.pid == 0 || residence.own_pid != static_cast<std::uint32_t>(residence.pid)) return true;
    const std::string theirs = read_link(proc + "/" + std::to_string(residence.pid) + "/ns/pid");
    const std::string ours = read_link(proc + "/self/ns/pid");
    return !theirs.empty() && !ours.empty() && theirs != ours;
}

}  // namespace

std::string cgroup_path(const std::string& text) {
    std::istringstream lines(text);
    std::string longest;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string path = line.substr(second + 1);
        if (line.starts_with("0::") && path.size() > 1) return path;
        if (path.size() > longest.size()) longest = path;
    }
    return longest;
}

std::string container_name(const std::string& cgroup) {
    std::string name = cgroup.substr(cgroup.find_last_of('/') + 1);
    if (name.ends_with(".scope")) name.resize(name.size() - 6);
    std::size_t begin = name.size();
    while (begin > 0 && std::isxdigit(static_cast<unsigned char>(name[begin - 1])) != 0) begin--;
    if (name.size() - begin >= kIdDigits) name.resize(begin + kShownDigits);
    return name;
}

std::string Residence::text() const {
    if (!is_elsewhere) return "";
    const std::string name = container_name(cgroup);
    std::string out =
        (name.empty() ? std::string("another pid namespace") : name) + ", pid " + std::to_string(own_pid) + " there";
    return pid == 0 ? out : out + ", " + std::to_string(pid) + " here";
}

Residence look_up_residence(pid_t pid, std::uint32_t own_pid, const std::string& proc) {
    Residence residence;
    residence.pid = pid;
    residence.own_pid = own_pid;
    residence.is_elsewhere = has_other_pids(residence, proc);
    if (residence.is_elsewhere && pid != 0) {
        const Result<std::string> groups = read_whole_file(proc + "/" + std::to_string(pid) + "/cgroup");
        if (groups) residence.cgroup = cgroup_path(*groups);
    }
    return residence;
}

}  // namespace sla::source
