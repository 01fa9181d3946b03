// How one kernel event lays its fields out, from its `format` file (parsed by libtraceevent), and reading fields of a
// record.
//
// Records come from outside: a field that does not lie within its record reads as 0, or as an empty text.
#pragma once

#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sla::linux {

using RecordBytes = std::span<const std::byte>;
using SymbolList = std::map<std::uint64_t, std::string>;

struct Field {
    enum class Shape : std::uint8_t { kNumber, kText, kDynamicText, kRelativeText, kOther };

    std::string name;
    Shape shape = Shape::kOther;
    std::uint16_t offset = 0;
    std::uint16_t size = 0;
    bool is_signed = false;
    bool is_address = false;  // better read in hex
    // What the numbers are called; more than one list when the kernel chooses by another field (kvm_exit: by vendor).
    std::vector<SymbolList> symbols;

    [[nodiscard]] std::uint64_t number(RecordBytes record) const {  // sign-extended
        if (std::size_t{offset} + size > record.size()) return 0;
        const std::byte* at = record.data() + offset;
        if (size == sizeof(std::uint64_t)) return widen<std::int64_t>(at);  // the fields of the busiest events
        switch (size) {
            case 1: return widen<std::int8_t>(at);
            case 2: return widen<std::int16_t>(at);
            case 4: return widen<std::int32_t>(at);
            default: return 0;
        }
    }
    [[nodiscard]] std::string_view text(RecordBytes record) const;
    // The number's name in list `which`, or the number.
    [[nodiscard]] std::string symbol(std::uint64_t number, std::size_t which = 0) const;

private:
    template <typename Signed>
    [[nodiscard]] std::uint64_t widen(const std::byte* at) const {
        Signed value = 0;
        std::memcpy(&value, at, sizeof value);
        if (is_signed) return static_cast<std::uint64_t>(std::int64_t{value});
        return static_cast<std::make_unsigned_t<Signed>>(value);
    }
};

struct EventFormat {
    std::uint16_t id = 0;
    std::string system;
    std::string name;
    std::vector<Field> fields;  // without the common ones

    [[nodiscard]] const Field* find(std::string_view field) const;
    [[nodiscard]] bool has_all(std::initializer_list<std::string_view> names) const;
    // "irq=42 name=virtio3-tx": every field that can be read, at most `limit` bytes.
    void append_text(RecordBytes record, std::size_t limit, std::string& out) const;
};

// From the text of an events/SYSTEM/NAME/format file.
Result<EventFormat> parse_event_format(const std::string& system, const std::string& text);

}  // namespace sla::linux
