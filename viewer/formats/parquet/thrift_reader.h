// CompactReader: Thrift's compact protocol from outside. Whatever the bytes are, it stays within them; the first that makes no
// sense makes it bad for good, and all that is read from then on is 0 and empty.
//
//   for (Field field; reader.next(field);) switch (field.number) { case 1: x = reader.integer(field); break; default: reader.skip(field.type); }
#pragma once

#include "viewer/formats/parquet/thrift.h"

#include <cstdint>
#include <string_view>

namespace sla::formats::parquet {

struct ThriftField {
    int number = 0;
    ThriftType type = ThriftType::kStop;
};

class CompactReader {
public:
    explicit CompactReader(std::string_view bytes) : bytes_(bytes) {}

    // Of the struct that is read; false: it ends. A struct within is read the same way, by another last number.
    bool next(ThriftField& field);
    // Of a field or an element of any width; another type makes it bad.
    std::int64_t integer(ThriftType type);
    std::string_view text(ThriftType type);
    struct List {
        std::size_t size = 0;
        ThriftType type = ThriftType::kStop;
    };
    // Each element takes a byte at least, so that no size is beyond the bytes that are left.
    List list(ThriftType type);
    void skip(ThriftType type) { skip_within(type, 0); }

    [[nodiscard]] bool is_bad() const { return is_bad_; }
    // How much of the bytes is read.
    [[nodiscard]] std::size_t at() const { return at_; }

private:
    void fail() {
        is_bad_ = true;
        at_ = bytes_.size();
    }
    std::uint8_t byte();
    std::uint64_t varint();
    void skip_within(ThriftType type, int depth);

    std::string_view bytes_;
    std::size_t at_ = 0;
    bool is_bad_ = false;
};

}  // namespace sla::formats::parquet
