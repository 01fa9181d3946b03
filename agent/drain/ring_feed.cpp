#include "agent/drain/ring_feed.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sla::drain {
namespace {

// For each code: all bits when a value belongs to it, else none.
constexpr std::array<std::uint64_t, 16> make_value_masks() {
    std::array<std::uint64_t, 16> masks{};
    for (std::uint8_t code = 0; code < 16; code++) masks[code] = wire::has_value(code) ? ~std::uint64_t{0} : 0;
    return masks;
}
constexpr std::array<std::uint64_t, 16> kValueMasks = make_value_masks();

// Codes that stand for themselves in a plain slot; the others (gap, text, nonsense) take the slow way.
constexpr bool is_plain_code(std::uint64_t code) {
    return code >= SLA_CODE_TICK && code <= SLA_CODE_VALUE_FLOAT;
}

std::string text_of(const std::uint64_t* slot) {
    std::size_t bytes = std::min<std::uint64_t>(slot[1], SLA_TEXT_BYTES);
    return {reinterpret_cast<const char*>(slot + 2), bytes};
}

}  // namespace

// The common case, all slots plain and in order: one branch-free pass, checked afterwards. Anything unusual makes it give up
// with nothing kept, and the slots are taken one by one.
RingFeed::Decoded RingFeed::decode_plain(const Run::Columns& to, std::uint64_t closed) {
    const std::uint64_t* from = chunk_.words.data();
    std::uint64_t previous = std::max(newest_, closed + 1);
    bool usual = true;
    for (std::size_t i = 0; i < chunk_.count; i++, from += 2) {
        std::uint64_t tick = from[0] & SLA_TICK_MASK;
        std::uint64_t code = from[0] >> SLA_TICK_BITS;
        usual &= is_plain_code(code) & (tick >= previous);
        previous = tick;
        to.ticks[i] = tick;
        to.codes[i] = static_cast<std::uint8_t>(code);
        to.values[i] = from[1] & kValueMasks[code];
    }
    Decoded decoded;
    if (!usual) return decoded;
    decoded.kept = chunk_.count;
    newest_ = previous;
    return decoded;
}

void RingFeed::decode_one(const std::uint64_t* slot, std::uint64_t closed, Run& run, Decoded& decoded) {
    auto code = static_cast<std::uint8_t>(slot[0] >> SLA_TICK_BITS);
    std::uint64_t tick = slot[0] & SLA_TICK_MASK;
    bool is_text_slot = chunk_.words_per_slot == sizeof(sla_slot_text) / 8;
    if (!wire::is_known_code(code) || (code == SLA_CODE_TEXT) != is_text_slot) {
        decoded.damaged++;
        return;
    }
    if (tick <= closed) {
        decoded.late++;
        return;
    }
    if (tick < newest_) decoded.in_order = false;
    newest_ = std::max(newest_, tick);
    run.add(tick, code, slot[1] & kValueMasks[code]);
    decoded.kept++;
    if (is_text_slot) {
        wire::Extra extra;
        extra.text = text_of(slot);
        run.attach(1, std::move(extra));
    } else if (chunk_.words_per_slot == sizeof(sla_slot_wide) / 8) {
        wire::Extra extra;
        extra.detail[0] = slot[2];
        extra.detail[1] = slot[3];
        run.attach(1, std::move(extra));
    }
}

// A gap is never late: it moves up to the first tick that is still open.
void RingFeed::add_gap(wire::LossCause cause, std::uint64_t count, std::uint64_t tick, std::uint64_t closed, Run& run,
                       LossLedger& ledger) {
    if (count == 0) return;
    ledger.book(cause, count);
    newest_ = std::max({newest_, tick, closed + 1});
    run.add(newest_, SLA_CODE_GAP, count);
    wire::Extra extra;
    extra.cause = cause;
    run.attach(1, std::move(extra));
}

// Dropped events whose gap slot is not written yet. Only once everything published is out, so that the gap stands behind it;
// the slot, when it comes, repeats the same total and adds nothing.
void RingFeed::book_untold_losses(std::uint64_t closed, Run& run, LossLedger& ledger) {
    ring::RingReader::Dropped dropped = reader_.dropped();
    if (dropped.total <= reader_.booked() || !reader_.is_empty()) return;
    add_gap(wire::LossCause::kOverrun, reader_.book(dropped.total), dropped.first_tick, closed, run, ledger);
}

// Slots of any kind, one by one.
RingFeed::Decoded RingFeed::decode_each(std::uint64_t closed, Run& run, LossLedger& ledger) {
    Decoded decoded;
    for (std::size_t i = 0; i < chunk_.count; i++) {
        const std::uint64_t* slot = chunk_.words.data() + i * chunk_.words_per_slot;
        if (slot[0] >> SLA_TICK_BITS == SLA_CODE_GAP) {
            add_gap(wire::LossCause::kOverrun, reader_.book(slot[1]), slot[0] & SLA_TICK_MASK, closed, run, ledger);
        } else {
            decode_one(slot, closed, run, decoded);
        }
    }
    return decoded;
}

Result<std::size_t> RingFeed::drain(std::uint64_t now, std::uint64_t closed, Run& run, LossLedger& ledger) {
    bool inside = reader_.writer_inside();
    Result<void> read = reader_.read(reader_.description().capacity, chunk_);
    if (!read) return read.error();
    std::size_t taken = chunk_.count + chunk_.torn;
    pressed_ = taken * 4 > reader_.description().capacity;
    add_gap(wire::LossCause::kOverrun, chunk_.overwritten, 0, closed, run, ledger);
    add_gap(wire::LossCause::kTorn, chunk_.torn, 0, closed, run, ledger);
    Decoded decoded;
    if (chunk_.words_per_slot == 2 && chunk_.count > 0) {
        decoded = decode_plain(run.grow(chunk_.count), closed);
        if (decoded.kept == 0) run.shrink(chunk_.count);
    }
    if (decoded.kept == 0) decoded = decode_each(closed, run, ledger);
    ledger.events += decoded.kept;
    if (!decoded.in_order) run.sort();
    add_gap(wire::LossCause::kLate, decoded.late, 0, closed, run, ledger);
    add_gap(wire::LossCause::kDamaged, decoded.damaged, 0, closed, run, ledger);
    if (chunk_.drained) book_untold_losses(closed, run, ledger);
    bool all_out = chunk_.drained && !inside;
    std::uint64_t known = newest_ > 0 ? newest_ - 1 : 0;
    bound_ = all_out ? now - kStoreBufferTicks : std::max({bound_, known, now - kPatienceTicks});
    return taken;
}

}  // namespace sla::drain
