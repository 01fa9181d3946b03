#include "proto/wire/detail_column.h"

#include "proto/wire/packed_column.h"
#include "proto/wire/varint.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sla::wire {
namespace {

enum class DetailForm : std::uint8_t { kAll = 0, kOfCodes = 1, kBits = 2 };

constexpr std::size_t kMaskBytes = 2;

std::size_t count_of_codes(const std::vector<std::uint8_t>& codes, std::uint32_t mask) {
    std::size_t count = 0;
    for (const std::uint8_t code : codes) count += mask >> code & 1;
    return count;
}

char* put_bits(const std::vector<std::uint64_t>& words, std::size_t count, char* out) {
    const std::size_t bytes = (count + 7) / 8;
    std::fill_n(out, bytes, '\0');
    for (std::size_t i = 0; i < words.size(); ++i)
        out[i / 8] = static_cast<char>(out[i / 8] | static_cast<int>(words[i] != 0) << i % 8);
    return out + bytes;
}

std::size_t count_words(const std::vector<std::uint64_t>& words) {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += word != 0 ? 1 : 0;
    return count;
}

// Those that there are, one behind the other.
void gather_words(const std::vector<std::uint64_t>& words, std::uint64_t* numbers) {
    for (const std::uint64_t word : words) {
        *numbers = word;
        numbers += word != 0 ? 1 : 0;
    }
}

std::uint32_t codes_with_words(const std::vector<std::uint64_t>& words, const std::vector<std::uint8_t>& codes) {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < words.size(); ++i) mask |= static_cast<std::uint32_t>(words[i] != 0) << codes[i];
    return mask;
}

char* put_form(const std::vector<std::uint64_t>& words, const std::vector<std::uint8_t>& codes, std::size_t count,
               char* out) {
    const std::uint32_t mask = codes_with_words(words, codes);
    if (count_of_codes(codes, mask) != count) {
        *out++ = static_cast<char>(DetailForm::kBits);
        return put_bits(words, codes.size(), out);
    }
    *out++ = static_cast<char>(DetailForm::kOfCodes);
    *out++ = static_cast<char>(mask);
    *out++ = static_cast<char>(mask >> 8);
    return out;
}

// Which events have a word, as 1 or 0 in `words`, where not all do. Null, or what is wrong.
const char* get_form(const char*& at, const char* end, const std::vector<std::uint8_t>& codes,
                     std::vector<std::uint64_t>& words) {
    const std::size_t count = codes.size();
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(at + 1);
    const auto left = static_cast<std::size_t>(end - at - 1);
    switch (static_cast<DetailForm>(*at)) {
        case DetailForm::kAll: break;
        case DetailForm::kOfCodes: {
            if (left < kMaskBytes) return "its codes are cut off";
            const std::uint32_t mask = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
            for (std::size_t i = 0; i < count; ++i) words[i] = mask >> codes[i] & 1;
            at += 1 + kMaskBytes;
            return nullptr;
        }
        case DetailForm::kBits: {
            const std::size_t needed = (count + 7) / 8;
            if (left < needed) return "its bits are cut off";
            for (std::size_t i = 0; i < count; ++i) words[i] = bytes[i / 8] >> i % 8 & 1;
            at += 1 + needed;
            return count % 8 != 0 && bytes[needed - 1] >> count % 8 != 0 ? "a bit stands behind the last event" : nullptr;
        }
    }
    return "of a form that there is not";
}

// The first as varint, blocks of the others; none is 0. Null, or what is wrong.
const char* get_words(const char* at, const char* end, std::size_t count, std::uint64_t* numbers) {
    if (!get_varint(at, end, numbers[0])) return "the first word is cut off or too long";
    if (const char* wrong = get_packed(at, end, count - 1, numbers + 1)) return wrong;
    if (at != end) return "bytes follow the last event";
    return std::find(numbers, numbers + count, 0) != numbers + count ? "a word is 0" : nullptr;
}

}  // namespace

void encode_details(const std::vector<std::uint64_t>& words, const std::vector<std::uint8_t>& codes, std::string& column) {
    thread_local std::vector<std::uint64_t> gathered;  // kept, so that they are grown once
    thread_local std::vector<char> bytes;
    column.clear();
    const std::size_t count = count_words(words);
    if (count == 0) return;
    const std::size_t most = 1 + (codes.size() + 7) / 8 + kMaskBytes + kMaxVarintBytes + packed_capacity(count);
    if (bytes.size() < most) bytes.resize(most);
    char* out = bytes.data();
    const std::uint64_t* numbers = words.data();
    if (count == codes.size()) {
        *out++ = static_cast<char>(DetailForm::kAll);
    } else {
        out = put_form(words, codes, count, out);
        if (gathered.size() < words.size() + 1) gathered.resize(words.size() + 1);
        gather_words(words, gathered.data());
        numbers = gathered.data();
    }
    out = put_packed(numbers + 1, count - 1, Steps::kMaybe, put_varint(numbers[0], out));
    column.assign(bytes.data(), static_cast<std::size_t>(out - bytes.data()));
}

const char* decode_details(const std::string& column, const std::vector<std::uint8_t>& codes,
                           std::vector<std::uint64_t>& words) {
    thread_local std::vector<std::uint64_t> numbers;
    words.clear();
    if (column.empty()) return nullptr;
    words.resize(codes.size());
    const char* at = column.data();
    const char* const end = at + column.size();
    if (*at == static_cast<char>(DetailForm::kAll)) return get_words(at + 1, end, words.size(), words.data());
    if (const char* wrong = get_form(at, end, codes, words)) return wrong;
    const std::size_t count = std::accumulate(words.begin(), words.end(), std::size_t{0});
    if (count == 0) return "no event has a word";
    if (numbers.size() < count + 1) numbers.resize(count + 1);  // one more: the loop below looks at it
    if (const char* wrong = get_words(at, end, count, numbers.data())) return wrong;
    std::size_t next = 0;
    for (std::uint64_t& word : words) {
        const std::uint64_t is_there = word;
        word = numbers[next] & (0 - is_there);
        next += is_there;
    }
    return nullptr;
}

}  // namespace sla::wire
