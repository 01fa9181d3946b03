// Compiled with -O3: its loops over keys become vectors.
#include "agent/drain/block_merge.h"

#include "agent/drain/key_lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace sla::drain {
namespace {

constexpr std::size_t kBlockRows = 1024;  // keys and columns of so many stay in the first-level cache
constexpr std::size_t kMinOfEach = 4;     // rows

// What a block takes of one run.
struct Part {
    Run* run;
    Run::Rows rows;
    std::size_t count;
};

// Kept by each thread, so that it is grown once.
struct Scratch {
    std::vector<Part> parts;
    std::vector<KeyList> lists;
    std::array<std::vector<std::uint64_t>, 2> keys;
    std::vector<std::uint32_t> threads;  // by part
    std::vector<std::uint32_t> taken;    // likewise
};

// The runs with something up to the watermark, and how much of each a block takes: what is before the first row that one of
// them has no space for.
std::size_t choose_parts(std::uint64_t watermark, std::size_t space, const DrainedChannel& channel, Scratch& scratch) {
    scratch.parts.clear();
    for (const auto& run : channel.runs) {
        if (!run->empty() && run->front_tick() <= watermark) scratch.parts.push_back({run.get(), run->rows(), 0});
    }
    if (scratch.parts.size() < 2) return 0;
    const std::size_t most = std::min(space, kBlockRows) / scratch.parts.size();
    if (most < kMinOfEach) return 0;
    std::uint64_t end = watermark + (watermark < kEndMark ? 1 : 0);  // first tick that stays
    for (const Part& part : scratch.parts) {
        if (part.rows.count > most) end = std::min(end, part.rows.ticks[most]);
    }
    std::size_t total = 0;
    for (Part& part : scratch.parts) {
        const std::uint64_t* const ticks = part.rows.ticks;
        part.count = static_cast<std::size_t>(std::lower_bound(ticks, ticks + std::min(part.rows.count, most), end) - ticks);
        total += part.count;
    }
    std::erase_if(scratch.parts, [](const Part& part) { return part.count == 0; });
    return scratch.parts.size() < 2 ? 0 : total;
}

// The merged keys; null: there are not bits enough for these ticks.
const std::uint64_t* merge_keys(std::size_t total, std::uint64_t base, unsigned bits, Scratch& scratch) {
    std::uint64_t newest = 0;
    for (const Part& part : scratch.parts) newest = std::max(newest, part.rows.ticks[part.count - 1]);
    if ((newest - base) >> (63 - bits) != 0) return nullptr;
    const std::size_t needed = total + scratch.parts.size();
    for (auto& keys : scratch.keys) {
        if (keys.size() < needed) keys.resize(needed);
    }
    scratch.lists.clear();
    std::uint64_t* to = scratch.keys[0].data();
    for (std::size_t number = 0; number < scratch.parts.size(); number++) {
        const Part& part = scratch.parts[number];
        for (std::size_t i = 0; i < part.count; i++) to[i] = (part.rows.ticks[i] - base) << bits | number;
        to[part.count] = kEndMark;
        scratch.lists.push_back({to, part.count});
        to += part.count + 1;
    }
    return merge_lists(scratch.lists, scratch.keys);
}

// take(row, part, place) for each row: the part that its key names, and which of that part's rows it is.
template <typename Take>
void each_row(const std::uint64_t* keys, std::size_t total, std::uint64_t mask, Scratch& scratch, Take take) {
    scratch.taken.assign(scratch.parts.size(), 0);
    for (std::size_t i = 0; i < total; i++) {
        const std::uint64_t number = keys[i] & mask;
        take(i, scratch.parts[number], std::size_t{scratch.taken[number]++});
    }
}

// Each row's value from the run that its key names.
void gather_values(const std::uint64_t* keys, std::size_t total, std::uint64_t mask, Scratch& scratch,
                   std::uint64_t* values) {
    if (scratch.parts.size() == 2) {
        const std::uint64_t* a = scratch.parts[0].rows.values;
        const std::uint64_t* b = scratch.parts[1].rows.values;
        for (std::size_t i = 0; i < total; i++) {
            const std::uint64_t is_b = keys[i] & 1;
            values[i] = is_b != 0 ? *b : *a;
            a += 1 - is_b;
            b += is_b;
        }
        return;
    }
    each_row(keys, total, mask, scratch,
             [values](std::size_t i, const Part& part, std::size_t place) { values[i] = part.rows.values[place]; });
}

void gather_codes(const std::uint64_t* keys, std::size_t total, std::uint64_t mask, Scratch& scratch, std::uint8_t* codes) {
    const std::uint8_t code = scratch.parts[0].rows.codes[0];
    const bool is_one = std::all_of(scratch.parts.begin(), scratch.parts.end(), [code](const Part& part) {
        return part.rows.codes[0] == code && std::memcmp(part.rows.codes, part.rows.codes + 1, part.count - 1) == 0;
    });
    if (is_one) {
        std::memset(codes, code, total);
        return;
    }
    each_row(keys, total, mask, scratch,
             [codes](std::size_t i, const Part& part, std::size_t place) { codes[i] = part.rows.codes[place]; });
}

// Each row's word, 0 where its run has none. The runs' columns may end before a block does.
void gather_details(const std::uint64_t* keys, std::size_t total, std::uint64_t mask, std::size_t word, Scratch& scratch,
                    wire::EventBatch& out) {
    const bool any = std::any_of(scratch.parts.begin(), scratch.parts.end(),
                                 [word](const Part& part) { return part.rows.detail_count[word] > 0; });
    if (!any) return;
    out.details[word].resize(out.size() + total);
    std::uint64_t* const to = out.details[word].data() + out.size();
    each_row(keys, total, mask, scratch, [to, word](std::size_t i, const Part& part, std::size_t place) {
        to[i] = place < part.rows.detail_count[word] ? part.rows.details[word][place] : 0;
    });
}

void gather_extras(const std::uint64_t* keys, std::size_t total, std::uint64_t mask, Scratch& scratch,
                   wire::EventBatch& out) {
    const bool any = std::any_of(scratch.parts.begin(), scratch.parts.end(),
                                 [](const Part& part) { return part.run->has_extra_within(part.count); });
    if (!any) return;
    each_row(keys, total, mask, scratch, [&out](std::size_t i, const Part& part, std::size_t place) {
        wire::Extra* const extra = part.run->next_extra_at(place);
        if (extra == nullptr) return;
        extra->position = static_cast<std::uint32_t>(out.size() + i);
        out.extras.push_back(*extra);
    });
}

void gather_texts(const std::uint64_t* keys, std::size_t total, std::uint64_t mask, Scratch& scratch,
                  wire::EventBatch& out) {
    const bool any = std::any_of(scratch.parts.begin(), scratch.parts.end(),
                                 [](const Part& part) { return part.run->has_text_within(part.count); });
    if (!any) return;
    each_row(keys, total, mask, scratch, [&out](std::size_t i, const Part& part, std::size_t place) {
        out.texts.add(out.size() + i, part.run->next_text_at(place));
    });
}

}  // namespace

