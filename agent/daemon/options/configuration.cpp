#include "agent/daemon/options/configuration.h"

#include "agent/daemon/options/channel_rule_text.h"
#include "agent/daemon/options/json_reader.h"
#include "agent/daemon/options/publish_options.h"
#include "proto/base/size.h"
#include "proto/common/tls/private_file.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace sla::daemon {
namespace {

using Fields = std::map<std::string, JsonReader::Take, std::less<>>;

// Reads a text and lets `take` have it; what is wrong gets the key's path.
template <typename Take>
JsonReader::Take text_field(Take take) {
    return [take](const JsonReader& at) -> Result<void> {
        Result<std::string> text = at.text_or_number();
        if (!text) return text.error();
        Result<void> taken = take(*text);
        return taken ? taken : Result<void>(at.wrong(taken.error().message));
    };
}

// parse(text) goes to set(value).
template <typename Parse, typename Set>
JsonReader::Take parsed_field(Parse parse, Set set) {
    return text_field([parse, set](const std::string& text) -> Result<void> {
        auto value = parse(text);
        if (!value) return value.error();
        set(*value);
        return {};
    });
}

JsonReader::Take text_into(std::string& to) {
    return text_field([&to](const std::string& text) -> Result<void> {
        to = text;
        return {};
    });
}

template <typename Set>
JsonReader::Take number_field(Set set) {
    return [set](const JsonReader& at) -> Result<void> {
        Result<std::uint64_t> number = at.number();
        if (!number) return number.error();
        set(*number);
        return {};
    };
}

// As --channel has it.
Result<void> take_rule(const JsonReader& at, Options& options) {
    Result<wire::SetChannels> rule = parse_channel_rule(*at.text());
    if (!rule) return at.wrong(rule.error().message);
    wire::Request request;
    *request.mutable_set_channels() = std::move(*rule);
    options.requests.push_back({at.path(), std::move(request)});
    return {};
}

Result<void> take_channel(const JsonReader& at, Options& options) {
    if (at.is_text()) return take_rule(at, options);
    wire::Request request;
    wire::SetChannels& rule = *request.mutable_set_channels();
    auto setting = [&rule](const char* word) {
        return text_field([&rule, word](const std::string& text) { return add_setting(rule, word, text); });
    };
    Fields fields;
    fields["match"] = text_field([&rule](const std::string& glob) -> Result<void> {
        rule.add_channels(glob);
        return {};
    });
    fields["enabled"] = [&rule](const JsonReader& field) -> Result<void> {
        Result<bool> on = field.truth();
        if (!on) return on.error();
        rule.set_enabled(*on);
        return {};
    };
    for (const char* word : {"keep", "bytes", "policy", "filter", "every"}) fields[word] = setting(word);
    if (Result<void> taken = at.fields(fields); !taken) return taken;
    if (rule.channels_size() == 0) return at.wrong("'match' is missing: the name or pattern of the channels that are meant");
    options.requests.push_back({at.path(), std::move(request)});
    return {};
}

// "30%" as 0.3.
Result<double> parse_share(const std::string& text) {
    double percent = 0;
    auto read = std::from_chars(text.data(), text.data() + text.size(), percent);
    bool whole = read.ec == std::errc() && std::string_view(read.ptr, text.data() + text.size()) == "%";
    if (!whole || !(percent >= 0 && percent <= 100)) return invalid_input("'" + text + "' is not a share, as in 30%");
    return percent / 100;
}

Result<std::int64_t> parse_time(const std::string& text) {
    Result<std::int64_t> ps = time::parse_duration(text);
    if (!ps) return ps;
    if (*ps < 0) return invalid_input("'" + text + "' is negative");
    return *ps / time::kPicosecondsPerNanosecond;
}

Result<void> take_trigger(const JsonReader& at, Options& options) {
    wire::Request request;
    wire::SetTrigger& trigger = *request.mutable_set_trigger();
    trigger.set_pre_share(0.5);  // as without --pre
    auto text = [](auto set) { return parsed_field([](const std::string& t) { return Result<std::string>(t); }, set); };
    auto time = [](auto set) { return parsed_field(parse_time, set); };
    const auto some_time = [](const std::string& t) -> Result<std::int64_t> {
        Result<std::int64_t> ns = parse_time(t);
        return !ns || *ns > 0 ? ns : invalid_input("'" + t + "' is no time at all; 1ns keeps the event alone");
    };
    Fields fields{{"name", text([&](const std::string& name) { trigger.set_name(name); })},
                  {"expression", text([&](const std::string& expression) { trigger.set_expression(expression); })},
                  {"levels", text([&](const std::string& levels) { trigger.set_levels(levels); })},
                  {"pre", parsed_field(parse_share, [&](double share) { trigger.set_pre_share(share); })},
                  {"window", parsed_field(some_time, [&](std::int64_t ns) { trigger.set_window_ns(ns); })},
                  {"pre_time", time([&](std::int64_t ns) { trigger.set_pre_ns(ns); })},
                  {"post_time", time([&](std::int64_t ns) { trigger.set_post_ns(ns); })},
                  {"hold_off", time([&](std::int64_t ns) { trigger.set_hold_off_ns(ns); })},
                  {"shots", number_field([&](std::uint64_t shots) { trigger.set_shots(shots); })},
                  {"keep_shots", number_field([&](std::uint64_t shots) {
                       trigger.set_keep_shots(static_cast<std::uint32_t>(std::min<std::uint64_t>(shots, UINT32_MAX)));
                   })},
                  {"actions", [&](const JsonReader& list) {
                       return list.each(text([&](const std::string& action) { trigger.add_actions(action); }));
                   }}};
    if (at.is_text()) {  // as --trigger has it
        trigger.set_expression(*at.text());
    } else if (Result<void> taken = at.fields(fields); !taken) {
        return taken;
    }
    if (trigger.expression().empty() == trigger.levels().empty()) {
        return at.wrong("either 'expression' or 'levels' is needed");
    }
    options.requests.push_back({at.path(), std::move(request)});
    return {};
}

void keep_for(std::int64_t ns, const std::string& origin, Options& options) {
    wire::Request request;
    request.mutable_set_retention()->set_keep_ns(ns);
    options.requests.push_back({origin, std::move(request)});
}

// {"events": "irq,sched", "hooks": [...], "samples": [...], "buffer": "32MiB"}: as --linux, --uprobe and so on.
Result<void> take_linux(const JsonReader& at, linux::LinuxOptions& host) {
    const auto texts = [](std::vector<std::string>& list) -> JsonReader::Take {
        return [&list](const JsonReader& field) {
            return field.each(text_field([&list](const std::string& text) -> Result<void> {
                list.push_back(text);
                return {};
            }));
        };
    };
    Fields fields;
    fields["events"] = text_into(host.events);
    fields["hooks"] = texts(host.uprobes);
    fields["samples"] = texts(host.samples);
    fields["buffer"] = parsed_field(parse_size, [&host](std::uint64_t bytes) { host.buffer_bytes = bytes; });
    return at.fields(fields);
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
        fields[key] = text_into(*to);
    }
    fields["record"] = text_into(options.record);
    fields["rotate"] = parsed_field([](const std::string& text) { return capture::parse_rotation(text); },
                                    [&options](const capture::SeriesLimits& limits) {
                                        options.record_limits.file_bytes = limits.file_bytes;
                                        options.record_limits.file_time = limits.file_time;
                                    });
    fields["keep_files"] = number_field([&options](std::uint64_t files) {
        options.record_limits.keep_files = static_cast<std::uint32_t>(std::min<std::uint64_t>(files, UINT32_MAX));
    });
    const auto enough = [](const std::string& text) -> Result<std::uint64_t> {
        Result<std::uint64_t> bytes = parse_size(text);
        return !bytes || *bytes >= retain::Limits::kLeastTotalBytes
                   ? bytes
                   : invalid_input("'" + text + "' keeps nothing: at least 256KiB");
    };
    fields["memory"] = parsed_field(enough, [&options](std::uint64_t bytes) { options.limits.total_bytes = bytes; });
    fields["shot_memory"] = parsed_field(parse_size, [&options](std::uint64_t bytes) { options.limits.shot_bytes = bytes; });
    fields["channel_memory"] =
        parsed_field(parse_size, [&options](std::uint64_t bytes) { options.limits.channel_bytes = bytes; });
    fields["keep"] = parsed_field(parse_keep, [&options, name](std::int64_t ns) { keep_for(ns, name + ": keep", options); });
    fields["channels"] = [&options](const JsonReader& list) -> Result<void> {
        std::size_t before = options.requests.size();
        Result<void> taken = list.each([&](const JsonReader& at) { return take_channel(at, options); });
        // The newest rule stands first, so the first of the list is said last.
        std::reverse(options.requests.begin() + static_cast<std::ptrdiff_t>(before), options.requests.end());
        return taken;
    };
    fields["triggers"] = [&options](const JsonReader& list) {
        return list.each([&](const JsonReader& at) { return take_trigger(at, options); });
    };
    return fields;
}

// "NAME:LINE:COLUMN: WHY" for a byte of the text, counted from 1 as nlohmann does.
Error syntax_error(std::string_view text, const std::string& name, const nlohmann::json::parse_error& error) {
    std::string_view before = text.substr(0, std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
    std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::size_t column = before.size() - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
    std::string why = error.what();
    std::size_t said = why.find("syntax error");
    return invalid_input(name + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                         (said == std::string::npos ? why : why.substr(said)));
}

}  // namespace

Result<Options> parse_configuration(std::string_view text, const std::string& name) {
    if (text.size() > kMaxConfigurationBytes) return invalid_input(name + " is larger than 1 MiB: that is no configuration");
    constexpr bool kWithExceptions = true;
    constexpr bool kWithComments = true;
    nlohmann::json json;
    try {
        json = nlohmann::json::parse(text, nullptr, kWithExceptions, kWithComments);
    } catch (const nlohmann::json::parse_error& error) {
        return syntax_error(text, name, error);
    } catch (const nlohmann::json::exception& error) {
        return invalid_input(name + ": " + error.what());
    }
    Options options;
    PublishOptions publish;
    Result<void> read = JsonReader(json, name + ": ").fields(top_fields(name, options, publish));
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
