// What helps a user who may not open a device file.
#pragma once

#include <string>

namespace sla {

// By the file's mode and its group as they are: "join the group kvm (...)", or what root can do.
std::string device_access_hint(const std::string& path);
std::string device_access_hint(const std::string& path, unsigned mode, const std::string& group);

}  // namespace sla
