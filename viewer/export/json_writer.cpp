// One array of objects, a row a line.
#include "viewer/export/row_writer.h"

#include <cmath>

namespace sla::exporting {

namespace {

void quote(ByteBuffer& out, std::string_view text) {
    out.put('"');
    for (const char c : text) {
        switch (c) {
            case '"': out.put("\\\""); break;
            case '\\': out.put("\\\\"); break;
            case '\n': out.put("\\n"); break;
            case '\r': out.put("\\r"); break;
            case '\t': out.put("\\t"); break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    constexpr char kHex[] = "0123456789abcdef";
                    out.put("\\u00");
                    out.put(kHex[c >> 4 & 15]);
                    out.put(kHex[c & 15]);
                } else {
                    out.put(c);
                }
        }
    }
    out.put('"');
}

class JsonWriter final : public RowWriter {
public:
    explicit JsonWriter(std::vector<Column> columns) : RowWriter(std::move(columns)) {
        for (const Column& column : this->columns()) {
            ByteBuffer key;
            key.put(keys_.empty() ? "{" : ",");
            quote(key, column.name);
            key.put(':');
            keys_.emplace_back(key.view());
        }
    }

    void begin(ByteBuffer& out) override { out.put('['); }
    void begin_row(ByteBuffer& out) override {
        out.put(rows_++ == 0 ? "\n" : ",\n");
        column_ = 0;
    }
    void end_row(ByteBuffer& out) override { out.put('}'); }
    void end(ByteBuffer& out) override { out.put("\n]\n"); }

    void empty(ByteBuffer& out) override {
        key(out);
        out.put("null");
    }
    void text(ByteBuffer& out, std::string_view text) override {
        key(out);
        quote(out, text);
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
        if (std::isfinite(number)) return out.put_float(number);
        out.put(std::isnan(number) ? "\"nan\"" : number > 0 ? "\"inf\"" : "\"-inf\"");
    }
    void ns(ByteBuffer& out, std::int64_t ps) override {
        key(out);
        out.put_ns(ps);
    }
    std::string prepare(std::string_view text) override {
        ByteBuffer out;
        quote(out, text);
        return std::string(out.view());
    }
    void ready(ByteBuffer& out, std::string_view prepared) override {
        key(out);
        out.put(prepared);
    }

private:
    void key(ByteBuffer& out) { out.put(keys_[column_++]); }

    std::vector<std::string> keys_;
    std::size_t column_ = 0;
    std::uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<RowWriter> make_json_writer(std::vector<Column> columns) {
    return std::make_unique<JsonWriter>(std::move(columns));
}

}  // namespace sla::exporting
