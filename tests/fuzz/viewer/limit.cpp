// Limits of `sla check` and changes of `sla compare`: whatever is typed, it parses or the error points into it.
#include "proto/base/check.h"
#include "viewer/analysis/limits/limit.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

void look_at_figure(const sla::analysis::Limit& limit, std::string_view text) {
    SLA_CHECK(limit.text == text && std::isfinite(limit.bound));
    SLA_CHECK(!limit.channel.empty() || !limit.filter.empty() || limit.measure == sla::analysis::Measure::kLost);
    SLA_CHECK(limit.end.empty() == (limit.measure != sla::analysis::Measure::kPair));
    SLA_CHECK(limit.is_time() || limit.share == sla::analysis::Share::kEvery);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto limit = sla::analysis::parse_limit(text); limit.ok()) {
        look_at_figure(*limit, text);
    } else {
        SLA_CHECK(!limit.error().message.empty());
    }
    if (const auto change = sla::analysis::parse_change(text); change.ok()) {
        look_at_figure(change->figure, text);
        SLA_CHECK(change->factor >= 0 && std::isfinite(change->factor) && std::isfinite(change->amount));
        SLA_CHECK(!change->figure.is_time() || change->figure.share != sla::analysis::Share::kEvery);
    } else {
        SLA_CHECK(!change.error().message.empty());
    }
    return 0;
}
