// Texts as XML and HTML write them.
#pragma once

#include "proto/base/control_characters.h"

#include <string>
#include <string_view>

namespace sla::formats {

// `text` is valid UTF-8, and for an attribute too; control characters that have no form there become ?.
inline std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
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
