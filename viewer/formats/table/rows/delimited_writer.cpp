// csv and tsv.
#include "viewer/formats/table/rows/delimited_text.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <array>

namespace sla::formats {

namespace {

// Which characters a text is looked through for.
struct Characters {
    std::array<bool, 256> are_in{};

    constexpr explicit Characters(std::string_view of) {
        for (const char c : of) are_in[static_cast<unsigned char>(c)] = true;
    }
    // A plain loop: texts are short, and most have none.
    [[nodiscard]] bool is_any_in(std::string_view text) const {
        for (const char c : text) {
            if (are_in[static_cast<unsigned char>(c)]) return true;
        }
        return false;
    }
};
constexpr Characters kQuoted(",\"\r\n");
constexpr Characters kEscaped("\t\r\n\\");

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
        put_delimited(out, text, tabs_);
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
    std::string prepare(std::string_view text) override { return delimited(text, tabs_); }
    void ready(ByteBuffer& out, std::string_view prepared) override {
        separate(out);
        out.put(prepared);
    }

private:
    void separate(ByteBuffer& out) {
        if (!first_) out.put(separator_);
        first_ = false;
    }

    bool tabs_;
    char separator_;
    bool first_ = true;
};

}  // namespace

void put_quoted(ByteBuffer& out, std::string_view text) {
    const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (!blank_end && !kQuoted.is_any_in(text)) return out.put(text);
    out.put('"');
    for (const char c : text) {
        if (c == '"') out.put('"');
        out.put(c);
    }
    out.put('"');
}

void put_escaped(ByteBuffer& out, std::string_view text) {
    if (!kEscaped.is_any_in(text)) return out.put(text);
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

std::unique_ptr<RowWriter> make_delimited_writer(bool tabs, std::vector<Column> columns) {
    return std::make_unique<DelimitedWriter>(tabs, std::move(columns));
}

}  // namespace sla::formats
