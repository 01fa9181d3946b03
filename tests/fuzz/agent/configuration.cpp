// The agent's configuration file, rules for channels and source filters: what people write, and what may stand in its place;
// and the same bytes as a client's request.
#include "agent/daemon/options/channel_rule_text.h"
#include "agent/daemon/options/channel_rules.h"
#include "agent/daemon/options/configuration.h"
#include "proto/base/check.h"
#include "proto/base/size.h"
#include "proto/wire/filter_text.h"
#include "proto/wire/frame_codec.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    sla::daemon::ChannelRules rules;
    if (const auto options = sla::daemon::parse_configuration(text, "agent.json")) {
        for (const auto& request : options->requests) {
            SLA_CHECK(!request.origin.empty());
            if (request.request.has_set_channels()) static_cast<void>(rules.add(request.request.set_channels()));
        }
    } else {
        SLA_CHECK(options.error().message.starts_with("agent.json"));
    }
    if (const auto rule = sla::daemon::parse_channel_rule(text)) static_cast<void>(rules.add(*rule));
    sla::wire::Request request;
    if (sla::wire::parse_message(text, request) && request.has_set_channels()) {
        if (rules.add(request.set_channels()).empty())
            static_cast<void>(sla::wire::filter_text(request.set_channels().filter()));
    }
    SLA_CHECK(rules.size() <= sla::daemon::ChannelRules::kMaxRules);
    static_cast<void>(rules.settings_of("net.rx"));
    if (const auto filter = sla::wire::parse_filter(text)) {
        SLA_CHECK(sla::wire::filter_problem(*filter).empty());
        const auto again =
            sla::wire::parse_filter(sla::wire::filter_text(*filter).empty() ? "none" : sla::wire::filter_text(*filter));
        SLA_CHECK(again.ok() && sla::wire::filter_text(*again) == sla::wire::filter_text(*filter));
    }
    static_cast<void>(sla::parse_size(text));
    return 0;
}
