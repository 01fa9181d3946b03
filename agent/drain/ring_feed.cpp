#include "agent/drain/ring_feed.h"

#include "proto/time/tick_clock.h"

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

// The marking core has just written these lines: fetching them from it takes long, so it begins early.
constexpr std::size_t kWordsAhead = 128;

// Codes that stand for themselves in a plain slot; the others (gap, text, nonsense) take the slow way.
constexpr bool is_plain_code(std::uint64_t code) {
    return code >= SLA_CODE_TICK && code <= SLA_CODE_VALUE_FLOAT;
}

// All of one code, which is how most channels are used. Gives the last tick, or 0 when something is not as it should be.
std::uint64_t decode_uniform(const ring::RingStretch& stretch, std::uint64_t not_before, const Run::Columns& to) {
    const std::uint64_t code_bits = ring::RingReader::load(stretch.words) & ~SLA_TICK_MASK;
    const std::uint64_t code = code_bits >> SLA_TICK_BITS;
    if (!is_plain_code(code)) return 0;
    std::uint64_t previous = not_before;
    std::uint64_t wrong = 0;  // its top four bits: a code that differs, or a tick that goes backwards
    for (std::size_t i = 0; i < stretch.count; i++) {
        __builtin_prefetch(stretch.words + 2 * i + kWordsAhead);
        std::uint64_t tick = ring::RingReader::load(stretch.words + 2 * i) ^ code_bits;
        to.values[i] = ring::RingReader::load(stretch.words + 2 * i + 1);
        to.ticks[i] = tick;
        wrong |= tick | (tick - previous);
        previous = tick;
    }
    if ((wrong & ~SLA_TICK_MASK) != 0) return 0;
    std::memset(to.codes, static_cast<int>(code), stretch.count);
    if (kValueMasks[code] == 0) std::memset(to.values, 0, stretch.count * sizeof *to.values);
    return previous;
}

std::uint64_t decode_mixed(const ring::RingStretch& stretch, std::uint64_t not_before, const Run::Columns& to) {
    std::uint64_t previous = not_before;
    bool usual = true;
    for (std::size_t i = 0; i < stretch.count; i++) {
        std::uint64_t stamp = ring::RingReader::load(stretch.words + 2 * i);
        std::uint64_t tick = stamp & SLA_TICK_MASK;
        std::uint64_t code = stamp >> SLA_TICK_BITS;
        usual &= is_plain_code(code) & (tick >= previous);
        previous = tick;
        to.ticks[i] = tick;
        to.codes[i] = static_cast<std::uint8_t>(code);
        to.values[i] = ring::RingReader::load(stretch.words + 2 * i + 1) & kValueMasks[code];
    }
    return usual ? previous : 0;
}

std::uint64_t decode_stretch(const ring::RingStretch& stretch, std::uint64_t not_before, const Run::Columns& to) {
    std::uint64_t newest = decode_uniform(stretch, not_before, to);
    return newest != 0 ? newest : decode_mixed(stretch, not_before, to);
}

std::string text_of(const std::uint64_t* slot) {
    std::size_t bytes = std::min<std::uint64_t>(slot[1], SLA_TEXT_BYTES);
    return {reinterpret_cast<const char*>(slot + 2), bytes};
}

}  // namespace

