// A Notice for a capture that a command writes.
#pragma once

#include "proto/wire/capture.pb.h"
#include "proto/wire/utf8.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::capture_tools {

enum class NoticeAbout { kAnything, kDamage };

// What a cut says of the rows that it takes from before.
inline constexpr std::string_view kOnlyTells = ": rows before this moment only tell what held when it came";

// The text may name files, whose names are any bytes.
inline wire::Frame notice(std::uint64_t tick, const std::string& text, NoticeAbout about) {
    wire::Frame frame;
    frame.mutable_notice()->set_tick(tick);
    frame.mutable_notice()->set_text(wire::to_utf8(text));
    frame.mutable_notice()->set_damage(about == NoticeAbout::kDamage);
    return frame;
}

}  // namespace sla::capture_tools
