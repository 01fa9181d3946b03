// Text that somebody types at the PC's keyboard, with the waits between: parsed from what people write.
//
//   \n \t \b \e \\        Enter, Tab, Backspace, Escape, backslash; a newline of the text is Enter too
//   \{down} \{f2} ...     a key by its name (emu/device/input/key_names.h)
//   \{wait 500ms}         nothing for so long
//   \{see TEXT}           nothing until the screen shows TEXT, in which \n is the end of a line
//   \{stop}               the run ends
#pragma once

#include "emu/bus/clock.h"
#include "emu/device/input/key_names.h"
#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sla::machine {

struct Pause {
    bus::Nanoseconds time = 0;
};
struct AwaitText {
    std::string text;
};
struct EndRun {};
using TypingStep = std::variant<device::Stroke, Pause, AwaitText, EndRun>;

Result<std::vector<TypingStep>> parse_typed_text(std::string_view text);

}  // namespace sla::machine
