// A stranger's text as a name or a line: UTF-8 that fits, without what would steer a terminal or begin another line.
#pragma once

#include "proto/base/control_characters.h"
#include "proto/wire/utf8.h"

#include <string>
#include <string_view>

namespace sla::wire {

inline std::string one_line(std::string_view text, std::size_t max_bytes = kNoTextLimit) {
    return without_control(to_utf8(text, max_bytes), '?');
}

}  // namespace sla::wire
