// CompactWriter: structs in Thrift's compact protocol, as Parquet's metadata and page headers are written. Fields of a struct are
// put in rising order of their numbers.
//
//   field: one byte, distance to the last field's number << 4 | type (a distance over 15: 0, then the number as zigzag)
//   integers: zigzag, 7 bits a byte; texts: length, bytes; lists: length << 4 | type (over 14: 15, then the length); a struct ends with 0
#pragma once

#include "viewer/formats/parquet/packing.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats::parquet {

enum class ThriftType : std::uint8_t {
    kStop = 0,
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kInt16 = 4,
    kInt32 = 5,
    kInt64 = 6,
    kDouble = 7,
    kBytes = 8,
    kList = 9,
    kSet = 10,
    kMap = 11,
    kStruct = 12
};

class CompactWriter {
public:
    // The outermost struct is open.
    explicit CompactWriter(std::string& out) : out_(out) {}

    void truth(int field, bool value) { head(field, value ? ThriftType::kTrue : ThriftType::kFalse); }
    void byte(int field, std::int8_t value) {
        head(field, ThriftType::kByte);
        out_ += static_cast<char>(value);
    }
    void int32(int field, std::int32_t value) {
        head(field, ThriftType::kInt32);
        put_zigzag(value, out_);
    }
    void int64(int field, std::int64_t value) {
        head(field, ThriftType::kInt64);
        put_zigzag(value, out_);
    }
    void text(int field, std::string_view value) {
        head(field, ThriftType::kBytes);
        bare_text(value);
    }

    // A struct as a field; open until end_struct().
    void begin_struct(int field) {
        head(field, ThriftType::kStruct);
        begin_element();
    }
    // A struct of a list; the same.
    void begin_element() {
        outer_.push_back(last_field_);
        last_field_ = 0;
    }
    void end_struct() {
        out_ += '\0';
        last_field_ = outer_.empty() ? 0 : outer_.back();
        if (!outer_.empty()) outer_.pop_back();
    }
    // So many elements follow, each a struct or as below.
    void begin_list(int field, ThriftType type, std::size_t size) {
        constexpr std::size_t kShort = 15;
        head(field, ThriftType::kList);
        out_ += static_cast<char>((size < kShort ? size : kShort) << 4 | static_cast<std::size_t>(type));
        if (size >= kShort) put_varint(size, out_);
    }
    void bare_int32(std::int32_t value) { put_zigzag(value, out_); }
    void bare_text(std::string_view value) {
        put_varint(value.size(), out_);
        out_ += value;
    }

private:
    void head(int field, ThriftType type) {
        constexpr int kFarthest = 15;
        const int distance = field - last_field_;
        if (distance > 0 && distance <= kFarthest) {
            out_ += static_cast<char>(distance << 4 | static_cast<int>(type));
        } else {
            out_ += static_cast<char>(type);
            put_zigzag(field, out_);
        }
        last_field_ = field;
    }

    std::string& out_;
    int last_field_ = 0;
    std::vector<int> outer_;
};

}  // namespace sla::formats::parquet
