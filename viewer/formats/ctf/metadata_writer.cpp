#include "viewer/formats/ctf/metadata_writer.h"

#include "proto/wire/version.h"
#include "viewer/formats/ctf/ctf_stream.h"
#include "viewer/formats/names.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace sla::formats {

namespace {

constexpr std::string_view kTypes = R"(/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := word_t;
typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; byte_order = le; } := double_t;

trace {
    major = 1;
    minor = 8;
    byte_order = le;
    packet.header := struct { uint32_t magic; uint32_t stream_id; };
};

)";

// As a literal of TSDL, which are C's.
std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string environment(const store::Session& session, const analysis::Selection& selection, const StreamSizes& sizes) {
    const auto& clock = session.clock();
    std::string out = "env {\n";
    out += fmt::format("    domain = \"sla\";\n    tracer_name = \"sla {}\";\n", wire::kProductVersion);
    out += fmt::format("    hostname = {};\n", in_quotes(session.origin().host));
    out +=
        fmt::format("    sla_origin_tick = \"{}\";\n    sla_ticks_per_second = \"{}\";\n    sla_clock_error_ppb = \"{}\";\n",
                    clock.origin_tick(), clock.ticks_per_second(), clock.slope_error_ppb());
    out += fmt::format("    sla_origin_realtime_ns = \"{}\";\n", clock.origin_realtime_ns());
    out += fmt::format("    sla_stamp_errors = {};\n", in_quotes(stamp_errors_text(session)));
    out += fmt::format("    sla_sources = {};\n", in_quotes(source_facts_text(session, selection)));
    for (const store::Lane* lane : selection.lanes) {
        const store::Channel& channel = lane->channel();
        out += fmt::format("    sla_channel_{} = {};\n", channel.id.value, in_quotes(channel.name));
        out += fmt::format("    sla_source_{} = {};\n", channel.id.value, in_quotes(source_text(session, *lane)));
        if (const store::Source* const source = session.source_of(*lane); source != nullptr && source->pid != 0)
            out += fmt::format("    sla_pid_{} = \"{}\";\n", channel.id.value, source->pid);
        if (!channel.format.empty())
            out += fmt::format("    sla_format_{} = {};\n", channel.id.value, in_quotes(channel.format));
        if (const auto size = sizes.find(channel.id.value); size != sizes.end())
            out += fmt::format("    sla_bytes_{} = \"{}\";\n", channel.id.value, size->second);
    }
    return out + "};\n\n";
}

// Raw ticks; the offset puts tick 0 where it lay on the wall clock, when that is known.
std::string clock_block(const store::Session& session) {
    const auto& clock = session.clock();
    const auto hz = static_cast<std::uint64_t>(std::llround(clock.ticks_per_second()));
    const __int128 origin_ns = static_cast<__int128>(clock.origin_tick()) * 1'000'000'000 / hz;
    const __int128 zero_ns = clock.origin_realtime_ns() > 0 ? clock.origin_realtime_ns() - origin_ns : 0;
    const bool known = zero_ns > 0;
    const auto seconds = static_cast<std::uint64_t>(known ? zero_ns / 1'000'000'000 : 0);
    const auto rest = static_cast<std::uint64_t>(known ? zero_ns % 1'000'000'000 * hz / 1'000'000'000 : 0);
    return fmt::format(
        "clock {{\n    name = tsc;\n    description = \"time-stamp counter of the host, raw\";\n    freq = {};\n    "
        "offset_s = "
        "{};\n    offset = {};\n    absolute = {};\n}};\n\n"
        "typealias integer {{ size = 64; align = 8; signed = false; map = clock.tsc.value; }} := tick_t;\n\n",
        hz, seconds, rest, known ? "TRUE" : "FALSE");
}

std::string thread_names(const store::Session& session) {
    std::string out = "typealias enum : uint32_t {\n    \"-\" = 0";
    std::set<std::string> taken = {"-"};
    for (const auto& [id, thread] : session.threads()) {
        if (id.value == 0) continue;
        std::string name = thread_text(session, id.value);
        if (!taken.insert(name).second) name += fmt::format(" ({})", id.value);  // of another source
        out += fmt::format(",\n    {} = {}", in_quotes(name), id.value);
    }
    return out + "\n} := thread_t;\n\n";
}

std::string other_causes() {
    std::string out;
    for (int cause = 1; cause <= static_cast<int>(wire::kLastLossCause); ++cause) {
        out += std::string(", \"") + wire::loss_cause_name(static_cast<wire::LossCause>(cause)) +
               "\" = " + std::to_string(cause);
    }
    return out;
}

std::string fields_of(std::uint8_t id) {
    const auto code = static_cast<std::uint8_t>(id & (kCtfDetails - 1));
    std::string fields;
    if (code == SLA_CODE_TEXT) {
        fields = "string text; ";
    } else if (code == SLA_CODE_GAP) {
        fields = "uint64_t lost; uint64_t until_tick; enum : uint8_t { \"unknown\" = 0" + other_causes() + " } cause; ";
    } else if (code == SLA_CODE_LEVEL) {
        fields = "uint8_t level; ";
    } else {
        switch (wire::value_type_of(code)) {
            case wire::ValueType::kNone: break;
            case wire::ValueType::kSigned: fields = "int64_t value; "; break;
            case wire::ValueType::kUnsigned: fields = "uint64_t value; "; break;
            case wire::ValueType::kFloat: fields = "double_t value; "; break;
        }
    }
    if ((id & kCtfText) != 0) fields += "string text; ";
    if ((id & kCtfDetails) != 0) fields += "word_t detail0; word_t detail1; ";
    return fields;
}

}  // namespace

std::string ctf_preamble(const store::Session& session, const analysis::Selection& selection, const StreamSizes& sizes) {
    return std::string(kTypes) + environment(session, selection, sizes) + clock_block(session) + thread_names(session);
}

std::string ctf_stream_class(const store::Lane& lane, const CtfIds& ids) {
    const std::uint32_t stream = lane.channel().id.value;
    std::string out = fmt::format(
        "stream {{\n    id = {};\n"
        "    packet.context := struct {{ tick_t timestamp_begin; tick_t timestamp_end; uint64_t content_size; "
        "uint64_t packet_size; uint64_t events_discarded; }};\n"
        "    event.header := struct {{ uint8_t id; tick_t timestamp; }};\n"
        "    event.context := struct {{ thread_t thread; }};\n}};\n\n",
        stream);
    for (std::size_t id = 0; id < ids.size(); ++id) {
        if (!ids[id]) continue;
        const char* kind = wire::kind_name(wire::kind_of(static_cast<std::uint8_t>(id & (kCtfDetails - 1))));
        out +=
            fmt::format("event {{ name = {}; id = {}; stream_id = {}; fields := struct {{ {}}}; }};\n",
                        in_quotes(lane.channel().name + ":" + kind), id, stream, fields_of(static_cast<std::uint8_t>(id)));
    }
    return out + "\n";
}

}  // namespace sla::formats
