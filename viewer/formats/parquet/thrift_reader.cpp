#include "viewer/formats/parquet/thrift_reader.h"

#include "viewer/formats/parquet/packing.h"

namespace sla::formats::parquet {

namespace {

constexpr int kDeepest = 16;

}  // namespace

std::uint8_t CompactReader::byte() {
    if (at_ == bytes_.size()) {
        fail();
        return 0;
    }
    return static_cast<std::uint8_t>(bytes_[at_++]);
}

std::uint64_t CompactReader::varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint8_t next = byte();
        number |= static_cast<std::uint64_t>(next & 0x7f) << shift;
        if ((next & 0x80) == 0) return number;
    }
    fail();
    return 0;
}

bool CompactReader::next(ThriftField& field) {
    const std::uint8_t head = byte();
    if (is_bad_ || head == 0) return false;
    const int distance = head >> 4;
    const std::int64_t number = distance != 0 ? field.number + distance : from_zigzag(varint());
    if (number < 0 || number > INT16_MAX) fail();
    field.number = is_bad_ ? 0 : static_cast<int>(number);
    field.type = static_cast<ThriftType>(head & 0xf);
    return !is_bad_;
}

std::int64_t CompactReader::integer(ThriftType type) {
    switch (type) {
        case ThriftType::kTrue: return 1;
        case ThriftType::kFalse: return 0;
        case ThriftType::kByte: return static_cast<std::int8_t>(byte());
        case ThriftType::kInt16:
        case ThriftType::kInt32:
        case ThriftType::kInt64: return from_zigzag(varint());
        default: fail(); return 0;
    }
}

std::string_view CompactReader::text(ThriftType type) {
    if (type != ThriftType::kBytes) fail();
    const std::uint64_t size = varint();
    if (is_bad_ || size > bytes_.size() - at_) {
        fail();
        return {};
    }
    const std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return text;
}

CompactReader::List CompactReader::list(ThriftType type) {
    if (type != ThriftType::kList && type != ThriftType::kSet) fail();
    const std::uint8_t head = byte();
    const std::uint64_t size = head >> 4 == 15 ? varint() : head >> 4;
    if (is_bad_ || size > bytes_.size() - at_) {
        fail();
        return {};
    }
    return {static_cast<std::size_t>(size), static_cast<ThriftType>(head & 0xf)};
}

void CompactReader::skip_within(ThriftType type, int depth) {
    if (depth > kDeepest) return fail();
    switch (type) {
        case ThriftType::kTrue:
        case ThriftType::kFalse: return;
        case ThriftType::kByte:
        case ThriftType::kInt16:
        case ThriftType::kInt32:
        case ThriftType::kInt64: integer(type); return;
        case ThriftType::kDouble:
            for (int i = 0; i < 8; ++i) byte();
            return;
        case ThriftType::kBytes: text(type); return;
        case ThriftType::kList:
        case ThriftType::kSet: {
            const List of = list(type);
            const bool is_flag = of.type == ThriftType::kTrue || of.type == ThriftType::kFalse;  // a byte each in a list
            for (std::size_t i = 0; i < of.size && !is_bad_; ++i)
                skip_within(is_flag ? ThriftType::kByte : of.type, depth + 1);
            return;
        }
        case ThriftType::kStruct:
            for (ThriftField field; next(field);) skip_within(field.type, depth + 1);
            return;
        default: fail();  // maps are not used by Parquet
    }
}

}  // namespace sla::formats::parquet
