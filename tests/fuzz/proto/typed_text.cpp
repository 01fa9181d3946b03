// What people type: durations, addresses, globs.
#include "proto/base/check.h"
#include "proto/time/duration.h"
#include "proto/wire/address.h"
#include "proto/wire/glob.h"
#include "proto/wire/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto duration = sla::time::parse_duration(text)) {
        SLA_CHECK(sla::time::parse_duration(sla::time::format_duration(*duration)).ok());
    }
    if (const auto address = sla::wire::parse_address(text)) {
        const auto again = sla::wire::parse_address(address->text());
        SLA_CHECK(again.ok() && again->text() == address->text());
        static_cast<void>(address->is_loopback());
    }
    const std::size_t half = size / 2;
    static_cast<void>(sla::wire::glob_match(text.substr(0, half), text.substr(half)));
    SLA_CHECK(sla::wire::glob_match("*", text));
    SLA_CHECK(sla::wire::is_utf8(sla::wire::to_utf8(text)));
    SLA_CHECK(sla::wire::to_utf8(text, half).size() <= half);
    return 0;
}
