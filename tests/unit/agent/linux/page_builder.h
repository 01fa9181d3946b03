// Pages of the kernel's trace ring, written as the kernel writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sla::linux {

class PageBuilder {
public:
    explicit PageBuilder(std::uint64_t first_tick) : time_(first_tick) {
        put(first_tick);
        put(std::uint64_t{0});  // commit: set by bytes()
    }
    // An event of 4 to 112 bytes, a multiple of 4; time since the event before, below 2^27.
    PageBuilder& event(std::uint32_t delta, const std::vector<std::byte>& data) {
        put(static_cast<std::uint32_t>(data.size() / 4) | delta << 5);
        append(data);
        return *this;
    }
    PageBuilder& long_event(std::uint32_t delta, const std::vector<std::byte>& data) {
        put(delta << 5);
        put(static_cast<std::uint32_t>(data.size() + 4));
        append(data);
        return *this;
    }
    PageBuilder& extend(std::uint64_t delta) {
        put(std::uint32_t{30} | static_cast<std::uint32_t>(delta & 0x7ffffff) << 5);
        put(static_cast<std::uint32_t>(delta >> 27));
        return *this;
    }
    PageBuilder& absolute(std::uint64_t time) {
        put(std::uint32_t{31} | static_cast<std::uint32_t>(time & 0x7ffffff) << 5);
        put(static_cast<std::uint32_t>(time >> 27));
        return *this;
    }
    // An event that was taken back: `bytes` of it, and its time.
    PageBuilder& discarded(std::uint32_t delta, std::uint32_t bytes) {
        put(std::uint32_t{29} | delta << 5);
        put(bytes);
        bytes_.resize(bytes_.size() + bytes - 4);
        return *this;
    }
    PageBuilder& word(std::uint32_t value) {
        put(value);
        return *this;
    }

    // As a read gives it; `lost`: events lost before, -1 for "some", 0 for none.
    [[nodiscard]] std::vector<std::byte> bytes(std::int64_t lost = 0) const {
        std::vector<std::byte> page = bytes_;
        std::uint64_t commit = page.size() - 16;
        if (lost != 0) commit |= std::uint64_t{1} << 31;
        if (lost > 0) {
            commit |= std::uint64_t{1} << 30;
            const auto count = static_cast<std::uint64_t>(lost);
            page.resize(page.size() + sizeof count);
            std::memcpy(page.data() + page.size() - sizeof count, &count, sizeof count);
        }
        std::memcpy(page.data() + 8, &commit, sizeof commit);
        return page;
    }

private:
    template <typename Number>
    void put(Number number) {
        bytes_.resize(bytes_.size() + sizeof number);
        std::memcpy(bytes_.data() + bytes_.size() - sizeof number, &number, sizeof number);
    }
    void append(const std::vector<std::byte>& data) { bytes_.insert(bytes_.end(), data.begin(), data.end()); }

    std::uint64_t time_;
    std::vector<std::byte> bytes_;
};

// The common part of an event and then these numbers, one after the other.
template <typename... Numbers>
std::vector<std::byte> event_data(std::uint16_t id, std::int32_t tid, Numbers... numbers) {
    std::vector<std::byte> data(8);
    std::memcpy(data.data(), &id, sizeof id);
    std::memcpy(data.data() + 4, &tid, sizeof tid);
    [[maybe_unused]] const auto put = [&data](auto number) {
        data.resize(data.size() + sizeof number);
        std::memcpy(data.data() + data.size() - sizeof number, &number, sizeof number);
    };
    (put(numbers), ...);
    data.resize((data.size() + 3) / 4 * 4);
    return data;
}

}  // namespace sla::linux
