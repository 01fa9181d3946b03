#include "agent/linux/tracefs/cpu_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sla::linux {

CpuReader::CpuReader(int cpu, ReadPage read_page, std::size_t page_bytes)
    : cpu_(cpu), read_page_(std::move(read_page)), page_bytes_(page_bytes) {}

CpuReader::Slot CpuReader::take_spare() {
    if (spare_.empty()) return {std::make_unique_for_overwrite<std::byte[]>(page_bytes_), 0};
    Slot slot = std::move(spare_.back());
    spare_.pop_back();
    return slot;
}

std::size_t CpuReader::fill(std::size_t pages, std::uint64_t until) {
    drained_ = false;
    bool last_was_short = false;
    std::size_t read = 0;
    while (read < pages && newest_page_tick_ < until) {
        Slot slot = take_spare();
        const long got = read_page_(slot.bytes.get(), page_bytes_);
        if (got <= 0) {
            spare_.push_back(std::move(slot));
            drained_ = true;
            break;
        }
        slot.used = static_cast<std::size_t>(got);
        const TracePage page({slot.bytes.get(), slot.used});
        waiting_.push_back(std::move(slot));
        read++;
        newest_page_tick_ = std::max(newest_page_tick_, page.first_tick());
        lost_reported_ += page.lost().value_or(0);
        // Pages that are not full are the one being written: going on looking would give a few events a read.
        const bool is_short = page.length() * 2 < page_bytes_;
        if (is_short && last_was_short) break;
        last_was_short = is_short;
    }
    if (!has_item_) has_item_ = next();
    return read;
}

bool CpuReader::next_page() {
    if (waiting_.empty()) return false;
    const Slot& slot = waiting_.front();
    page_ = TracePage({slot.bytes.get(), slot.used});
    in_page_ = true;
    return true;
}

void CpuReader::leave_page() {
    in_page_ = false;
    if (item_.kind == TraceItem::Kind::kEvent) last_tick_ = item_.record.tick;
    spare_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
}

bool CpuReader::next() {
    for (;;) {
        if (in_page_) {
            if (page_.next(item_.record)) {
                item_.kind = TraceItem::Kind::kEvent;
                return true;
            }
            leave_page();
            if (page_.damaged()) {
                item_.kind = TraceItem::Kind::kDamage;
                item_.record = {last_tick_, {}};
                return true;
            }
        }
        if (!next_page()) return false;
        if (page_.lost_any()) {
            item_.kind = TraceItem::Kind::kLoss;
            item_.record = {last_tick_ != 0 ? last_tick_ : page_.first_tick(), {}};
            item_.lost = page_.lost();
            item_.until_tick = page_.first_tick();
            return true;
        }
    }
}

CpuReader::ReadPage read_descriptor(UniqueFd fd) {
    // std::function wants copies; the descriptor has one owner.
    auto shared = std::make_shared<UniqueFd>(std::move(fd));
    return [shared](std::byte* buffer, std::size_t bytes) -> long {
        for (;;) {
            const ssize_t got = ::read(shared->get(), buffer, bytes);
            if (got >= 0 || errno != EINTR) return got >= 0 ? got : (errno == EAGAIN ? 0 : -1);
        }
    };
}

}  // namespace sla::linux
