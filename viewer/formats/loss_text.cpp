#include "viewer/formats/loss_text.h"

#include "viewer/formats/number_text.h"

namespace sla::formats {

namespace {

constexpr std::string_view kUntil = "until tick ";

}  // namespace

void append_loss_end(const store::Lane& lane, std::uint64_t row, std::string& text) {
    const store::Gap* const gap = lane.gap_at(row);  // null: the row is none, or cannot be read
    if (gap == nullptr || !gap->has_end()) return;
    if (!text.empty()) text += ' ';
    text += kUntil;
    text += std::to_string(gap->until_tick);
}

LossText read_loss_text(std::string_view text) {
    LossText loss;
    const std::size_t at = text.rfind(kUntil);
    if (at != std::string_view::npos && (at == 0 || text[at - 1] == ' ')) {
        loss.until_tick = read_number<std::uint64_t>(text.substr(at + kUntil.size())).value_or(0);
        if (loss.until_tick != 0) text = text.substr(0, at == 0 ? 0 : at - 1);
    }
    loss.cause = wire::loss_cause_named(text);
    return loss;
}

}  // namespace sla::formats
