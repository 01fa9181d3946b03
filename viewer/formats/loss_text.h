// The text of a loss row in tables: why events are missing, and up to which tick where the loss says so: "overrun until tick 81000".
// The rows behind it can be of other threads, so nothing else in a table says how far it reached.
#pragma once

#include "proto/wire/event.h"
#include "viewer/store/lane.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::formats {

// Behind the cause, which is there already (Lane::append_text); nothing where nobody knows until when.
void append_loss_end(const store::Lane& lane, std::uint64_t row, std::string& text);

struct LossText {
    wire::LossCause cause = wire::LossCause::kNone;
    std::uint64_t until_tick = 0;  // 0: it does not say
};
// Of other words: neither.
LossText read_loss_text(std::string_view text);

}  // namespace sla::formats
