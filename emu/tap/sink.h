// Where the tap puts events: the marker library in the program, a list in tests.
//
// A lane is opened once and named by its number from then on. One thread, the machine's.
#pragma once

#include <sla/ring_abi.h>

#include <cstdint>
#include <string>

namespace sla::tap {

using Lane = std::uint32_t;

class Sink {
public:
    virtual ~Sink() = default;

    // `format` names the formatter of value and details, "" for none (proto/wire/formatter.h).
    virtual Lane open(const std::string& name, const char* format) = 0;
    // False: nobody listens, an event may as well not be made. A few instructions.
    [[nodiscard]] virtual bool listens(Lane lane) const = 0;

    virtual void plain(Lane lane, sla_code code, std::uint64_t value) = 0;
    virtual void wide(Lane lane, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) = 0;
    virtual void text(Lane lane, const std::string& text) = 0;
};

}  // namespace sla::tap
