#include "viewer/formats/source_facts.h"

#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/formats/names.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/percent.h"
#include "viewer/store/host_texts.h"
#include "viewer/store/machine_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::uint32_t kMostSectionTicks = 1'000'000'000;  // no section costs a second
constexpr std::size_t kFields = 5;

bool is_plain(const store::Source& source) {
    return source.kind == store::SourceKind::kProgram && source.clock_domain == 0 && source.section_ticks == 0 &&
           source.ended && source.command.empty();
}

std::optional<store::SourceKind> kind_named(std::string_view name) {
    using Kind = store::SourceKind;
    for (const Kind kind : {Kind::kUnknown, Kind::kProgram, Kind::kPc, Kind::kHost, Kind::kAgent}) {
        if (name == store::source_kind_name(kind)) return kind;
    }
    return std::nullopt;
}

std::optional<SourceFacts> facts_of_word(std::string_view word) {
    std::array<std::string_view, kFields> fields;
    for (std::size_t i = 0; i < kFields; ++i) {
        const std::size_t end = i + 1 < kFields ? word.find(':') : word.size();
        if (end == std::string_view::npos) return std::nullopt;
        fields[i] = word.substr(0, end);
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    const bool goes_on = fields[0].ends_with('+');
    if (goes_on) fields[0].remove_suffix(1);
    const auto kind = kind_named(fields[0]);
    const auto clock = read_number<std::uint32_t>(fields[1]);
    const auto section = read_number<std::uint32_t>(fields[2]);
    const auto pid = read_number<std::uint32_t>(fields[3]);
    if (!kind || !clock || !section || *section > kMostSectionTicks || !pid || fields[4].empty()) return std::nullopt;
    return SourceFacts{percent_decoded(fields[4]), *pid, *kind, *clock, *section, !goes_on};
}

constexpr std::string_view kCommand = "command:";
constexpr std::string_view kKnown = "known:";
constexpr std::string_view kDamage = "damage:";
constexpr std::size_t kDamages = 100;

std::string sources_text(const store::Session& session, const std::vector<const store::Lane*>& lanes, std::uint64_t until,
                         const SourceTexts* names = nullptr) {
    const std::set<SourceId> behind = sources_behind(session, until);
    std::set<SourceId> seen;
    std::string out;
    std::string commands;
    bool is_worth_a_word = false;
    for (const store::Lane* lane : lanes) {
        const store::Source* const of_lane = session.source_of(*lane);
        if (of_lane == nullptr || !seen.insert(of_lane->id).second) continue;
        store::Source source = *of_lane;
        source.ended = source.ended && !behind.contains(source.id);
        is_worth_a_word = is_worth_a_word || !is_plain(source);
        const std::string name = percent_coded(names == nullptr ? source_text(session, *lane) : names->of(*lane));
        if (!out.empty()) out += ',';
        out += fmt::format("{}{}:{}:{}:{}:{}", store::source_kind_name(source.kind), source.ended ? "" : "+",
                           source.clock_domain, source.section_ticks, source.pid, name);
        if (!source.command.empty())
            commands += fmt::format(",{}{}:{}:{}", kCommand, source.pid, name, percent_coded(source.command));
    }
    return is_worth_a_word ? out + commands : std::string();
}

// The first ones; that there is any is what matters.
std::string damage_text(const store::Session& session) {
    std::string out;
    std::size_t count = 0;
    for (const store::Note& note : session.notes()) {
        if (!note.damage || ++count > kDamages) continue;
        if (!out.empty()) out += ',';
        const std::string ps = note.tick == 0 ? "" : std::to_string(session.clock().to_ps(note.tick));
        out += fmt::format("{}{}:{}", kDamage, ps, percent_coded(note.text));
    }
    return out;
}

using Commands = std::map<std::pair<std::uint32_t, std::string>, std::string>;  // by process and name

void read_command(std::string_view word, Commands& commands) {
    const std::size_t name = word.find(':');
    const std::size_t command = name == std::string_view::npos ? name : word.find(':', name + 1);
    if (command == std::string_view::npos) return;
    const auto pid = read_number<std::uint32_t>(word.substr(0, name));
    if (!pid) return;
    commands[{*pid, percent_decoded(word.substr(name + 1, command - name - 1))}] = percent_decoded(word.substr(command + 1));
}

void read_damage(std::string_view word, CaptureSink& sink) {
    const std::size_t between = word.find(':');
    if (between == std::string_view::npos) return;
    const auto ps = read_number<std::int64_t>(word.substr(0, between));
    if (ps || between == 0) sink.add_damage(ps, percent_decoded(word.substr(between + 1)));
}

// Empty: from the start to the last event of the selection that the machine's clock stamps.
std::string known_text(const store::Session& session, const analysis::Selection& selection) {
    const auto final = analysis::last_final_tick(session, selection);  // what comes behind it is not exported
    if (!final) return {};
    const std::uint64_t until = std::min(analysis::known_extent(session, selection).until, *final);
    std::uint64_t last = session.origin().start_tick;
    for (const store::Lane* lane : selection.lanes) {
        const bool counts = !lane->empty() && lane->last_tick() <= *final && !analysis::has_own_time(session, *lane);
        if (counts) last = std::max(last, lane->last_tick());
    }
    const std::uint64_t begin = begin_of_part(session, selection);
    const bool begins_later = begin > session.origin().start_tick;
    if (until <= last && !begins_later) return {};
    const auto& clock = session.clock();
    const std::string from = begins_later ? std::to_string(clock.to_ps(begin)) : std::string();
    return fmt::format("{}{}:{}", kKnown, from, clock.to_ps(std::max(until, begins_later ? begin : 0)));
}

std::string with_extent(std::string out, const store::Session& session, const analysis::Selection& selection) {
    for (const std::string& more : {known_text(session, selection), damage_text(session)}) {
        if (!out.empty() && !more.empty()) out += ',';
        out += more;
    }
    return out;
}

void read_known(std::string_view word, CaptureSink& sink) {
    const std::size_t between = word.find(':');
    if (between == std::string_view::npos) return;
    const auto from = read_number<std::int64_t>(word.substr(0, between));
    const auto until = read_number<std::int64_t>(word.substr(between + 1));
    if ((from || between == 0) && until && from.value_or(0) <= *until) sink.set_known(from, *until);
}

}  // namespace

