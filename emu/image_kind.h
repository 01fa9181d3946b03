// Files that are given where another kind belongs: a disk, a kernel, something compressed where firmware should be. Told from how they
// begin, and firmware from where the processor starts; refused with the option that they are for.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace sla::emu {

using ImageBytes = std::span<const std::uint8_t>;  // all of a file, or how it begins

Result<void> check_firmware(const std::string& path, ImageBytes bytes);
Result<void> check_kernel(const std::string& path, ImageBytes bytes);
// A .COM program.
Result<void> check_program(const std::string& path, ImageBytes bytes);

}  // namespace sla::emu
