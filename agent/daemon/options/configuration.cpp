#include "agent/daemon/options/configuration.h"

#include "agent/daemon/options/channel_rule_text.h"
#include "agent/daemon/options/configured_lists.h"
#include "agent/daemon/options/json_document.h"
#include "agent/daemon/options/json_fields.h"
#include "agent/daemon/options/memory_size.h"
#include "agent/daemon/options/publish_options.h"
#include "proto/base/size.h"
#include "proto/common/tls/private_file.h"

#include <filesystem>
#include <fstream>
#include <utility>

namespace sla::daemon {
namespace {

void keep_for(std::int64_t ns, const std::string& origin, Options& options) {
    wire::Request request;
    request.mutable_set_retention()->set_keep_ns(ns);
    options.requests.push_back({origin, std::move(request)});
}

// {"events": "irq,sched", "hooks": [...], "samples": [...], "buffer": "32MiB"}: as --linux, --uprobe and so on.
Result<void> take_linux(const JsonReader& at, linux::LinuxOptions& host) {
    Fields fields;
    fields["events"] = text_into(host.events);
    fields["hooks"] = texts_into(host.uprobes);
    fields["samples"] = texts_into(host.samples);
    fields["buffer"] = parsed_field(parse_size, [&host](std::uint64_t bytes) { host.buffer_bytes = bytes; });
    return at.fields(fields);
}

// Of those that publish, some are a number of bytes and a time.
JsonReader::Take publishing_field(const std::string& key, std::string& to) {
    return key == "spool" || key == "report_every" ? text_or_number_into(to) : text_into(to);
}

Fields top_fields(const std::string& name, Options& options, PublishOptions& publish) {
    Fields fields;
    fields["linux"] = [&options](const JsonReader& at) { return take_linux(at, options.host); };
    fields["listen"] = [&options](const JsonReader& list) {
        return list.each(parsed_field([](const std::string& text) { return wire::parse_address(text); },
                                      [&](const wire::Address& address) { options.listen.push_back(address); }));
    };
    fields["metrics"] = parsed_field([](const std::string& text) { return wire::parse_address(text); },
                                     [&options](const wire::Address& address) { options.metrics = address; });
    for (auto [key, to] : {std::pair{"certificate", &options.tls.certificate}, std::pair{"key", &options.tls.key},
                           std::pair{"access", &options.tls.access}}) {
        fields[key] = text_into(*to);
    }
    for (const auto& [key, to] : publish.keys()) {
        fields[key] = publishing_field(key, *to);
    }
    fields["record"] = text_into(options.record);
    fields["rotate"] = parsed_field([](const std::string& text) { return capture::parse_rotation(text); },
                                    [&options](const capture::SeriesLimits& limits) {
                                        options.record_limits.file_bytes = limits.file_bytes;
                                        options.record_limits.file_time = limits.file_time;
                                    });
    fields["keep_files"] = number_into(options.record_limits.keep_files);
    fields["memory"] = parsed_field(parse_memory, [&options](std::uint64_t bytes) { options.limits.total_bytes = bytes; });
    fields["shot_memory"] = parsed_field(parse_size, [&options](std::uint64_t bytes) { options.limits.shot_bytes = bytes; });
    fields["channel_memory"] =
        parsed_field(parse_size, [&options](std::uint64_t bytes) { options.limits.channel_bytes = bytes; });
    fields["keep"] = parsed_field(parse_keep, [&options, name](std::int64_t ns) { keep_for(ns, name + ": keep", options); });
    fields["channels"] = [&options](const JsonReader& list) { return read_channel_list(list, options); };
    fields["triggers"] = [&options](const JsonReader& list) { return read_trigger_list(list, options); };
    return fields;
}

}  // namespace

Result<Options> parse_configuration(std::string_view text, const std::string& name) {
    if (text.size() > kMaxConfigurationBytes) return invalid_input(name + " is larger than 1 MiB: that is no configuration");
    Result<nlohmann::json> json = parse_json(text, name);
    if (!json) return json.error();
    Options options;
    PublishOptions publish;
    Result<void> read = JsonReader(*json, name + ": ").fields(top_fields(name, options, publish));
    if (read) read = take_publishing(publish, options.publish, name + ": ");
    if (!read) return read.error();
    return options;
}

Result<Options> read_configuration(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return unavailable("cannot read the configuration " + path + ": is it there, and may you read it?");
    std::string text(kMaxConfigurationBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) return unavailable("cannot read the configuration " + path);
    return parse_configuration(text, path);
}

std::optional<std::string> own_configuration() {
    std::string path = tls::config_file("agent.json");
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored)) return std::nullopt;
    return path;
}

}  // namespace sla::daemon
