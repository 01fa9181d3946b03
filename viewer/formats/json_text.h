// Texts and numbers as JSON writes them.
#pragma once

#include "viewer/formats/byte_buffer.h"

#include <cmath>

namespace sla::formats {

inline void put_json_text(ByteBuffer& out, std::string_view text) {
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

// What JSON has no number for is a text: "nan", "inf", "-inf". "-0" would be read as a whole number, which has no sign.
inline void put_json_float(ByteBuffer& out, double number) {
    if (std::isfinite(number)) return out.put_real(number);
    out.put(std::isnan(number) ? "\"nan\"" : number > 0 ? "\"inf\"" : "\"-inf\"");
}

}  // namespace sla::formats
