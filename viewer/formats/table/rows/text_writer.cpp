// Aligned columns for people. Widths are chosen beforehand, so that rows can stream; what does not fit pushes its row to the
// right.
#include "proto/base/control_characters.h"
#include "proto/base/terminal_text.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <algorithm>

namespace sla::formats {

namespace {

class TextWriter final : public RowWriter {
public:
    explicit TextWriter(std::vector<Column> columns) : RowWriter(std::move(columns)) {}

    void begin(ByteBuffer& out) override {
        begin_row(out);
        for (const Column& column : columns()) field(out, column.name);
        end_row(out);
    }
    void begin_row(ByteBuffer&) override {
        column_ = 0;
        owed_ = 0;
    }
    void end_row(ByteBuffer& out) override { out.put('\n'); }
    void end(ByteBuffer&) override {}

    void empty(ByteBuffer& out) override { field(out, ""); }
    void text(ByteBuffer& out, std::string_view text) override { field(out, without_control(std::string(text), ' ')); }
    void number(ByteBuffer& out, std::uint64_t number) override {
        scratch_.clear();
        scratch_.put_unsigned(number);
        field(out, scratch_.view());
    }
    void number_signed(ByteBuffer& out, std::int64_t number) override {
        scratch_.clear();
        scratch_.put_signed(number);
        field(out, scratch_.view());
    }
    void number_float(ByteBuffer& out, double number) override {
        scratch_.clear();
        scratch_.put_float(number);
        field(out, scratch_.view());
    }
    void ns(ByteBuffer& out, std::int64_t ps) override {
        scratch_.clear();
        scratch_.put_ns(ps);
        field(out, scratch_.view());
    }
    std::string prepare(std::string_view text) override { return std::string(text); }
    void ready(ByteBuffer& out, std::string_view prepared) override { text(out, prepared); }

private:
    // Padding behind a field is owed until the next one comes, so that no line ends in blanks.
    void field(ByteBuffer& out, std::string_view text) {
        const Column& column = columns()[column_++];
        const std::size_t width = terminal_columns(text);
        const std::size_t padding = width < column.width ? column.width - width : 0;
        if (column_ > 1) owed_ += 2;
        if (column.right) owed_ += padding;
        if (!text.empty()) {
            for (; owed_ > 0; --owed_) out.put(' ');
            out.put(text);
        }
        if (!column.right) owed_ += padding;
    }

    ByteBuffer scratch_;
    std::size_t column_ = 0;
    std::size_t owed_ = 0;
};

}  // namespace

std::unique_ptr<RowWriter> make_text_writer(std::vector<Column> columns) {
    return std::make_unique<TextWriter>(std::move(columns));
}

}  // namespace sla::formats
