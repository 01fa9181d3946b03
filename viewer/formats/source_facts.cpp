#include "viewer/formats/source_facts.h"

#include "viewer/formats/names.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/percent.h"
#include "viewer/store/host_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace sla::formats {

namespace {

constexpr std::uint32_t kMostSectionTicks = 1'000'000'000;  // no section costs a second
constexpr std::size_t kFields = 5;

bool is_plain(const store::Source& source) {
    return source.kind == store::SourceKind::kProgram && source.clock_domain == 0 && source.section_ticks == 0;
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
    const auto kind = kind_named(fields[0]);
    const auto clock = read_number<std::uint32_t>(fields[1]);
    const auto section = read_number<std::uint32_t>(fields[2]);
    const auto pid = read_number<std::uint32_t>(fields[3]);
    if (!kind || !clock || !section || *section > kMostSectionTicks || !pid || fields[4].empty()) return std::nullopt;
    return SourceFacts{percent_decoded(fields[4]), *pid, *kind, *clock, *section};
}

}  // namespace

std::string source_facts_text(const store::Session& session, const std::vector<const store::Lane*>& lanes) {
    std::set<SourceId> seen;
    std::string out;
    bool is_worth_a_word = false;
    for (const store::Lane* lane : lanes) {
        const store::Source* const source = session.source_of(*lane);
        if (source == nullptr || !seen.insert(source->id).second) continue;
        is_worth_a_word = is_worth_a_word || !is_plain(*source);
        if (!out.empty()) out += ',';
        out += fmt::format("{}:{}:{}:{}:{}", store::source_kind_name(source->kind), source->clock_domain,
                           source->section_ticks, source->pid, percent_coded(source_text(session, *lane)));
    }
    return is_worth_a_word ? out : std::string();
}

void read_source_facts(std::string_view text, CaptureSink& sink, double scale) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        if (auto facts = facts_of_word(text.substr(0, end))) {
            facts->section_ticks = scaled_ticks(facts->section_ticks, scale);
            sink.describe_source(std::move(*facts));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::uint32_t scaled_ticks(std::uint32_t ticks, double scale) {
    if (ticks == 0) return 0;
    return static_cast<std::uint32_t>(std::clamp(std::round(ticks * scale), 1.0, double{kMostSectionTicks}));
}

}  // namespace sla::formats
