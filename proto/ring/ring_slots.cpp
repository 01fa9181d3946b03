#include "proto/ring/ring_slots.h"

#include <algorithm>

namespace sla::ring {
namespace {

constexpr std::uint64_t kMostAhead = std::uint64_t{32} << 10;   // bytes
constexpr std::uint64_t kMostCopied = std::uint64_t{16} << 10;  // of more, mapping is as cheap

std::size_t words_of_width(std::uint32_t width) {
    switch (width) {
        case SLA_WIDTH_PLAIN: return sizeof(sla_slot_plain) / 8;
        case SLA_WIDTH_WIDE: return sizeof(sla_slot_wide) / 8;
        default: return sizeof(sla_slot_text) / 8;
    }
}

}  // namespace

bool RingSlots::open(std::uint64_t offset, const RingDescription& ring, std::uint64_t position) {
    const std::size_t words = words_of_width(ring.width);
    const unsigned char* const slots = view_->arena(offset, ring.capacity * words * sizeof(std::uint64_t));
    if (!slots) return false;
    slots_ = slots;
    capacity_ = ring.capacity;
    words_ = words;
    mapped_ = {position, position, view_->releases()};
    return true;
}

std::uint64_t RingSlots::most_copied() const {
    return kMostCopied / slot_bytes();
}

// A whole ring is, wherever it is read.
bool RingSlots::are_mapped(std::uint64_t position, std::size_t count) const {
    return mapped_.releases == view_->releases() &&
           (position + count <= mapped_.until || mapped_.until - mapped_.from >= capacity_);
}

// As much ahead as was read since it began, up to kMostAhead: of rings that are hardly used the pages that are read alone.
void RingSlots::map(std::uint64_t position, std::size_t count) {
    if (mapped_.releases != view_->releases()) mapped_ = {position, position, view_->releases()};
    if (are_mapped(position, count)) return;
    if (position > mapped_.until) mapped_.from = mapped_.until = position;
    const std::uint64_t wanted = position + count;
    const std::uint64_t ahead = std::min(mapped_.until - mapped_.from, kMostAhead / slot_bytes());
    const std::uint64_t until = std::min(wanted + ahead, mapped_.from + capacity_);
    for (std::uint64_t from = mapped_.until; from < until;) {
        const std::uint64_t run = std::min(until - from, until_end(from));
        const auto* const begin = reinterpret_cast<const unsigned char*>(at(from));
        const unsigned char* const end = begin + run * slot_bytes();
        view_->map_pages(begin, run * slot_bytes());
        // Up to where the last page ends.
        const std::uint64_t rest = (0 - reinterpret_cast<std::uintptr_t>(end)) % SegmentView::kPageBytes;
        mapped_.until = from + run + std::min(rest / slot_bytes(), until_end(from) - run);
        from += run;
    }
}

void RingSlots::make_room(std::size_t count, RingChunk& chunk) const {
    chunk.words_per_slot = words_;
    if (chunk.words.size() < count * words_) chunk.words.resize(count * words_);
}

bool RingSlots::copy_unmapped(std::uint64_t position, std::size_t count, RingChunk& chunk) const {
    if (!view_->are_pages_scarce() || count == 0 || count > most_copied() || are_mapped(position, count)) return false;
    make_room(count, chunk);
    const std::uint64_t run = std::min<std::uint64_t>(count, until_end(position));
    return view_->copy(reinterpret_cast<const unsigned char*>(at(position)), run * slot_bytes(), chunk.words.data()) &&
           (run == count || view_->copy(slots_, (count - run) * slot_bytes(), chunk.words.data() + run * words_));
}

// Word by word, since an overwriting writer may be at the same slot: what is torn is found out afterwards. Each load is an
// acquire that pairs with the marker's release of the same word: whoever sees a new word sees its reservation as well.
void RingSlots::copy_slots(std::uint64_t position, std::size_t count, RingChunk& chunk) const {
    make_room(count, chunk);
    std::uint64_t* to = chunk.words.data();
    for (std::size_t done = 0; done < count;) {
        const std::size_t run = std::min<std::size_t>(count - done, until_end(position + done));
        const std::uint64_t* const from = at(position + done);
        const std::size_t words = run * words_;
        for (std::size_t i = 0; i < words; i++) to[i] = __atomic_load_n(from + i, __ATOMIC_ACQUIRE);
        to += words;
        done += run;
    }
}

}  // namespace sla::ring
