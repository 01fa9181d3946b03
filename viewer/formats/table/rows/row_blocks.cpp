#include "viewer/formats/table/rows/row_blocks.h"

#include "viewer/formats/loss_text.h"
#include "viewer/formats/names.h"

namespace sla::formats {

namespace {

// Looked up: which kind comes next nobody can foretell.
constexpr auto kKindOfCode = [] {
    std::array<std::uint8_t, 256> kinds{};
    for (std::size_t code = 0; code < kinds.size(); ++code)
        kinds[code] = static_cast<std::uint8_t>(wire::kind_of(static_cast<std::uint8_t>(code)));
    return kinds;
}();

}  // namespace

// Inlined, as it is called for each row from one place.
[[gnu::always_inline]] inline void RowBlocks::put(const store::MergedRows::Row& row, RowBlock& block) {
    LaneState& state = states_[row.lane];
    if (!state.is_known || state.thread != row.thread) know(state, row);
    BlockRow& to = block.space[block.count++];
    to.tick = row.tick;
    to.value = row.value;
    to.code = static_cast<std::uint8_t>(row.code);
    const RowNames*& names = state.names[kKindOfCode[to.code]];
    if (names == nullptr) names = make_names(row);
    to.names = names;
    to.text_bytes = 0;
    if (state.has_text || to.code == SLA_CODE_GAP) put_text(row, to, block);
    const auto deltas = deltas_.next(state.last, row.tick, row.thread);
    to.channel_ticks = deltas.channel;
    to.error_ps = deltas.error_ps;
    to.has_any = deltas.has_any;
    to.has_channel = deltas.has_channel;
}

bool RowBlocks::fill(RowBlock& block) {
    if (names_->size() >= kMostNames) forget_names();
    block.names = names_;
    block.first = rows_;
    block.tick_before = tick_before_;
    block.count = 0;
    block.texts.clear();
    bool is_more = true;
    while (block.count < RowBlock::kRows && block.texts.size() < RowBlock::kTextBytes) {
        const store::MergedRows::Row* const row = walk_.next_row();
        is_more = row != nullptr;
        if (!is_more) break;
        put(*row, block);
    }
    rows_ += block.count;
    if (block.count > 0) tick_before_ = block.space[block.count - 1].tick;
    return is_more;
}

// Its first row, or one of another thread.
void RowBlocks::know(LaneState& state, const store::MergedRows::Row& row) {
    if (state.is_known) return change_thread(state, row.thread);
    const store::Lane& lane = *walk_.lanes()[row.lane];
    state.is_known = true;
    state.thread = row.thread;
    state.has_text = may_have_text(lane);
    state.last.host = session_.errors_of(lane);
}

void RowBlocks::change_thread(LaneState& state, std::uint32_t thread) {
    state.others[state.thread] = state.names;
    state.thread = thread;
    state.names = state.others[thread];
}

const RowNames* RowBlocks::make_names(const store::MergedRows::Row& row) {
    const store::Lane& lane = *walk_.lanes()[row.lane];
    const auto kind = static_cast<wire::Kind>(kKindOfCode[row.code]);
    names_->push_back(
        format_.name({sources_.of(lane), thread_text(session_, row.thread), lane.channel().name, wire::kind_name(kind)}));
    return &names_->back();
}

// By itself: what a lane makes of details depends on what is there already.
void RowBlocks::put_text(const store::MergedRows::Row& row, BlockRow& to, RowBlock& block) {
    text_.clear();
    walk_.lanes()[row.lane]->append_text(row.index, text_);
    if (row.code == SLA_CODE_GAP) append_loss_end(*walk_.lanes()[row.lane], row.index, text_);
    block.texts += text_;
    to.text_bytes = static_cast<std::uint32_t>(text_.size());
}

// Blocks that are under way keep those that their rows have.
void RowBlocks::forget_names() {
    names_ = std::make_shared<std::deque<RowNames>>();
    for (LaneState& state : states_) {
        state.names = {};
        state.others.clear();
    }
}

}  // namespace sla::formats
