// Texts as csv and tsv have them.
#pragma once

#include "viewer/formats/byte_buffer.h"

#include <string>
#include <string_view>

namespace sla::formats {

// Between quotes where csv needs them; blanks at either end are quoted too: some readers would trim them.
void put_quoted(ByteBuffer& out, std::string_view text);
// What would end a field of tsv is escaped.
void put_escaped(ByteBuffer& out, std::string_view text);

inline void put_delimited(ByteBuffer& out, std::string_view text, bool tabs) {
    return tabs ? put_escaped(out, text) : put_quoted(out, text);
}
inline std::string delimited(std::string_view text, bool tabs) {
    ByteBuffer out;
    put_delimited(out, text, tabs);
    return std::string(out.view());
}

}  // namespace sla::formats
