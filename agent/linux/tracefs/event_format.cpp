#include "agent/linux/tracefs/event_format.h"

#include "proto/base/control_characters.h"

#include <traceevent/event-parse.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace sla::linux {
namespace {

constexpr std::size_t kMaxFields = 64;

struct FreeTep {
    void operator()(tep_handle* tep) const { tep_free(tep); }
};

Field::Shape shape_of(const tep_format_field& field) {
    if ((field.flags & TEP_FIELD_IS_STRING) != 0) {
        if ((field.flags & TEP_FIELD_IS_RELATIVE) != 0) return Field::Shape::kRelativeText;
        return (field.flags & TEP_FIELD_IS_DYNAMIC) != 0 ? Field::Shape::kDynamicText : Field::Shape::kText;
    }
    const bool plain = (field.flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) == 0;
    const bool sized = field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8;
    return plain && sized ? Field::Shape::kNumber : Field::Shape::kOther;
}

SymbolList list_of(const tep_print_flag_sym* symbols) {
    SymbolList list;
    for (; symbols != nullptr; symbols = symbols->next) {
        if (symbols->value == nullptr || symbols->str == nullptr) continue;
        char* end = nullptr;
        const std::uint64_t value = std::strtoull(symbols->value, &end, 0);
        if (end != symbols->value) list.emplace(value, symbols->str);
    }
    return list;
}

// Which field an expression is about: the first one met.
const char* field_in(const tep_print_arg* arg) {
    if (arg == nullptr) return nullptr;
    switch (arg->type) {
        case TEP_PRINT_FIELD: return arg->field.name;
        case TEP_PRINT_TYPE: return field_in(arg->typecast.item);
        case TEP_PRINT_OP: {
            const char* left = field_in(arg->op.left);
            return left != nullptr ? left : field_in(arg->op.right);
        }
        default: return nullptr;
    }
}

// Every __print_symbolic() in an expression, handed to its field.
void collect_symbols(const tep_print_arg* arg, EventFormat& format) {
    if (arg == nullptr) return;
    if (arg->type == TEP_PRINT_TYPE) collect_symbols(arg->typecast.item, format);
    if (arg->type == TEP_PRINT_OP) {
        collect_symbols(arg->op.left, format);
        collect_symbols(arg->op.right, format);
    }
    if (arg->type != TEP_PRINT_SYMBOL) return;
    const char* name = field_in(arg->symbol.field);
    if (name == nullptr) return;
    for (Field& field : format.fields) {
        if (field.name == name) field.symbols.push_back(list_of(arg->symbol.symbols));
    }
}

Field field_of(const tep_format_field& from) {
    Field field;
    field.name = from.name;
    field.shape = shape_of(from);
    field.offset = static_cast<std::uint16_t>(std::clamp(from.offset, 0, 0xffff));
    field.size = static_cast<std::uint16_t>(std::clamp(from.size, 0, 0xffff));
    field.is_signed = (from.flags & TEP_FIELD_IS_SIGNED) != 0;
    const bool wide_unsigned = from.size == 8 && !field.is_signed;
    field.is_address = (from.flags & TEP_FIELD_IS_POINTER) != 0 || wide_unsigned;
    return field;
}

std::string_view until_nul(const char* text, std::size_t capacity) {
    return {text, strnlen(text, capacity)};
}

void append_number(const Field& field, std::uint64_t number, std::string& out) {
    if (!field.symbols.empty()) {
        out += field.symbol(number);
        return;
    }
    char digits[24];
    char* end = digits;
    if (field.is_address) {
        out += "0x";
        end = std::to_chars(digits, digits + sizeof digits, number, 16).ptr;
    } else if (field.is_signed) {
        end = std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(number)).ptr;
    } else {
        end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    }
    out.append(digits, end);
}

}  // namespace

std::string_view Field::text(RecordBytes record) const {
    if (shape == Shape::kNumber || shape == Shape::kOther) return {};
    if (std::size_t{offset} + size > record.size()) return {};
    const char* base = reinterpret_cast<const char*>(record.data());
    if (shape == Shape::kText) return until_nul(base + offset, size);
    std::uint32_t place = 0;
    if (size < sizeof place) return {};
    std::memcpy(&place, base + offset, sizeof place);
    std::size_t begin = place & 0xffff;
    if (shape == Shape::kRelativeText) begin += std::size_t{offset} + size;
    const std::size_t length = place >> 16;
    if (begin > record.size() || length > record.size() - begin) return {};
    return until_nul(base + begin, length);
}

std::string Field::symbol(std::uint64_t number, std::size_t which) const {
    if (which < symbols.size()) {
        auto found = symbols[which].find(number);
        if (found != symbols[which].end()) return found->second;
    }
    return std::to_string(number);
}

const Field* EventFormat::find(std::string_view field) const {
    auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.name == field; });
    return found == fields.end() ? nullptr : &*found;
}

bool EventFormat::has_all(std::initializer_list<std::string_view> names) const {
    return std::all_of(names.begin(), names.end(), [this](std::string_view each) { return find(each) != nullptr; });
}

void EventFormat::append_text(RecordBytes record, std::size_t limit, std::string& out) const {
    const std::size_t begin = out.size();
    for (const Field& field : fields) {
        if (field.shape == Field::Shape::kOther) continue;
        if (out.size() > begin) out += ' ';
        out += field.name;
        out += '=';
        if (field.shape == Field::Shape::kNumber) {
            append_number(field, field.number(record), out);
        } else {
            out += without_control(std::string(field.text(record)), '?');
        }
        if (out.size() - begin >= limit) break;
    }
    if (out.size() - begin > limit) out.resize(begin + limit);
}

Result<EventFormat> parse_event_format(const std::string& system, const std::string& text) {
    const std::unique_ptr<tep_handle, FreeTep> tep(tep_alloc());
    if (!tep) return unavailable("no memory for the format of an event of " + system);
    tep_set_loglevel(TEP_LOG_NONE);
    tep_set_long_size(tep.get(), sizeof(long));
    tep_set_page_size(tep.get(), 4096);
    tep_parse_event(tep.get(), text.data(), text.size(), system.c_str());  // fields are there even if its print line is odd
    const tep_event* event = tep_get_first_event(tep.get());
    if (event == nullptr || event->id <= 0 || event->id > 0xffff) {
        return damaged("an event of " + system + " has a format that cannot be read: " + text.substr(0, 60));
    }
    EventFormat format;
    format.id = static_cast<std::uint16_t>(event->id);
    format.system = system;
    format.name = event->name;
    for (const tep_format_field* field = event->format.fields; field != nullptr; field = field->next) {
        if (format.fields.size() < kMaxFields) format.fields.push_back(field_of(*field));
    }
    for (const tep_print_arg* arg = event->print_fmt.args; arg != nullptr; arg = arg->next) collect_symbols(arg, format);
    return format;
}

}  // namespace sla::linux
