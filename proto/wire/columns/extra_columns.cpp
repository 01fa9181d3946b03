#include "proto/wire/columns/extra_columns.h"

#include "proto/base/text.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/columns/packed_column.h"
#include "proto/wire/columns/presence.h"
#include "proto/wire/columns/varint.h"
#include "proto/wire/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace sla::wire {
namespace {

// For the columns that are being written or read; kept by each thread, so that it is grown once.
struct ExtraScratch {
    std::vector<std::uint8_t> has;
    std::vector<std::uint64_t> numbers;
    std::vector<char> bytes;

    std::uint64_t* numbers_for(std::size_t count) {
        if (numbers.size() < count) numbers.resize(count);
        return numbers.data();
    }
    char* bytes_for(std::size_t count) {
        if (bytes.size() < count) bytes.resize(count);
        return bytes.data();
    }
};

ExtraScratch& extra_scratch() {
    thread_local ExtraScratch scratch;
    return scratch;
}

std::size_t note_words(const std::vector<std::uint64_t>& words, std::vector<std::uint8_t>& has) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        has[i] = words[i] != 0 ? 1 : 0;
        count += has[i];
    }
    return count;
}

// Those that there are, one behind the other.
void gather_words(const std::vector<std::uint64_t>& words, std::uint64_t* numbers) {
    for (const std::uint64_t word : words) {
        *numbers = word;
        numbers += word != 0 ? 1 : 0;
    }
}

// Whether all may stand as they are.
bool are_sound(const Texts& texts) {
    if (is_ascii(texts.bytes()) && texts.bytes().size() <= kMaxTextBytes) return true;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].size() > kMaxTextBytes || !is_utf8(texts[i])) return false;
    }
    return true;
}

Texts made_sound(const Texts& texts) {
    Texts sound;
    for (std::size_t i = 0; i < texts.size(); ++i) sound.add(texts.position(i), to_utf8(texts[i], kMaxTextBytes));
    return sound;
}

// Each of these lengths is the next text's, to the end of the bytes.
const char* take_texts(const char* at, const char* end, const std::uint64_t* lengths, const std::vector<std::uint8_t>& has,
                       Texts& texts) {
    const bool are_ascii = is_ascii({at, static_cast<std::size_t>(end - at)});
    std::size_t next = 0;
    for (std::size_t i = 0; i < has.size(); ++i) {
        if (has[i] == 0) continue;
        const std::uint64_t length = lengths[next++];
        if (length > kMaxTextBytes) return "a text is too long";
        if (length > static_cast<std::size_t>(end - at)) return "a text is cut off";
        const std::string_view text(at, length);
        if (!are_ascii && !is_utf8(text)) return "a text is not UTF-8";
        texts.add(i, text);
        at += length;
    }
    return at != end ? "bytes follow the last event" : nullptr;
}

// The bytes of a column that is being read, and how many events have one of its numbers.
struct ExtraBytes {
    explicit ExtraBytes(const std::string& column) : at(column.data()), end(at + column.size()) {}

    // Null, or what is wrong.
    const char* presence(const std::vector<std::uint8_t>& codes, std::vector<std::uint8_t>& has) {
        return get_presence(at, end, codes, has, count);
    }
    const char* numbers(std::uint64_t* to) {
        if (const char* wrong = get_numbers(at, end, count, to)) return wrong;
        return std::find(to, to + count, 0) != to + count ? "one is 0" : nullptr;
    }

    const char* at;
    const char* end;
    std::size_t count = 0;
};

}  // namespace

void encode_details(const std::vector<std::uint64_t>& words, const std::vector<std::uint8_t>& codes, std::string& column) {
    column.clear();
    if (words.empty()) return;
    ExtraScratch& scratch = extra_scratch();
    scratch.has.assign(codes.size(), 0);
    const std::size_t count = note_words(words, scratch.has);
    if (count == 0) return;
    char* const begin = scratch.bytes_for(presence_capacity(codes.size()) + kMaxVarintBytes + packed_capacity(count));
    const std::uint64_t* numbers = words.data();
    if (count != words.size()) {
        gather_words(words, scratch.numbers_for(words.size() + 1));
        numbers = scratch.numbers.data();
    }
    const char* const end = put_numbers(numbers, count, put_presence(scratch.has, count, codes, begin));
    column.assign(begin, static_cast<std::size_t>(end - begin));
}

void encode_texts(const Texts& texts, const std::vector<std::uint8_t>& codes, std::string& column) {
    column.clear();
    if (texts.empty()) return;
    if (!are_sound(texts)) return encode_texts(made_sound(texts), codes, column);
    ExtraScratch& scratch = extra_scratch();
    scratch.has.assign(codes.size(), 0);
    std::uint64_t* const lengths = scratch.numbers_for(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        scratch.has[texts.position(i)] = 1;
        lengths[i] = texts[i].size();
    }
    char* const begin = scratch.bytes_for(presence_capacity(codes.size()) + kMaxVarintBytes + packed_capacity(texts.size()));
    const char* const end = put_numbers(lengths, texts.size(), put_presence(scratch.has, texts.size(), codes, begin));
    column.reserve(static_cast<std::size_t>(end - begin) + texts.bytes().size());
    column.assign(begin, static_cast<std::size_t>(end - begin));
    column.append(texts.bytes());
}

const char* decode_details(const std::string& column, const std::vector<std::uint8_t>& codes,
                           std::vector<std::uint64_t>& words) {
    words.clear();
    if (column.empty()) return nullptr;
    ExtraScratch& scratch = extra_scratch();
    ExtraBytes bytes(column);
    if (const char* wrong = bytes.presence(codes, scratch.has)) return wrong;
    words.resize(codes.size());
    const bool all_have_one = bytes.count == codes.size();
    std::uint64_t* const numbers =
        all_have_one ? words.data() : scratch.numbers_for(bytes.count + 1);  // the loop below looks at it
    if (const char* wrong = bytes.numbers(numbers)) return wrong;
    if (bytes.at != bytes.end) return "bytes follow the last event";
    std::size_t next = 0;
    for (std::size_t i = 0; !all_have_one && i < words.size(); ++i) {
        words[i] = numbers[next] & (0 - std::uint64_t{scratch.has[i]});
        next += scratch.has[i];
    }
    return nullptr;
}

const char* decode_texts(const std::string& column, const std::vector<std::uint8_t>& codes, Texts& texts) {
    texts.clear();
    if (column.empty()) return nullptr;
    ExtraScratch& scratch = extra_scratch();
    ExtraBytes bytes(column);
    if (const char* wrong = bytes.presence(codes, scratch.has)) return wrong;
    std::uint64_t* const lengths = scratch.numbers_for(bytes.count);
    if (const char* wrong = bytes.numbers(lengths)) return wrong;
    return take_texts(bytes.at, bytes.end, lengths, scratch.has, texts);
}

}  // namespace sla::wire
