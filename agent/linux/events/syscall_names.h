// Names of this processor's system calls by number. Made from the kernel's headers when the product is built.
#pragma once

#include <cstdint>
#include <string>

namespace sla::linux {

// "openat"; the number when it has no name.
std::string syscall_name(std::int64_t number);

}  // namespace sla::linux
