// One array of objects, a row a line; or one object a line and no array.
#include "viewer/formats/json_text.h"
#include "viewer/formats/table/rows/row_writer.h"

namespace sla::formats {

namespace {

class JsonWriter final : public RowWriter {
public:
    JsonWriter(bool lines, std::vector<Column> columns) : RowWriter(std::move(columns)), lines_(lines) {
        for (const Column& column : this->columns()) {
            ByteBuffer key;
            key.put(keys_.empty() ? "{" : ",");
            put_json_text(key, column.name);
            key.put(':');
            keys_.emplace_back(key.view());
        }
    }

    void begin(ByteBuffer& out) override {
        if (!lines_) out.put('[');
    }
    void begin_row(ByteBuffer& out) override {
        if (!lines_) out.put(rows_++ == 0 ? "\n" : ",\n");
        column_ = 0;
    }
    void end_row(ByteBuffer& out) override { out.put(lines_ ? "}\n" : "}"); }
    void end(ByteBuffer& out) override {
        if (!lines_) out.put("\n]\n");
    }

    void empty(ByteBuffer& out) override {
        key(out);
        out.put("null");
    }
    void text(ByteBuffer& out, std::string_view text) override {
        key(out);
        put_json_text(out, text);
    }
    void number(ByteBuffer& out, std::uint64_t number) override {
        key(out);
        out.put_unsigned(number);
    }
    void number_signed(ByteBuffer& out, std::int64_t number) override {
        key(out);
        out.put_signed(number);
    }
    void number_float(ByteBuffer& out, double number) override {
        key(out);
        put_json_float(out, number);
    }
    void ns(ByteBuffer& out, std::int64_t ps) override {
        key(out);
        out.put_ns(ps);
    }
    std::string prepare(std::string_view text) override {
        ByteBuffer out;
        put_json_text(out, text);
        return std::string(out.view());
    }
    void ready(ByteBuffer& out, std::string_view prepared) override {
        key(out);
        out.put(prepared);
    }

private:
    void key(ByteBuffer& out) { out.put(keys_[column_++]); }

    bool lines_;
    std::vector<std::string> keys_;
    std::size_t column_ = 0;
    std::uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<RowWriter> make_json_writer(bool lines, std::vector<Column> columns) {
    return std::make_unique<JsonWriter>(lines, std::move(columns));
}

}  // namespace sla::formats
