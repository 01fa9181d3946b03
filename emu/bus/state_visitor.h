// One walk over all that a machine's state is made of. Each part names its fields in one function, which serves whoever saves,
// restores or shows them:
//
//   void Pit8254::visit_state(bus::StateVisitor& state) {
//       state.section("pit");
//       state.part("counter0", [&] { counters_[0].visit_state(state); });    fields "counter0.mode", "counter0.bcd", ...
//   }
//
// Names are the data sheets' where these have one. A visitor that loads puts values from outside into the fields: each field
// has its bounds, and what lies outside is refused and leaves the field as it is. Wires that a field drives (an interrupt line,
// a window's place) are fields of their own at their other end, or are set behind the walk.
#pragma once

#include "emu/bus/block_map.h"
#include "emu/bus/clock.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sla::bus {

class StateVisitor {
public:
    static constexpr std::int64_t kMaxTime = std::int64_t{1}
                                             << 55;  // ns, more than a year: sums of two stay far from an overflow

    virtual ~StateVisitor() = default;

    [[nodiscard]] virtual bool loads() const { return false; }
    [[nodiscard]] virtual bool shows() const { return false; }
    // For those who show what follows from the time: the guest is so far beyond its clock, which learns later what ran.
    void set_ahead(Nanoseconds by) { ahead_ = by; }
    [[nodiscard]] Nanoseconds ahead() const { return ahead_; }
    // What a field holds cannot be; a visitor that loads remembers the first.
    virtual void refuse(std::string_view, std::string_view) {}

    // What follows belongs to that section. One that is optional may be missing: false, and its fields must not follow.
    virtual bool begin(std::string_view section, bool optional) = 0;
    void section(std::string_view name) { begin(name, false); }
    bool optional_section(std::string_view name) { return begin(name, true); }

    template <typename Visit>
    void part(std::string_view name, Visit visit) {
        const std::size_t outside = path_.size();
        path_.append(name).append(".");
        visit();
        path_.resize(outside);
    }
    template <typename Part, std::size_t kCount>
    void parts(std::string_view name, std::array<Part, kCount>& all) {
        for (std::size_t i = 0; i < kCount; ++i) {
            part(numbered(name, i), [&] { all[i].visit_state(*this); });
        }
    }

    // "counter" and 0 are "counter0".
    static std::string numbered(std::string_view name, std::size_t number);

    // Whole numbers that cannot be negative, flags, enumerators.
    template <typename T>
    requires(std::unsigned_integral<T> || std::is_enum_v<T>) void field(std::string_view name, T& value,
                                                                        std::uint64_t most = all_ones<T>(),
                                                                        std::uint64_t least = 0) {
        auto raw = static_cast<std::uint64_t>(value);
        number(named(name), raw, bits_of<T>());
        if (!loads()) return;
        if (raw < least || raw > most) return refuse(path_of(name), "is out of its bounds");
        value = static_cast<T>(raw);
    }
    // Times and the like, of either sign.
    void field(std::string_view name, std::int64_t& value, std::int64_t most = kMaxTime, std::int64_t least = -kMaxTime) {
        auto raw = static_cast<std::uint64_t>(value);
        signed_number(named(name), raw);
        if (!loads()) return;
        const auto read = static_cast<std::int64_t>(raw);
        if (read < least || read > most) return refuse(path_of(name), "is out of its bounds");
        value = read;
    }
    template <typename T>
    void field(std::string_view name, std::optional<T>& value, auto... bounds) {
        bool is_there = value.has_value();
        field(joined(name, ".present"), is_there);
        if (loads() && !is_there) value.reset();
        if (!is_there) return;
        if (!value) value.emplace();
        field(name, *value, bounds...);
    }
    template <typename T, std::size_t kCount>
    requires(!std::is_same_v<T, std::uint8_t>) void field(std::string_view name, std::array<T, kCount>& values,
                                                          auto... bounds) {
        for (std::size_t i = 0; i < kCount; ++i) field(numbered(name, i), values[i], bounds...);
    }
    template <std::size_t kCount>
    void field(std::string_view name, std::array<std::uint8_t, kCount>& values) {
        field(name, std::span<std::uint8_t>(values));
    }
    void field(std::string_view name, std::span<std::uint8_t> values) { bytes(named(name), values); }
    template <std::size_t kBits>
    void field(std::string_view name, std::bitset<kBits>& bits) {
        std::array<std::uint8_t, kBits / 8> packed{};
        for (std::size_t i = 0; i < kBits; ++i) packed[i / 8] |= static_cast<std::uint8_t>((bits[i] ? 1U : 0U) << i % 8);
        field(name, packed);
        for (std::size_t i = 0; i < kBits && loads(); ++i) bits[i] = (packed[i / 8] >> i % 8 & 1) != 0;
    }
    // As many bytes as there are, up to `most`.
    void list(std::string_view name, std::vector<std::uint8_t>& values, std::size_t most) {
        std::uint64_t count = values.size();
        field(joined(name, ".bytes"), count, most);
        if (loads()) values.resize(static_cast<std::size_t>(count));
        field(name, std::span(values));
    }
    void list(std::string_view name, std::deque<std::uint8_t>& values, std::size_t most) {
        std::vector<std::uint8_t> copy(values.begin(), values.end());
        list(name, copy, most);
        if (loads()) values.assign(copy.begin(), copy.end());
    }
    // Megabytes: not copied along with the fields.
    virtual void memory(std::string_view name, std::span<std::uint8_t> bytes) = 0;
    // Sectors that were written, with numbers below `end`: a field each. A visitor in this process may share them instead.
    virtual void sectors(BlockMap& written, std::uint64_t end);

    // Follows from the fields, for those who look.
    template <std::unsigned_integral T>
    void show(std::string_view name, T value) {
        if (shows()) field(name, value);
    }

protected:
    virtual void number(std::string_view name, std::uint64_t& value, unsigned bits) = 0;
    virtual void signed_number(std::string_view name, std::uint64_t& value) = 0;
    virtual void bytes(std::string_view name, std::span<std::uint8_t> values) = 0;

private:
    static std::string joined(std::string_view first, std::string_view second);
    template <typename T>
    static constexpr unsigned bits_of() {
        return std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);
    }
    template <typename T>
    static constexpr std::uint64_t all_ones() {
        return ~std::uint64_t{0} >> (64 - bits_of<T>());
    }
    [[nodiscard]] std::string path_of(std::string_view name) const { return joined(path_, name); }
    std::string_view named(std::string_view name) {
        full_ = path_;
        return full_.append(name);
    }

    std::string path_;  // "counter0.", or nothing
    std::string full_;
    Nanoseconds ahead_ = 0;
};

}  // namespace sla::bus