// The common case, all slots plain, in order and after `closed`: straight out of the ring in one branch-free pass, checked
// afterwards. False: something is unusual; nothing was taken.
Result<bool> RingFeed::take_stretch(std::uint64_t closed, Run& run) {
    Result<ring::RingStretch> stretch = reader_.look(kPieceSlots);
    if (!stretch) return stretch.error();
    if (stretch->count == 0) return false;
    std::uint64_t newest = decode_stretch(*stretch, std::max(newest_, closed + 1), run.grow(stretch->count));
    if (newest == 0) {
        run.shrink(stretch->count);
        return false;
    }
    newest_ = newest;
    reader_.release(stretch->count);
    taken_ = stretch->count;
    drained_ = stretch->is_all();
    fullness_ = static_cast<double>(stretch->available) / reader_.description().capacity;
    return true;
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
void RingFeed::add_gap(const Loss& loss, std::uint64_t closed, Run& run, LossLedger& ledger) {
    if (loss.count == 0) return;
    ledger.book(loss.cause, loss.count);
    newest_ = std::max({newest_, loss.tick, closed + 1});
    run.add(newest_, SLA_CODE_GAP, loss.count);
    wire::Extra extra;
    extra.cause = loss.cause;
    if (loss.until_tick != 0) extra.until_tick = std::max(loss.until_tick, newest_);
    run.attach(1, std::move(extra));
}

// When that slot of the chunk was marked, or now when it is not in it: what was lost before it lies no later.
std::uint64_t RingFeed::tick_of_slot(std::size_t number) const {
    if (number >= chunk_.count) return time::read_stamp();
    const std::uint64_t tick = chunk_.words[number * chunk_.words_per_slot] & SLA_TICK_MASK;
    return tick == 0 ? time::read_stamp() : tick;
}

// Dropped events whose gap slot is not written yet. Only once everything published is out, so that the gap stands behind it;
// the slot, when it comes, repeats the same total and adds nothing.
void RingFeed::book_untold_losses(std::uint64_t closed, Run& run, LossLedger& ledger) {
    ring::RingReader::Dropped dropped = reader_.dropped();
    if (dropped.total <= reader_.booked() || !reader_.is_empty()) return;
    add_gap({wire::LossCause::kOverrun, reader_.book(dropped.total), dropped.first_tick, time::read_stamp()}, closed, run,
            ledger);
}

// Slots of any kind, one by one.
RingFeed::Decoded RingFeed::decode_each(std::uint64_t closed, Run& run, LossLedger& ledger) {
    Decoded decoded;
    for (std::size_t i = 0; i < chunk_.count; i++) {
        const std::uint64_t* slot = chunk_.words.data() + i * chunk_.words_per_slot;
        if (slot[0] >> SLA_TICK_BITS == SLA_CODE_GAP) {
            const std::uint64_t tick = slot[0] & SLA_TICK_MASK;
            add_gap({wire::LossCause::kOverrun, reader_.book(slot[1]), tick, tick_of_slot(i + 1)}, closed, run, ledger);
        } else {
            decode_one(slot, closed, run, decoded);
        }
    }
    return decoded;
}

// Whatever there is: a copy is taken first, so that nothing changes while it is looked at.
Result<void> RingFeed::take_copy(std::uint64_t closed, Run& run, LossLedger& ledger) {
    Result<void> read = reader_.read(kPieceSlots, chunk_);
    if (!read) return read;
    taken_ = chunk_.count + chunk_.torn;
    drained_ = chunk_.drained;
    fullness_ = static_cast<double>(chunk_.available) / reader_.description().capacity;
    if (chunk_.overwritten > 0 || chunk_.torn > 0) {
        const std::uint64_t until = tick_of_slot(0);
        add_gap({wire::LossCause::kOverrun, chunk_.overwritten, 0, until}, closed, run, ledger);
        add_gap({wire::LossCause::kTorn, chunk_.torn, 0, until}, closed, run, ledger);
    }
    Decoded decoded = decode_each(closed, run, ledger);
    ledger.events += decoded.kept;
    if (!decoded.in_order) run.sort();
    add_gap({wire::LossCause::kLate, decoded.late}, closed, run, ledger);
    add_gap({wire::LossCause::kDamaged, decoded.damaged}, closed, run, ledger);
    return {};
}

Result<std::size_t> RingFeed::drain(std::uint64_t now, std::uint64_t closed, Run& run, LossLedger& ledger) {
    bool inside = reader_.writer_inside();
    bool usual = false;
    if (reader_.can_look()) {
        Result<bool> took = take_stretch(closed, run);
        if (!took) return took.error();
        usual = *took;
    }
    if (usual) {
        ledger.events += taken_;
    } else if (Result<void> took = take_copy(closed, run, ledger); !took) {
        return took.error();
    }
    if (drained_) book_untold_losses(closed, run, ledger);
    set_bound(now, inside);
    return taken_;
}

bool RingFeed::ask_for_room(std::uint64_t now, std::size_t taken) {
    std::uint64_t slots = growth_.observe(now, taken, reader_.description().capacity, fullness_);
    if (slots == 0 || reader_.is_of_fixed_size()) return false;
    reader_.ask_for(slots);
    return true;
}

// What still lies in the ring is waited for however old it is; only a marker that does not get done tries our patience.
void RingFeed::set_bound(std::uint64_t now, bool inside) {
    if (drained_ && !inside) {
        bound_ = now - kStoreBufferTicks;
        return;
    }
    bound_ = std::max(bound_, newest_ > 0 ? newest_ - 1 : 0);
    if (drained_) bound_ = std::max(bound_, now - kPatienceTicks);
}

}  // namespace sla::drain
