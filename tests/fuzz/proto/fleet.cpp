// What comes out of a fleet's cluster: subjects, message ids, headers, registry entries; and the addresses that people type.
#include "proto/base/check.h"
#include "proto/fleet/headers.h"
#include "proto/fleet/names.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/servers.h"
#include "proto/fleet/stored_answer.h"
#include "proto/fleet/talk.h"

#include <map>
#include <string>
#include <string_view>

namespace {

using namespace sla::fleet;

// "NAME=VALUE" lines.
void read_headers(std::string_view text) {
    std::map<std::string, std::string> lines;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos)
            lines.emplace(line.substr(0, equals), line.substr(equals + 1, line.find('\0') - equals - 1));
    }
    const auto look_in = [](const std::map<std::string, std::string>& in) {
        return [&in](const char* name) {
            const auto at = in.find(name);
            return at == in.end() ? nullptr : at->second.c_str();
        };
    };
    if (const auto place = place_of_answer(look_in(lines))) SLA_CHECK(*place > 0);
    const auto headers = parse_headers(look_in(lines));
    if (!headers) return;
    std::map<std::string, std::string> again;
    for (const auto& [name, value] : headers->texts()) again[name] = value;
    const auto same = parse_headers(look_in(again));
    SLA_CHECK(same && *same == *headers);
}

void read_talk(std::string_view text) {
    if (const auto pong = parse_pong(text)) SLA_CHECK(parse_pong(pong->SerializeAsString()).has_value());
    if (const auto ping = parse_ping(text)) SLA_CHECK(ping->number() == parse_ping(ping->SerializeAsString())->number());
    if (const auto shot = parse_shot(text, "b")) SLA_CHECK(shot->host() == "b" && shot->pre_ns() <= kMaxWindowNs);
    if (const auto answer = parse_control_answer(text)) SLA_CHECK(is_token(answer->host()));
    if (const auto host = host_of_talk(text, "prod", Talk::kShot))
        SLA_CHECK(talk_subject("prod", Talk::kShot, *host) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto subject = parse_subject(text)) SLA_CHECK(subject->text() == text);
    if (const auto id = parse_message_id(text)) SLA_CHECK(id->text() == text);
    SLA_CHECK(is_token(to_token(text)));
    read_headers(text);
    if (const auto newest = parse_newest(text)) SLA_CHECK(newest->sequence > 0 && newest->body.size() <= size);
    if (const auto servers = parse_servers(text)) {
        SLA_CHECK(!servers->hosts.empty() && servers->urls().size() == servers->hosts.size());
        SLA_CHECK(parse_servers(servers->text()).ok());
    }
    if (const auto run = parse_run(text)) SLA_CHECK(parse_run(run->json())->json() == run->json());
    if (const auto shot = parse_shot_entry(text)) SLA_CHECK(*parse_shot_entry(shot->json()) == *shot);
    read_talk(text);
    if (const auto settings = parse_settings(text)) SLA_CHECK(*parse_settings(settings->json()) == *settings);
    return 0;
}
