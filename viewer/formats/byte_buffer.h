// ByteBuffer: bytes on their way to an Output; integers and times are written in place, without formatting machinery. Hot:
// some 5 ns a field. One owner, one thread; grows as needed and keeps its memory. Large, it begins at a whole page, as a
// file wants what it takes past the page cache; larger, at a huge one: then the kernel has one page to look up instead of
// 512.
#pragma once

#include "proto/time/picoseconds.h"
#include "viewer/formats/digits.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace sla::formats {

// What files take past the page cache they take in blocks of it, from memory and to a place that is a multiple of it.
inline constexpr std::size_t kBlock = 4096;

class ByteBuffer {
public:
    void put(char c) {
        make_space(1);
        memory_[size_++] = c;
    }
    void put(std::string_view text) {
        make_space(text.size());
        if (!text.empty()) std::memcpy(memory_.get() + size_, text.data(), text.size());
        size_ += text.size();
    }
    void put_unsigned(std::uint64_t number) {
        char* const begin = reserve(kNumberBytes);
        commit(put_number(begin, number) - begin);
    }
    void put_signed(std::int64_t number) {
        if (number < 0) put('-');
        put_unsigned(time::magnitude(number));
    }
    // The shortest text that reads back as the same number.
    void put_float(double number) {
        char* const begin = reserve(kNumberBytes);
        commit(put_shortest(begin, number) - begin);
    }
    // The same, and no whole number's text.
    void put_real(double number) {
        char* const begin = reserve(kNumberBytes);
        commit(formats::put_real(begin, number) - begin);
    }
    // Nanoseconds with three decimals.
    void put_ns(std::int64_t ps) {
        char* const begin = reserve(kNumberBytes);
        commit(put_signed_nanoseconds(begin, ps) - begin);
    }

    // Space for so many bytes to be written in place; then say how many of them there are.
    char* reserve(std::size_t most) {
        make_space(most);
        return memory_.get() + size_;
    }
    void commit(std::ptrdiff_t written) { size_ += static_cast<std::size_t>(written); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::string_view view() const { return {memory_.get(), size_}; }
    void clear() { size_ = 0; }
    // Leaves only the first so many bytes.
    void cut(std::size_t size) { size_ = std::min(size_, size); }
    // Leaves the others only.
    void drop_front(std::size_t size) {
        size_ -= size;
        if (size_ > 0) std::memmove(memory_.get(), memory_.get() + size, size_);
    }

private:
    static constexpr std::size_t kNumberBytes = 32;  // see digits.h
    static constexpr std::size_t kHuge = std::size_t{2} << 20;
    static constexpr std::size_t kLarge = std::size_t{1} << 16;

    struct Free {
        void operator()(char* memory) const { std::free(memory); }
    };
    using Memory = std::unique_ptr<char[], Free>;

    static Memory allocate(std::size_t size) {
        const std::size_t page = size < kHuge ? kBlock : kHuge;
        void* const memory = size < kLarge ? std::malloc(size) : std::aligned_alloc(page, (size + page - 1) / page * page);
        if (memory == nullptr) throw std::bad_alloc();
        if (size >= kHuge) madvise(memory, size, MADV_HUGEPAGE);
        return Memory(static_cast<char*>(memory));
    }

    void make_space(std::size_t more) {
        if (capacity_ - size_ < more) grow(more);
    }
    void grow(std::size_t more) {
        const std::size_t wanted = std::max<std::size_t>({256, capacity_ * 2, size_ + more});
        Memory larger = allocate(wanted);
        if (size_ > 0) std::memcpy(larger.get(), memory_.get(), size_);
        memory_ = std::move(larger);
        capacity_ = wanted;
    }

    Memory memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace sla::formats
