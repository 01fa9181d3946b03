// csv and tsv.
#include "viewer/formats/table/row_writer.h"

namespace sla::formats {

namespace {

// A plain loop: texts are short, and most need nothing.
bool has_any(std::string_view text, std::string_view of) {
    for (const char c : text) {
        for (const char wanted : of) {
            if (c == wanted) return true;
        }
    }
    return false;
}

class DelimitedWriter final : public RowWriter {
public:
    DelimitedWriter(bool tabs, std::vector<Column> columns)
        : RowWriter(std::move(columns)), tabs_(tabs), separator_(tabs ? '\t' : ',') {}

    void begin(ByteBuffer& out) override {
        begin_row(out);
        for (const Column& column : columns()) text(out, column.name);
        end_row(out);
    }
    void begin_row(ByteBuffer&) override { first_ = true; }
    void end_row(ByteBuffer& out) override { out.put('\n'); }
    void end(ByteBuffer&) override {}

    void empty(ByteBuffer& out) override { separate(out); }
    void text(ByteBuffer& out, std::string_view text) override {
        separate(out);
        if (tabs_) {
            escape(out, text);
        } else {
            quote(out, text);
        }
    }
    void number(ByteBuffer& out, std::uint64_t number) override {
        separate(out);
        out.put_unsigned(number);
    }
    void number_signed(ByteBuffer& out, std::int64_t number) override {
        separate(out);
        out.put_signed(number);
    }
    void number_float(ByteBuffer& out, double number) override {
        separate(out);
        out.put_float(number);
    }
    void value_float(ByteBuffer& out, double number) override {
        separate(out);
        out.put_real(number);
    }
    void ns(ByteBuffer& out, std::int64_t ps) override {
        separate(out);
        out.put_ns(ps);
    }
    std::string prepare(std::string_view text) override {
        ByteBuffer out;
        if (tabs_) {
            escape(out, text);
        } else {
            quote(out, text);
        }
        return std::string(out.view());
    }
    void ready(ByteBuffer& out, std::string_view prepared) override {
        separate(out);
        out.put(prepared);
    }

private:
    void separate(ByteBuffer& out) {
        if (!first_) out.put(separator_);
        first_ = false;
    }
    // Blanks at either end are quoted too: some readers would trim them.
    static void quote(ByteBuffer& out, std::string_view text) {
        const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
        if (!blank_end && !has_any(text, ",\"\r\n")) return out.put(text);
        out.put('"');
        for (const char c : text) {
            if (c == '"') out.put('"');
            out.put(c);
        }
        out.put('"');
    }
    static void escape(ByteBuffer& out, std::string_view text) {
        if (!has_any(text, "\t\r\n\\")) return out.put(text);
        for (const char c : text) {
            switch (c) {
                case '\t': out.put("\\t"); break;
                case '\n': out.put("\\n"); break;
                case '\r': out.put("\\r"); break;
                case '\\': out.put("\\\\"); break;
                default: out.put(c);
            }
        }
    }

    bool tabs_;
    char separator_;
    bool first_ = true;
};

}  // namespace

std::unique_ptr<RowWriter> make_delimited_writer(bool tabs, std::vector<Column> columns) {
    return std::make_unique<DelimitedWriter>(tabs, std::move(columns));
}

}  // namespace sla::formats
