// What a service manager passes to a service in its environment.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace sla::service {

// Looks one variable up.
using Environment = std::function<std::optional<std::string>(const char* name)>;

// This process's own.
std::optional<std::string> read_variable(const char* name);
// The same; what is read is taken out of it, so that no child takes it for its own.
std::optional<std::string> take_variable(const char* name);

}  // namespace sla::service
