// Texts as XML and HTML write them.
#pragma once

#include "proto/base/control_characters.h"
#include "proto/wire/utf8.h"

#include <string>
#include <string_view>

namespace sla::formats {

// For an attribute too. Control characters that have no form there become ?, bytes that are not UTF-8 U+FFFD.
inline std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : wire::to_utf8(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\n': out += "&#10;"; break;
            case '\t': out += "&#9;"; break;
            default: out += is_control(c) ? '?' : c;
        }
    }
    return out;
}

}  // namespace sla::formats
