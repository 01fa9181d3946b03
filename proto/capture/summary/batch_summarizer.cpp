#include "proto/capture/summary/batch_summarizer.h"

#include "proto/capture/summary/state_row.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kMaxThreads = 64;

bool is_state_code(std::uint8_t code) {
    return changes_state(wire::kind_of(code));
}

// Behind the rows that have this one's code.
std::size_t end_of_equals(const std::vector<std::uint8_t>& codes, std::size_t row) {
    if (row == 0 && std::memcmp(codes.data(), codes.data() + 1, codes.size() - 1) == 0) return codes.size();
    std::size_t end = row + 1;
    while (end < codes.size() && codes[end] == codes[row]) ++end;
    return end;
}

}  // namespace

BatchSummarizer::Thread* BatchSummarizer::thread(std::uint32_t id) {
    for (Thread& known : threads_) {
        if (known.id == id) return &known;
    }
    if (threads_.size() >= kMaxThreads) return nullptr;
    return &threads_.emplace_back(Thread{id, {}});
}

bool BatchSummarizer::look_at(const wire::EventBatch& batch, std::uint32_t row) {
    const std::uint32_t id = batch.threads[row];
    switch (wire::kind_of(batch.codes[row])) {
        case wire::Kind::kBegin: {
            Thread* const its = thread(id);
            if (its != nullptr) its->open.push_back(row);
            return its != nullptr;
        }
        case wire::Kind::kEnd: {
            Thread* const its = thread(id);
            if (its == nullptr) return false;
            if (its->open.empty()) {
                apart_.push_back(row);
                return true;
            }
            spans_.emplace_back(its->open.back(), row);
            its->open.pop_back();
            return true;
        }
        case wire::Kind::kLevel:
            if (!std::exchange(is_level_reported_, true)) apart_.push_back(row);
            return true;
        case wire::Kind::kGap:
            is_level_reported_ = true;
            apart_.push_back(row);
            for (Thread& one : threads_) {
                if (id != 0 && one.id != id) continue;
                apart_.insert(apart_.end(), one.open.begin(), one.open.end());
                one.open.clear();
            }
            return true;
        default: return true;
    }
}

// What ends within the batch, with one of those rows in between, stands apart as well.
bool BatchSummarizer::set_crossed_apart() {
    for (std::size_t known = ~std::size_t{0}; known != apart_.size();) {
        known = apart_.size();
        if (known > kMaxApart) return false;
        std::sort(apart_.begin(), apart_.end());
        const auto end = apart_.begin() + static_cast<std::ptrdiff_t>(known);
        std::vector<std::uint32_t> more;
        std::erase_if(spans_, [&](const auto& span) {
            const auto next = std::upper_bound(apart_.begin(), end, span.first);
            if (next == end || *next > span.second) return false;
            more.insert(more.end(), {span.first, span.second});
            return true;
        });
        apart_.insert(apart_.end(), more.begin(), more.end());
    }
    return true;
}

// Begins and ends of one thread by turns, as most batches of spans are. False: it is none of those.
bool BatchSummarizer::find_ends_apart(const wire::EventBatch& batch) {
    if (!are_turns(batch, 0, batch.size())) return false;
    const auto last = static_cast<std::uint32_t>(batch.size() - 1);
    if (wire::kind_of(batch.codes.front()) == wire::Kind::kEnd) apart_.push_back(0);
    if (wire::kind_of(batch.codes.back()) == wire::Kind::kBegin) apart_.push_back(last);
    return true;
}

bool BatchSummarizer::find_rows_apart(const wire::EventBatch& batch) {
    threads_.clear();
    spans_.clear();
    apart_.clear();
    is_level_reported_ = false;
    if (find_ends_apart(batch)) return true;
    for (std::size_t row = 0; row < batch.size();) {
        if (!is_state_code(batch.codes[row])) {
            row = end_of_equals(batch.codes, row);
        } else if (row + 1 < batch.size() && is_pair(batch, row)) {
            row += 2;
        } else {
            if (!look_at(batch, static_cast<std::uint32_t>(row)) || apart_.size() > kMaxApart) return false;
            ++row;
        }
    }
    for (const Thread& one : threads_) apart_.insert(apart_.end(), one.open.begin(), one.open.end());
    return apart_.empty() || set_crossed_apart();
}

bool BatchSummarizer::add_run(const wire::EventBatch& batch, std::size_t begin, std::size_t end, bool knows_level,
                              BatchSummary& out) {
    ClosedRun& run = out.runs.emplace_back();
    run.knows_level = knows_level;
    if (begin == end) return true;
    // Cells as the batch's own, so that those of a batch that begins a cell are whole.
    while (begin < end) {
        const std::size_t stop = std::min(end, (begin / kCellRows + 1) * kCellRows);
        lane_.add(batch, begin, stop);
        lane_.end_cell();
        begin = stop;
    }
    const bool is_known = lane_.take_intervals(run.sums, run.singles, counter_);
    const std::size_t before = out.cells.size();
    const LaneSummary sum = lane_.take(out.cells);
    if (out.cells.size() == before) out.cells.push_back(sum);
    run.cells = static_cast<std::uint32_t>(out.cells.size() - before);
    out.deepest = std::max(out.deepest, sum.deepest);
    return is_known;
}

std::shared_ptr<const BatchSummary> BatchSummarizer::of(const wire::EventBatch& batch) {
    if (batch.size() < kMinRows || !find_rows_apart(batch)) return nullptr;
    auto out = std::make_shared<BatchSummary>();
    out->cells.reserve(batch.size() / kCellRows + 1 + 2 * apart_.size());
    bool knows_level = false;
    std::size_t begin = 0;
    for (const std::uint32_t row : apart_) {
        const bool follows_another = row == begin && !out->runs.empty();
        if (!follows_another && !add_run(batch, begin, row, knows_level, *out)) return nullptr;
        out->runs.back().rows_apart++;
        const StateRow& apart = out->rows_apart.emplace_back(state_row(batch, row));
        begin = row + 1;
        if (apart.code != SLA_CODE_LEVEL && apart.code != SLA_CODE_GAP) continue;
        knows_level = true;
        lane_.set_level(level_behind(apart));
    }
    if (begin < batch.size() && !add_run(batch, begin, batch.size(), knows_level, *out)) return nullptr;
    return out;
}

}  // namespace sla::capture
