// RowWriter: one table's rows in one form. Columns are fixed when it is made; fields are handed over in their order.
//
//   writer->begin(buffer); for each row { writer->begin_row(buffer); field...; writer->end_row(buffer); }
//   writer->end(buffer);
//
// One owner, one thread. No I/O: bytes go into the caller's buffer.
#pragma once

#include "proto/wire/event.h"
#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/table/format.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::formats {

struct Column {
    std::string name;
    std::size_t width = 0;  // for the text form
    bool right = false;     // numbers stand at the right
};

class RowWriter {
public:
    explicit RowWriter(std::vector<Column> columns) : columns_(std::move(columns)) {}
    virtual ~RowWriter() = default;

    virtual void begin(ByteBuffer& out) = 0;
    virtual void begin_row(ByteBuffer& out) = 0;
    virtual void end_row(ByteBuffer& out) = 0;
    virtual void end(ByteBuffer& out) = 0;

    virtual void empty(ByteBuffer& out) = 0;
    virtual void text(ByteBuffer& out, std::string_view text) = 0;
    virtual void number(ByteBuffer& out, std::uint64_t number) = 0;
    virtual void number_signed(ByteBuffer& out, std::int64_t number) = 0;
    virtual void number_float(ByteBuffer& out, double number) = 0;
    // Of an event or of an answer in SQL, where an integer is another thing: a whole one has a point.
    virtual void value_float(ByteBuffer& out, double number) { number_float(out, number); }
    virtual void ns(ByteBuffer& out, std::int64_t ps) = 0;
    // An event's value, as its code has it.
    void value(ByteBuffer& out, std::uint8_t code, std::uint64_t value) {
        switch (wire::value_type_of(code)) {
            case wire::ValueType::kNone: return empty(out);
            case wire::ValueType::kSigned: return number_signed(out, static_cast<std::int64_t>(value));
            case wire::ValueType::kUnsigned: return number(out, value);
            case wire::ValueType::kFloat: return value_float(out, wire::as_double(value));
        }
    }
    // A text that comes often, made ready once: hand what this gives to `ready`.
    virtual std::string prepare(std::string_view text) = 0;
    virtual void ready(ByteBuffer& out, std::string_view prepared) = 0;

protected:
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

private:
    std::vector<Column> columns_;
};

std::unique_ptr<RowWriter> make_row_writer(Format format, std::vector<Column> columns);

// The three makers behind it.
std::unique_ptr<RowWriter> make_delimited_writer(bool tabs, std::vector<Column> columns);
std::unique_ptr<RowWriter> make_json_writer(bool lines, std::vector<Column> columns);
std::unique_ptr<RowWriter> make_text_writer(std::vector<Column> columns);

}  // namespace sla::formats