MergedBlock merge_block(std::uint64_t watermark, std::size_t space, const DrainedChannel& channel, wire::EventBatch& out) {
    thread_local Scratch scratch;
    const std::size_t total = choose_parts(watermark, space, channel, scratch);
    if (total == 0) return {};
    std::uint64_t base = kEndMark;
    for (const Part& part : scratch.parts) base = std::min(base, part.rows.ticks[0]);
    const auto bits = static_cast<unsigned>(std::bit_width(scratch.parts.size() - 1));
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::uint64_t* const keys = merge_keys(total, base, bits, scratch);
    if (keys == nullptr) return {};
    gather_extras(keys, total, mask, scratch, out);
    gather_texts(keys, total, mask, scratch, out);
    for (std::size_t word = 0; word < out.details.size(); word++) gather_details(keys, total, mask, word, scratch, out);
    const std::size_t before = out.size();
    out.ticks.resize(before + total);
    out.codes.resize(before + total);
    out.values.resize(before + total);
    out.threads.resize(before + total);
    scratch.threads.clear();
    for (const Part& part : scratch.parts) scratch.threads.push_back(part.run->thread());
    std::uint64_t* const ticks = out.ticks.data() + before;
    std::uint32_t* const threads = out.threads.data() + before;
    const std::uint32_t* const thread_of = scratch.threads.data();
    for (std::size_t i = 0; i < total; i++) ticks[i] = (keys[i] >> bits) + base;
    for (std::size_t i = 0; i < total; i++) threads[i] = thread_of[keys[i] & mask];
    gather_codes(keys, total, mask, scratch, out.codes.data() + before);
    gather_values(keys, total, mask, scratch, out.values.data() + before);
    MergedBlock merged{total, 1};
    for (std::size_t i = 1; i < total; i++) merged.pieces += ((keys[i] ^ keys[i - 1]) & mask) != 0 ? 1 : 0;
    for (const Part& part : scratch.parts) part.run->skip(part.count);
    return merged;
}

}  // namespace sla::drain
