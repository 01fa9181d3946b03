#include "viewer/formats/ctf/metadata_reader.h"

#include "proto/time/tick_rate.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/stamp_errors.h"

#include <set>

namespace sla::formats {

namespace {

// The block `name { ... }` without its braces; texts in quotes may hold braces. Empty when it is not there.
std::string_view block_of(std::string_view text, std::string_view name) {
    const std::size_t start = text.find(name);
    const std::size_t open = start == std::string_view::npos ? start : text.find('{', start);
    if (open == std::string_view::npos) return {};
    bool quoted = false;
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '\\' && quoted) {
            ++i;
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (text[i] == '}' && !quoted) {
            return text.substr(open + 1, i - open - 1);
        }
    }
    return {};
}

// Reads the literal that begins at `at` (a quote); `at` then stands behind it. Nothing when it does not end.
std::optional<std::string> literal(std::string_view text, std::size_t& at) {
    std::string out;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] != '\\') {
            out += text[at];
            continue;
        }
        if (++at >= text.size()) return std::nullopt;
        if (text[at] < '0' || text[at] > '7') {
            out += text[at];
            continue;
        }
        int code = 0;
        for (int digits = 0; digits < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++digits, ++at)
            code = code * 8 + (text[at] - '0');
        --at;
        out += static_cast<char>(code);
    }
    if (at >= text.size()) return std::nullopt;
    ++at;
    return out;
}

// KEY = "text"; of the environment.
std::map<std::string, std::string> environment_of(std::string_view block) {
    std::map<std::string, std::string> out;
    for (std::size_t at = 0; at < block.size();) {
        const std::size_t equals = block.find('=', at);
        const std::size_t quote = equals == std::string_view::npos ? equals : block.find('"', equals);
        if (quote == std::string_view::npos) break;
        std::string_view key = block.substr(at, equals - at);
        const std::size_t first = key.find_first_not_of(" \t\r\n;");
        const std::size_t last = key.find_last_not_of(" \t\r\n");
        std::size_t behind = quote;
        const auto value = literal(block, behind);
        if (!value || first == std::string_view::npos) break;
        out[std::string(key.substr(first, last + 1 - first))] = *value;
        at = behind;
    }
    return out;
}

void read_threads(std::string_view block, CtfMetadata& out) {
    for (std::size_t at = block.find('"'); at != std::string_view::npos; at = block.find('"', at)) {
        const auto name = literal(block, at);
        if (!name) return;
        const std::size_t start = block.find_first_of("0123456789", at);
        if (start == std::string_view::npos) return;
        const std::size_t end = std::min(block.find_first_not_of("0123456789", start), block.size());
        const auto number = read_number<std::uint32_t>(block.substr(start, end - start));
        if (number && *number != 0) out.threads[*number] = *name;
        at = end;
    }
    // Of two sources' threads of one name the second has its number behind it.
    std::set<std::string> names;
    for (const auto& [number, name] : out.threads) names.insert(name);
    for (auto& [number, name] : out.threads) {
        const std::string suffix = " (" + std::to_string(number) + ")";
        if (!name.ends_with(suffix)) continue;
        const std::string own = name.substr(0, name.size() - suffix.size());
        if (names.contains(own)) name = own;
    }
}

}  // namespace

Result<CtfMetadata> parse_ctf_metadata(std::string_view text) {
    if (text.starts_with(std::string_view("\x57\x1d\xd1\x75", 4)) || text.starts_with("\x75\xd1\x1d\x57"))
        return invalid_input(
            "its metadata are in packets, which `sla export` never writes; use babeltrace2 to make text of it");
    const auto environment = environment_of(block_of(text, "\nenv"));
    const auto get = [&](const std::string& key) {
        const auto at = environment.find(key);
        return at == environment.end() ? std::string() : at->second;
    };
    if (get("domain") != "sla")
        return invalid_input("this CTF trace was not written by `sla export`, and only those can be read so far");
    CtfMetadata out;
    const auto origin = read_number<std::uint64_t>(get("sla_origin_tick"));
    const auto hz = read_number<double>(get("sla_ticks_per_second"));
    const auto error = read_number<double>(get("sla_clock_error_ppb"));
    const auto realtime = read_number<std::int64_t>(get("sla_origin_realtime_ns"));
    if (!origin || !hz || !time::is_tick_rate(*hz) || !error || !(*error >= 0) || !realtime)
        return damaged("the clock in its metadata cannot be read");
    out.clock = {*origin, *hz, *error, *realtime};
    read_stamp_errors(get("sla_stamp_errors"), out.clock);
    out.sources = get("sla_sources");
    constexpr std::string_view kPrefix = "sla_channel_";
    for (const auto& [key, value] : environment) {
        if (!key.starts_with(kPrefix)) continue;
        const std::string digits = key.substr(kPrefix.size());
        const auto number = read_number<std::uint32_t>(digits);
        if (!number) continue;
        const auto pid = read_number<std::uint32_t>(get("sla_pid_" + digits));
        out.channels[*number] = {value, get("sla_source_" + digits), get("sla_format_" + digits), pid.value_or(0),
                                 read_number<std::uint64_t>(get("sla_bytes_" + digits))};
    }
    read_threads(block_of(text, "typealias enum : uint32_t"), out);
    return out;
}

}  // namespace sla::formats
