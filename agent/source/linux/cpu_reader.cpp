#include "agent/source/linux/cpu_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sla::source {

CpuReader::CpuReader(int cpu, ReadPage read_page, std::size_t page_bytes)
    : cpu_(cpu), read_page_(std::move(read_page)), page_bytes_(page_bytes) {}

CpuReader::Slot& CpuReader::free_slot() {
    if (next_slot_ == filled_ && !in_page_) next_slot_ = filled_ = 0;
    if (filled_ == slots_.size()) slots_.push_back({std::make_unique<std::byte[]>(page_bytes_), 0});
    return slots_[filled_];
}

std::size_t CpuReader::fill(std::size_t pages) {
    drained_ = false;
    bool last_was_short = false;
    std::size_t read = 0;
    while (read < pages) {
        Slot& slot = free_slot();
        const long got = read_page_(slot.bytes.get(), page_bytes_);
        if (got <= 0) {
            drained_ = true;
            break;
        }
        slot.used = static_cast<std::size_t>(got);
        filled_++;
        read++;
        const TracePage page({slot.bytes.get(), slot.used});
        newest_page_tick_ = std::max(newest_page_tick_, page.first_tick());
        lost_told_ += page.lost().value_or(0);
        // Pages that are not full are the one being written: going on looking would give a few events a read.
        const bool is_short = page.length() * 2 < page_bytes_;
        if (is_short && last_was_short) break;
        last_was_short = is_short;
    }
    if (!has_item_) has_item_ = next();
    return read;
}

bool CpuReader::next_page() {
    if (next_slot_ == filled_) return false;
    const Slot& slot = slots_[next_slot_++];
    page_ = TracePage({slot.bytes.get(), slot.used});
    in_page_ = true;
    return true;
}

bool CpuReader::next() {
    for (;;) {
        if (in_page_) {
            if (page_.next(item_.record)) {
                item_.kind = TraceItem::Kind::kEvent;
                last_tick_ = item_.record.tick;
                return true;
            }
            in_page_ = false;
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
    return [shared](std::byte* room, std::size_t bytes) -> long {
        for (;;) {
            const ssize_t got = ::read(shared->get(), room, bytes);
            if (got >= 0 || errno != EINTR) return got >= 0 ? got : (errno == EAGAIN ? 0 : -1);
        }
    };
}

}  // namespace sla::source
