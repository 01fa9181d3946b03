#include "proto/ring/ring_reader.h"

#include "proto/ring/program_text.h"

#include <algorithm>
#include <bit>

namespace sla::ring {
namespace {

std::uint64_t load_acquire(const std::uint64_t& field) {
    return __atomic_load_n(&field, __ATOMIC_ACQUIRE);
}
std::uint32_t load_acquire(const std::uint32_t& field) {
    return __atomic_load_n(&field, __ATOMIC_ACQUIRE);
}

Error positions_impossible() {
    return damaged("a ring's positions are impossible: the program has written over its segment");
}

}  // namespace

RingReader::RingReader(const SegmentView& view, std::uint32_t number)
    : view_(&view), header_(view.ring(number)), slots_(view) {}

Result<bool> RingReader::open() {
    std::uint32_t state = load_acquire(header_->state);  // pairs with the claim's release of LIVE
    if (state > SLA_RING_CLOSED) return damaged("a ring's state is none");
    if (state != SLA_RING_LIVE && state != SLA_RING_CLOSED) return false;
    RingDescription fresh;
    fresh.generation = load_acquire(header_->generation);
    if (slots_.are_there() && fresh.generation == description_.generation) return true;
    fresh.channel = load_acquire(header_->channel);
    fresh.thread = load_acquire(header_->thread);
    fresh.width = load_acquire(header_->width);
    fresh.overwrite = load_acquire(header_->policy) == SLA_OVERWRITE;
    fresh.follows = load_acquire(header_->follows) != 0;
    fresh.capacity = load_acquire(header_->capacity);
    fresh.thread_name = program_text(header_->thread_name);
    if (fresh.width >= SLA_WIDTH_COUNT || !std::has_single_bit(fresh.capacity) || fresh.channel == 0 ||
        fresh.channel > view_->channel_count()) {
        return damaged("a ring's description is not one");
    }
    const bool is_first = !slots_.are_there();
    const std::uint64_t position = is_first ? load_acquire(header_->tail) : position_;
    if (!slots_.open(load_acquire(header_->offset), fresh, position)) return damaged("a ring lies outside its segment");
    if (is_first) accounted_ = load_acquire(header_->lost_accounted);
    position_ = position;
    description_ = std::move(fresh);
    return true;
}

// Of rings that drop the newest: what is published stands still.
bool RingReader::copy_unmapped(std::size_t count, RingChunk& chunk) const {
    return !description_.overwrite && slots_.copy_unmapped(position_, count, chunk);
}

Result<ContiguousSlots> RingReader::look(std::size_t max_slots, RingChunk& copies) {
    SLA_CHECK(slots_.are_there() && can_look());
    std::uint64_t head = load_acquire(header_->head);  // pairs with the marker's release of head: the slots are written
    ContiguousSlots extent;
    extent.available = head - position_;
    if (head < position_ || extent.available > description_.capacity) return positions_impossible();
    extent.count = std::min({max_slots, extent.available, slots_.until_end(position_)});
    if (copy_unmapped(extent.count, copies)) {
        extent.words = copies.words.data();
        return extent;
    }
    extent.words = slots_.at(position_);
    slots_.map(position_, extent.count);
    return extent;
}

void RingReader::release(std::size_t count) {
    position_ += count;
    __atomic_store_n(&header_->tail, position_, __ATOMIC_RELEASE);  // pairs with put_held's acquire of tail
}

// Where positions are impossible, read() says so.
RingReader::Until RingReader::count_until(std::uint64_t tick, std::size_t max_slots, RingChunk& copies) const {
    SLA_CHECK(slots_.are_there());
    const std::uint64_t head = load_acquire(header_->head);  // pairs as above
    if (head < position_) return {max_slots, false};
    const std::uint64_t available = std::min<std::uint64_t>(head - position_, description_.capacity);
    const std::size_t words = slots_.words_per_slot();
    std::uint64_t most = std::min<std::uint64_t>(max_slots, available);
    if (view_->are_pages_scarce()) most = std::min(most, slots_.most_copied());
    // Mostly a few are wanted of many: no more are copied than twice as many as lie before that tick.
    constexpr std::uint64_t kFirstCopied = 64;
    std::uint64_t copied = std::min(most, kFirstCopied);
    bool are_copied = copy_unmapped(copied, copies);
    for (std::uint64_t count = 0; count < most; count++) {
        if (are_copied && count == copied) {
            copied = std::min(most, 2 * copied);
            are_copied = copy_unmapped(copied, copies);
        }
        const std::uint64_t* const slot =
            are_copied ? copies.words.data() + count * words : slots_.at(head - available + count);
        if ((load(slot) & SLA_TICK_MASK) > tick) return {static_cast<std::size_t>(count), true};
    }
    return {most < available ? static_cast<std::size_t>(most) : max_slots, false};
}

Result<void> RingReader::read(std::size_t max_slots, RingChunk& chunk) {
    SLA_CHECK(slots_.are_there());
    chunk.count = 0;
    chunk.overwritten = chunk.torn = 0;
    std::uint64_t head = load_acquire(header_->head);  // pairs with the marker's release of head: the slots are written
    std::uint64_t available = head - position_;
    std::uint64_t capacity = description_.capacity;
    if (head < position_ || (!description_.overwrite && available > capacity)) {
        return positions_impossible();
    }
    if (available > capacity) {
        chunk.overwritten = available - capacity;
        position_ += chunk.overwritten;
        available = capacity;
    }
    chunk.available = available;
    std::size_t count = std::min<std::uint64_t>(available, max_slots);
    if (!copy_unmapped(count, chunk)) {
        slots_.map(position_, count);
        slots_.copy_slots(position_, count, chunk);
    }
    std::size_t torn = 0;
    if (description_.overwrite) {
        std::uint64_t reserve = std::max(__atomic_load_n(&header_->reserve, __ATOMIC_RELAXED), head);
        std::uint64_t whole_from = reserve > capacity ? reserve - capacity : 0;
        if (whole_from > position_) torn = std::min<std::uint64_t>(whole_from - position_, count);
    }
    chunk.torn = torn;
    if (torn > 0)
        chunk.words.erase(chunk.words.begin(),
                          chunk.words.begin() + static_cast<std::ptrdiff_t>(torn * chunk.words_per_slot));
    chunk.count = count - torn;
    release(count);
    chunk.drained = position_ == head;
    return {};
}

std::uint64_t RingReader::earliest_stamp() const {
    return view_->stamp_clock() == SLA_STAMP_OWN ? 0 : view_->attached_tick();
}

bool RingReader::writer_inside() const {
    std::uint64_t head = load_acquire(header_->head);  // pairs with publish: when it is new, so is what is in its slot
    return __atomic_load_n(&header_->reserve, __ATOMIC_RELAXED) != head;
}

RingReader::Dropped RingReader::dropped() const {
    constexpr int kLooks = 4;  // a program that drops without end is not waited for
    Dropped dropped;
    std::uint64_t total = load_acquire(header_->lost);  // pairs with drop's release: the ticks below are at least as new
    for (int look = 0; look < kLooks; look++) {
        dropped.total = total;
        dropped.first_tick = load_acquire(header_->lost_first_tick) & SLA_TICK_MASK;  // read before lost is once more
        dropped.last_tick = load_acquire(header_->lost_last_tick) & SLA_TICK_MASK;    // likewise
        total = load_acquire(header_->lost);                                          // pairs as above
        if (total == dropped.total) break;
    }
    return dropped;
}

std::uint64_t RingReader::account(std::uint64_t total) {
    if (total <= accounted_) return 0;
    std::uint64_t fresh = total - accounted_;
    accounted_ = total;
    __atomic_store_n(&header_->lost_accounted, accounted_, __ATOMIC_RELEASE);  // read by the next agent's open()
    return fresh;
}

std::uint64_t RingReader::account_filtered() {
    std::uint64_t total = __atomic_load_n(&header_->filtered, __ATOMIC_RELAXED);  // a count, and nothing hangs on it
    std::uint64_t accounted = __atomic_load_n(&header_->filtered_accounted, __ATOMIC_RELAXED);
    if (total <= accounted) return 0;
    __atomic_store_n(&header_->filtered_accounted, total, __ATOMIC_RELAXED);  // read by the next agent's account_filtered
    return total - accounted;
}

void RingReader::ask_for(std::uint64_t slots) {
    std::uint64_t bytes = slots * slots_.slot_bytes();
    __atomic_store_n(&header_->wanted_bytes, bytes, __ATOMIC_RELAXED);  // read by the program once it is notified
}

bool RingReader::is_of_fixed_size() const {
    return __atomic_load_n(&header_->most_bytes, __ATOMIC_RELAXED) <=
           std::uint64_t{description_.capacity} * slots_.slot_bytes();
}

bool RingReader::is_empty() const {
    return load_acquire(header_->head) == position_;  // pairs with publish
}

bool RingReader::is_closed() const {
    return quiet().is_closed();  // pairs with sla_close_ring: head is final now
}

bool RingReader::was_never_used() const {
    return load_acquire(header_->state) == SLA_RING_FREE && load_acquire(header_->generation) == 0;  // as open() reads them
}

void RingReader::give_back() {
    view_->count_free_ring();
    __atomic_store_n(&header_->state, SLA_RING_FREE, __ATOMIC_RELEASE);  // pairs with claim_free's acquire
}

}  // namespace sla::ring