std::string source_facts_text(const store::Session& session, const analysis::Selection& selection) {
    return with_extent(sources_text(session, selection.lanes, selection.until), session, selection);
}

std::string source_facts_text(const store::Session& session, const analysis::Selection& selection,
                              const SourceTexts& names) {
    return with_extent(sources_text(session, selection.lanes, selection.until, &names), session, selection);
}

std::uint64_t begin_of_part(const store::Session& session, const analysis::Selection& selection) {
    return std::max({selection.from, session.origin().begin_tick, store::late_begin(session)});
}

std::set<SourceId> sources_behind(const store::Session& session, std::uint64_t until) {
    std::set<SourceId> sources;
    for (const store::Lane* lane : session.lanes()) {
        if (!lane->empty() && lane->last_tick() >= until) sources.insert(lane->channel().source);
    }
    return sources;
}

std::string source_facts_text(const store::Session& session, const std::vector<const store::Lane*>& lanes) {
    return sources_text(session, lanes, store::kNever);
}

void read_source_facts(std::string_view text, CaptureSink& sink, double scale) {
    std::vector<SourceFacts> sources;
    Commands commands;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        if (text.starts_with(kKnown)) {
            read_known(text.substr(kKnown.size(), end - kKnown.size()), sink);
        } else if (text.starts_with(kCommand)) {
            read_command(text.substr(kCommand.size(), end - kCommand.size()), commands);
        } else if (text.starts_with(kDamage)) {
            read_damage(text.substr(kDamage.size(), end - kDamage.size()), sink);
        } else if (auto facts = facts_of_word(text.substr(0, end))) {
            facts->section_ticks = scaled_ticks(facts->section_ticks, scale);
            sources.push_back(std::move(*facts));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (SourceFacts& source : sources) {
        if (const auto at = commands.find({source.pid, source.name}); at != commands.end()) source.command = at->second;
    }
    sink.describe_sources(std::move(sources));
}

std::uint32_t scaled_ticks(std::uint32_t ticks, double scale) {
    if (ticks == 0) return 0;
    return static_cast<std::uint32_t>(std::clamp(std::round(ticks * scale), 1.0, double{kMostSectionTicks}));
}

}  // namespace sla::formats
