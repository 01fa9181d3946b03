#include "agent/drain/ring_feed.h"

#include "agent/drain/slot_decoder.h"

#include <algorithm>
#include <array>

namespace sla::drain {

// Gives the last tick, or 0: something is unusual, and what was taken is to be given up.
std::uint64_t RingFeed::decode_extent(const ring::ContiguousSlots& extent, std::uint64_t not_before, Run& run) const {
    const std::uint32_t width = reader_.description().width;
    const Run::Columns to = run.grow(extent.count, width == SLA_WIDTH_WIDE);
    if (width == SLA_WIDTH_PLAIN) return decode_contiguous(extent, not_before, to);
    if (width == SLA_WIDTH_TEXT) return decode_texts(extent, not_before, to, run);
    std::array<bool, 2> used{};
    const std::uint64_t newest = decode_wide(extent, not_before, to, used);
    for (std::size_t word = 0; word < used.size(); word++) {
        if (!used[word]) run.drop_details(word, extent.count);
    }
    return newest;
}

// The common case, slots in order, after `closed` and not in the future: straight out of the ring. False:
// something is unusual; nothing was taken.
Result<bool> RingFeed::take_extent(const Pass& pass) {
    Result<ring::ContiguousSlots> extent = reader_.look(pass.most, *chunk_);
    if (!extent) return extent.error();
    if (extent->count == 0) return false;
    const std::uint64_t newest = decode_extent(*extent, std::max(newest_, pass.closed + 1), pass.run);
    if (newest == 0 || !pass.clock.is_possible(newest)) {
        pass.run.shrink(extent->count);
        return false;
    }
    newest_ = newest;
    reader_.release(extent->count);
    taken_ = extent->count;
    drained_ = extent->is_all();
    fullness_ = static_cast<double>(extent->available) / reader_.description().capacity;
    return true;
}

void RingFeed::decode_one(const std::uint64_t* slot, const Pass& pass, Decoded& decoded) {
    auto code = static_cast<std::uint8_t>(slot[0] >> SLA_TICK_BITS);
    std::uint64_t tick = slot[0] & SLA_TICK_MASK;
    bool is_text_slot = chunk_->words_per_slot == sizeof(sla_slot_text) / 8;
    if (!wire::is_known_code(code) || (code == SLA_CODE_TEXT) != is_text_slot || !pass.clock.is_possible(tick)) {
        const auto number = static_cast<std::size_t>(slot - chunk_->words.data()) / chunk_->words_per_slot;
        if (decoded.damaged++ == 0) decoded.damage_row = open_gap(pass, tick_of_slot(number + 1, pass.clock));
        decoded.damage_until = 0;
        return;
    }
    if (decoded.damaged > 0 && decoded.damage_until == 0) decoded.damage_until = tick;
    if (tick <= pass.closed) {
        decoded.late++;
        return;
    }
    if (tick < newest_) decoded.in_order = false;
    newest_ = std::max(newest_, tick);
    pass.run.add(tick, code, slot[1] & value_mask(code));
    decoded.kept++;
    if (is_text_slot) {
        pass.run.attach_text(1, text_of(slot));
    } else if (chunk_->words_per_slot == sizeof(sla_slot_wide) / 8) {
        pass.run.set_details({slot[2], slot[3]});
    }
}

// What is gone before `until` was stamped no earlier than the newest event that was read; of a ring of which none was, than the
// program's markers came on.
std::uint64_t RingFeed::since_when(std::uint64_t until) const {
    if (newest_ != 0) return newest_;
    const std::uint64_t earliest = reader_.earliest_stamp();
    return earliest == 0 ? until : std::min(earliest, until);
}

// A row for losses that are still to be counted: settle_gap says how many they were.
std::uint64_t RingFeed::open_gap(const Pass& pass, std::uint64_t until) {
    newest_ = std::max(since_when(until), pass.closed + 1);
    return pass.run.open_gap(newest_);
}

// A gap is never late: it moves up to the first tick that is still open. Nor does it lie in the future, whatever the program
// says.
void RingFeed::add_gap(const Loss& loss, const Pass& pass) {
    if (loss.count == 0) return;
    pass.ledger.add(loss.cause, loss.count);
    if (pass.clock.is_possible(loss.tick)) newest_ = std::max(newest_, loss.tick);
    const std::uint64_t row = open_gap(pass, pass.clock.present());
    pass.run.settle_gap(row, loss.cause, loss.count, loss.until_tick);
}

// When that slot of the chunk was marked, or now when it is not in it: what was lost before it lies no later.
std::uint64_t RingFeed::tick_of_slot(std::size_t number, const StepClock& clock) const {
    if (number >= chunk_->count) return clock.present();
    const std::uint64_t tick = chunk_->words[number * chunk_->words_per_slot] & SLA_TICK_MASK;
    return tick == 0 || !clock.is_possible(tick) ? clock.present() : tick;
}

// Of losses up to this total: the last one's own tick, when the program says it and has lost nothing since; else 0.
std::uint64_t RingFeed::end_of_losses(const ring::RingReader::Dropped& dropped, std::uint64_t total,
                                      const StepClock& clock) {
    return dropped.total == total && clock.is_possible(dropped.last_tick) ? dropped.last_tick : 0;
}

// Dropped events whose gap slot is not written yet. Only once everything published is out, so that the gap stands behind it;
// the slot, when it comes, repeats the same total and adds nothing. Further losses of the same run lie behind these.
void RingFeed::account_unreported_losses(const Pass& pass) {
    const ring::RingReader::Dropped dropped = reader_.dropped();
    if (dropped.total <= reader_.accounted() || !reader_.is_empty()) return;
    const std::uint64_t end = end_of_losses(dropped, dropped.total, pass.clock);
    const std::uint64_t until = end != 0 ? end : pass.clock.present();
    const std::uint64_t from = pass.clock.is_possible(dropped.first_tick) ? dropped.first_tick : 0;
    add_gap({wire::LossCause::kOverrun, reader_.account(dropped.total), std::max(from, lost_until_), until}, pass);
    lost_until_ = until;
}

// Losses that the program reports in front of the first event that found space again.
void RingFeed::add_reported_losses(std::size_t number, const Pass& pass) {
    const std::uint64_t* slot = chunk_->words.data() + number * chunk_->words_per_slot;
    const std::uint64_t total = slot[1];
    const std::uint64_t from = slot[0] & SLA_TICK_MASK;
    const std::uint64_t end = end_of_losses(reader_.dropped(), total, pass.clock);
    const std::uint64_t until = end != 0 ? end : tick_of_slot(number + 1, pass.clock);
    add_gap({wire::LossCause::kOverrun, reader_.account(total), from, until}, pass);
}

// Slots of any kind, one by one. All that is damaged of one piece is one row, where the first of it lies, up to the event
// behind the last.
RingFeed::Decoded RingFeed::decode_each(const Pass& pass) {
    Decoded decoded;
    for (std::size_t i = 0; i < chunk_->count; i++) {
        const std::uint64_t* slot = chunk_->words.data() + i * chunk_->words_per_slot;
        if (slot[0] >> SLA_TICK_BITS == SLA_CODE_GAP) {
            add_reported_losses(i, pass);
        } else {
            decode_one(slot, pass, decoded);
        }
    }
    if (decoded.damaged > 0) {
        const std::uint64_t until = decoded.damage_until != 0 ? decoded.damage_until : pass.clock.present();
        pass.ledger.add(wire::LossCause::kDamaged, decoded.damaged);
        pass.run.settle_gap(decoded.damage_row, wire::LossCause::kDamaged, decoded.damaged, until);
    }
    return decoded;
}

// Whatever there is: a copy is taken first, so that nothing changes while it is looked at.
Result<void> RingFeed::take_copy(const Pass& pass) {
    Result<void> read = reader_.read(pass.most, *chunk_);
    if (!read) return read;
    taken_ = chunk_->count + chunk_->torn;
    drained_ = chunk_->drained;
    fullness_ = static_cast<double>(chunk_->available) / reader_.description().capacity;
    if (chunk_->overwritten > 0 || chunk_->torn > 0) {
        const std::uint64_t until = tick_of_slot(0, pass.clock);
        const std::uint64_t since = since_when(until);
        add_gap({wire::LossCause::kOverrun, chunk_->overwritten, since, until}, pass);
        add_gap({wire::LossCause::kTorn, chunk_->torn, since, until}, pass);
    }
    Decoded decoded = decode_each(pass);
    pass.ledger.events += decoded.kept;
    if (!decoded.in_order) pass.run.sort();
    add_gap({wire::LossCause::kLate, decoded.late}, pass);
    return {};
}

Result<std::size_t> RingFeed::drain(const StepClock& clock, std::uint64_t closed, Run& run, LossLedger& ledger,
                                    std::size_t most, std::uint64_t until) {
    ring::RingReader::Until up_to{most, false};
    if (until < SLA_TICK_MASK) up_to = reader_.count_until(until, most, *chunk_);
    most = up_to.count;
    if (most == 0) {
        taken_ = 0;
        drained_ = true;
        bound_ = std::max(bound_, until);
        return taken_;
    }
    const Pass pass{clock, closed, run, ledger, most};
    bool inside = reader_.writer_inside();
    bool usual = false;
    if (reader_.can_look()) {
        Result<bool> took = take_extent(pass);
        if (!took) return took.error();
        usual = *took;
    }
    if (usual) {
        ledger.events += taken_;
    } else if (Result<void> took = take_copy(pass); !took) {
        return took.error();
    }
    if (drained_) account_unreported_losses(pass);
    set_bound(clock, inside);
    if (up_to.is_next_later && taken_ == most) bound_ = std::max(bound_, until);
    return taken_;
}

bool RingFeed::ask_for_space(std::uint64_t now, std::size_t taken) {
    std::uint64_t slots = growth_.observe(now, taken, reader_.description().capacity, fullness_);
    if (slots == 0 || reader_.is_of_fixed_size()) return false;
    reader_.ask_for(slots);
    return true;
}

// What still lies in the ring is waited for however old it is; only a marker that does not get done runs into our
// timeout. And a program that never lets its ring become empty, and stamps as it likes: once a whole ring of slots is
// out, what lies there now was published since.
void RingFeed::set_bound(const StepClock& clock, bool inside) {
    const std::uint64_t quiet = clock.before(inside ? kTimeoutTicks : kStoreBufferTicks);
    const std::uint64_t seen = newest_ > 0 ? newest_ - 1 : 0;
    if (drained_) {
        bound_ = inside ? std::max({bound_, seen, quiet}) : quiet;
        round_left_ = round_bound_ = 0;
        return;
    }
    bound_ = std::max(bound_, seen);
    if (round_left_ > taken_) {
        round_left_ -= taken_;
        return;
    }
    bound_ = std::max(bound_, round_bound_);
    round_bound_ = quiet;
    round_left_ = reader_.description().capacity;
}

}  // namespace sla::drain
