#include "proto/capture/summary/lane_summarizer.h"

#include "proto/capture/summary/value_range.h"

#include <algorithm>

namespace sla::capture {
namespace {

std::uint64_t since(std::uint64_t earlier, std::uint64_t later) {
    return later > earlier ? later - earlier : 0;
}

}  // namespace

void LaneSummarizer::add(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    std::size_t text = batch.texts.from(begin);
    while (begin < end) {
        if (cell_.rows == 0) start_cell(batch.first_index + begin, batch.ticks[begin]);
        const std::size_t space = std::min<std::size_t>(kCellRows - cell_.rows, end - begin);
        const std::size_t stop = run_end(batch.codes, begin, begin + space);
        add_run(batch, begin, stop);
        if (text < batch.texts.size() && batch.texts.position(text) < stop) {
            cell_.has_text = true;
            text = batch.texts.from(stop);
        }
        if (cell_.rows >= kCellRows) close_cell();
        begin = stop;
    }
}

bool LaneSummarizer::add(const BatchSummary& batch) {
    if (open_.depth() + batch.rows_apart.size() + batch.deepest > kRememberedSpans) return false;
    auto cell = batch.cells.begin();
    auto row = batch.rows_apart.begin();
    for (const ClosedRun& run : batch.runs) {
        for (std::uint32_t left = run.cells; left > 0; --left) add_cell(*cell++, run.knows_level);
        if (run.cells > 0) intervals_.add(run.sums, run.singles);
        for (std::uint32_t left = run.rows_apart; left > 0; --left) add_apart(*row++);
    }
    return true;
}

// Where a batch begins within a cell, the cell ends early rather than that one of the batch's is divided.
void LaneSummarizer::add_cell(const LaneSummary& cell, bool knows_level) {
    if (cell_.rows + cell.rows > kCellRows) close_cell();
    if (cell_.rows == 0) start_cell(cell.first_index, cell.first_tick);
    LaneSummary placed = cell;
    const std::uint64_t width = cell.last_tick - cell.first_tick;
    placed.channel = channel_;
    placed.level_before = level_;
    if (!knows_level) {
        placed.level_after = level_;
        placed.high_ticks = level_ == Level::kHigh ? width : 0;
    }
    if (open_.depth() > 0) placed.busy_ticks = width;
    for (std::uint32_t* depth : {&placed.depth_before, &placed.depth_after, &placed.deepest}) *depth += open_.depth();
    placed.span_rows = open_.rows_with(cell.span_rows);
    cell_.level_after = level_;
    cell_.depth_after = open_.depth() + passing_;
    cell_.absorb(placed);
    level_ = placed.level_after;
    passing_ = cell.depth_after;
    open_.pass(cell.begins);
    if (cell_.rows >= kCellRows) close_cell();
}

void LaneSummarizer::add_apart(const StateRow& row) {
    if (cell_.rows == 0) start_cell(row.index, row.tick);
    ++cell_.rows;
    intervals_.add_row(row.tick, row.code == SLA_CODE_GAP);
    add_state(row);
    if (cell_.rows >= kCellRows) close_cell();
}

void LaneSummarizer::add_opaque(std::uint64_t first_index, std::uint64_t first_tick, std::uint64_t last_tick,
                                std::uint32_t rows) {
    if (cell_.rows == 0) start_cell(first_index, first_tick);
    cell_.longest_pause = std::max(cell_.longest_pause, since(cell_.last_tick, last_tick));
    cell_.last_tick = std::max(cell_.last_tick, last_tick);
    cell_.rows += rows;
    cell_.opaque = true;
    intervals_.set_unknown();
    cut_.clear();
    open_.gap(0, cut_);  // what it said of spans and levels is not known
    level_ = Level::kUnknown;
    if (cell_.rows >= kCellRows) close_cell();
}

LaneSummary LaneSummarizer::take(std::vector<LaneSummary>& cells) {
    end_cell();
    LaneSummary sum;
    for (const LaneSummary& cell : cells_) sum.absorb(cell);
    if (cells_.size() > 1) cells.insert(cells.end(), cells_.begin(), cells_.end());
    cells_.clear();
    crossed_.clear();
    gaps_.clear();
    return sum;
}

std::size_t LaneSummarizer::bytes() const {
    const auto of = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
    return sizeof *this + of(cells_) + intervals_.bytes() + open_.bytes() + of(open_before_) + of(crossed_) + of(gaps_) +
           of(cut_);
}

void LaneSummarizer::start_cell(std::uint64_t index, std::uint64_t tick) {
    if (cells_.empty()) {
        open_before_.clear();
        open_.append_to(open_before_);
        begun_before_ = open_.begun();
    }
    cell_.channel = channel_;
    cell_.first_index = index;
    cell_.first_tick = cell_.last_tick = tick;
    cell_.level_before = level_;
    cell_.depth_before = cell_.deepest = open_.depth();
    cell_.span_rows = open_.rows_taken();
}

void LaneSummarizer::close_cell() {
    cell_.level_after = level_;
    cell_.depth_after = open_.depth() + passing_;
    cells_.push_back(cell_);
    cell_ = {};
}

void LaneSummarizer::add_run(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    const std::uint8_t code = batch.codes[begin];
    const wire::Kind kind = wire::kind_of(code);
    cell_.rows += end - begin;
    if (changes_state(kind)) {
        if (are_turns(batch, begin, end)) return add_turns(batch, begin, end);
        intervals_.add(batch, begin, end);
        return add_states(batch, begin, end);
    }
    cell_.kinds |= kinds_bit(kind);
    add_values(code, batch.values.data() + begin, batch.values.data() + end);
    add_ticks(batch.ticks.data() + begin, batch.ticks.data() + end);
}

// Nothing changes state between these.
void LaneSummarizer::add_ticks(const std::uint64_t* begin, const std::uint64_t* end) {
    const std::uint64_t before = cell_.last_tick;
    cell_.longest_pause = std::max({cell_.longest_pause, since(before, *begin), intervals_.add_events(begin, end)});
    cell_.last_tick = std::max(before, *(end - 1));
    if (level_ == Level::kHigh) cell_.high_ticks += since(before, cell_.last_tick);
    if (open_.depth() > 0) cell_.busy_ticks += since(before, cell_.last_tick);
}

void LaneSummarizer::add_values(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end) {
    if (code != SLA_CODE_LEVEL && wire::has_value(code)) cell_.has_number = true;
    widen(range_of_values(code, begin, end));
}

void LaneSummarizer::widen(const ValueRange& values) {
    if (values.empty()) return;
    cell_.min = cell_.has_value ? std::min(cell_.min, values.least) : values.least;
    cell_.max = cell_.has_value ? std::max(cell_.max, values.most) : values.most;
    cell_.has_value = true;
}

void LaneSummarizer::add_pause(std::uint64_t tick) {
    const std::uint64_t pause = since(cell_.last_tick, tick);
    cell_.longest_pause = std::max(cell_.longest_pause, pause);
    cell_.last_tick = std::max(cell_.last_tick, tick);
    if (level_ == Level::kHigh) cell_.high_ticks += pause;
    if (open_.depth() > 0) cell_.busy_ticks += pause;
}

void LaneSummarizer::add_state(const StateRow& row) {
    add_pause(row.tick);
    const wire::Kind kind = wire::kind_of(row.code);
    cell_.kinds |= kinds_bit(kind);
    if (kind != wire::Kind::kGap && wire::has_value(row.code)) add_values(row.code, &row.value, &row.value + 1);
    change_state(row);
}

}  // namespace sla::capture
