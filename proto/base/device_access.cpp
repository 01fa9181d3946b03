#include "proto/base/device_access.h"

#include <grp.h>
#include <sys/stat.h>

namespace sla {

std::string device_access_hint(const std::string& path, unsigned mode, const std::string& group) {
    constexpr unsigned kGroupMay = S_IRGRP | S_IWGRP;
    if ((mode & kGroupMay) == kGroupMay && group != "root") {
        return "join the group " + group + " (usermod -aG " + group + " USER, then log in again)";
    }
    return "only root may open it here, who can give it to a group (chgrp GROUP " + path + "; chmod 660 " + path + ")";
}

std::string device_access_hint(const std::string& path) {
    struct stat info {};
    const group* found = ::stat(path.c_str(), &info) == 0 ? ::getgrgid(info.st_gid) : nullptr;
    return device_access_hint(path, info.st_mode, found != nullptr ? found->gr_name : std::to_string(info.st_gid));
}

}  // namespace sla
