// Files from outside, read whole, with a clear word when that cannot be.
#pragma once

#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sla::emu {

// `what` names the file's purpose: "the BIOS". All of it, or so many bytes.
Result<std::vector<std::uint8_t>> read_beginning(std::string_view what, const std::string& path, std::size_t most);
// Of what was read as one byte more than it may have.
Result<void> check_length(std::string_view what, const std::string& path, std::size_t bytes, std::size_t most,
                          std::string_view too_long);
// Longer than `most` bytes is an error that says `too_long`.
Result<std::vector<std::uint8_t>> read_file(std::string_view what, const std::string& path, std::size_t most,
                                            std::string_view too_long);

// Standard output for "-", which is flushed but not closed at the end.
Result<std::shared_ptr<std::FILE>> open_output(std::string_view what, const std::string& path);

// That it can be written there, before anything runs whose end it is for; leaves nothing there.
Result<void> check_output(std::string_view what, const std::string& path);

// Debian's SeaBIOS; nothing when it is not installed.
std::string find_firmware();
// A file in the same folder, if it is there.
std::string beside(const std::string& path, std::string_view name);

}  // namespace sla::emu
