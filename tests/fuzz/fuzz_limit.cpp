// Limits of `sla check`: whatever is typed, it parses or the error points into it.
#include "proto/base/check.h"
#include "viewer/analysis/limit.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto limit = sla::analysis::parse_limit(text);
    if (!limit.ok()) {
        SLA_CHECK(!limit.error().message.empty());
        return 0;
    }
    SLA_CHECK(limit->text == text && std::isfinite(limit->bound));
    SLA_CHECK(!limit->channel.empty() || limit->measure == sla::analysis::Measure::kLost);
    SLA_CHECK(limit->end.empty() == (limit->measure != sla::analysis::Measure::kPair));
    SLA_CHECK(limit->is_time() || limit->share == sla::analysis::Share::kEvery);
    return 0;
}
