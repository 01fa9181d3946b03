// sla places: where programs were when they were sampled, the most frequent first.
#include "proto/common/symbols/symbols.h"
#include "viewer/analysis/selection.h"
#include "viewer/analysis/text_counts.h"
#include "viewer/cli/code/annotate.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/table/small_table.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sla::cli {

namespace {

constexpr const char* kSampleLanes = "linux.sample.*";
constexpr const char* kGuestSampleLanes = "pmc.sample";
constexpr const char* kGuestPlace = "x86.addr";  // proto/wire/formatter.h

struct Naming {
    symbol::Symbols symbols;
    bool whole = false;  // all places of a symbol as one
};

// A guest's place by its symbol, where there is one near enough: "handle_13+0x1c (f000:e05b)".
std::string named(const std::string& place, std::uint64_t packed, const Naming& naming) {
    const auto selector = static_cast<std::uint16_t>(packed >> 32);
    const std::string name = naming.symbols.name_of(selector, static_cast<std::uint32_t>(packed));
    if (name.empty()) return place;
    if (naming.whole) return naming.symbols.function_of(selector, static_cast<std::uint32_t>(packed));
    return name + " (" + (place.starts_with("at ") ? place.substr(3) : place) + ")";
}

// An event's place is its text; without one it counts as "?".
void append_place(const store::Lane& lane, std::uint64_t index, const Naming& naming, std::string& out) {
    lane.append_text(index, out);
    if (!naming.symbols.empty() && lane.channel().format == kGuestPlace) out = named(out, lane.details(index)[1], naming);
    if (out.empty()) out = "?";
}

void add_lane(const std::string& channel, const analysis::LaneTexts& places, formats::SmallTable& table) {
    double share = 0;
    std::uint64_t rank = 0;
    for (const analysis::LaneTexts::Counted& place : places.texts) {
        const double percent = 100.0 * static_cast<double>(place.count) / static_cast<double>(places.total);
        share += percent;
        const auto rounded = [](double number) { return std::round(number * 100) / 100; };
        table.add({channel, ++rank, place.text, place.count, rounded(percent), rounded(share)});
    }
}

struct PlacesOptions {
    InputOptions input;
    OutputOptions output;
    std::vector<std::string> symbols;  // files
    bool by_symbol = false;
    std::size_t most = 20;
    AnnotateOptions annotate;
};

// What was chosen; else whichever of this machine's samples and a guest's there are.
Result<analysis::Selection> select_samples(const PlacesOptions& options, const store::Session& session,
                                           const analysis::TimeRange& range) {
    std::vector<std::string> globs = options.input.channels;
    for (const char* kind : {kSampleLanes, kGuestSampleLanes}) {
        const auto lanes = analysis::matching_lanes(session, kind);
        const bool are_some =
            std::any_of(lanes.begin(), lanes.end(), [](const store::Lane* lane) { return lane->events() > 0; });
        if (options.input.channels.empty() && are_some) globs.emplace_back(kind);
    }
    if (globs.empty()) {
        return not_found(
            options.input.name() +
            " has no samples; they come with: sla record --sample time:1ms --follow -- PROGRAM, of a guest with: "
            "sla-emu run --sample 16:10000");
    }
    return analysis::select(session, globs, range);
}

Result<formats::SmallTable> table_of(const PlacesOptions& options, const store::Session& session,
                                     const analysis::Selection& selection, const Naming& naming) {
    if (!options.annotate.what.empty()) return annotate(options.annotate, selection, naming.symbols, options.symbols);
    formats::SmallTable table({"channel", "rank", "place", "samples", "percent", "percent_so_far"});
    const auto append = [&naming](const store::Lane& lane, std::uint64_t index, std::string& out) {
        append_place(lane, index, naming, out);
    };
    Progress progress("counting the places of " + options.input.name());
    const auto places = analysis::count_texts(session, selection, options.most, append,
                                              [&](double share) { return progress.goes_on(share); });
    if (interrupted() != 0) return unavailable("stopped; nothing was written");
    for (std::size_t i = 0; i < places.size(); ++i) add_lane(selection.lanes[i]->channel().name, places[i], table);
    return table;
}

int run_places(const PlacesOptions& options) {
    const auto format = options.output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto range = options.input.range();
    if (!range.ok()) return complain(range.error());
    Naming naming;
    naming.whole = options.by_symbol;
    for (const std::string& file : options.symbols) {
        if (const auto added = naming.symbols.add_file(file); !added.ok()) return complain(added.error());
    }
    store::Session session;
    std::vector<std::string> globs = options.input.channels;
    if (globs.empty()) globs = {kSampleLanes, kGuestSampleLanes};
    if (const auto loaded = options.input.load(session, globs); !loaded.ok()) return complain(loaded.error());
    const auto selection = select_samples(options, session, *range);
    if (!selection.ok() && !options.input.channels.empty()) return complain(selection.error());
    if (!selection.ok()) remark(selection.error().message);
    const auto table = table_of(options, session, selection.ok() ? *selection : analysis::Selection(), naming);
    if (!table.ok()) return complain(table.error());
    return options.output.write(*table, *format, table->size() > 0 ? kDone : kNo);
}

}  // namespace

void add_places(common::Command& app) {
    common::Command& command = app.add_command("places", "Top places: where programs were when they were sampled");
    auto options = std::make_shared<PlacesOptions>();
    options->input.add_target(command);
    options->input.add_channels(command);
    options->input.add_range(command);
    command.add_option("--most", options->most, "Places of each channel; 0: all").show_default().value_name("N");
    command
        .add_option(
            "--symbols", options->symbols,
            "Names of a guest's code: an ELF file, a map of NASM's ([map all F]) or GNU ld's (-Map), lines of ADDRESS "
            "NAME; @0xf0000 behind it is added to its addresses (repeatable)")
        .value_name("FILE[@BASE]")
        .one_each();
    command.add_flag("--by-symbol", options->by_symbol,
                     "With --symbols: all places of a symbol as one, NASM's local labels (main.loop) with it");
    options->annotate.add_to(command);
    options->output.add_to(command);
    command.footer(
        "Samples of this machine come with sla record --sample time:1ms --follow -- PROGRAM (without --follow of all that "
        "runs,\n"
        "which root may), those of a guest (channel pmc.sample) with sla-emu run --sample EVENT:N. Of any other channel "
        "whose events have guest places (--channel 'irq.*.isr') --symbols names "
        "these.\n"
        "With --annotate the columns are channel,address,symbol,samples,percent,bytes,instruction, percent of all the "
        "channel's "
        "samples:\n"
        "sla places s.sla --annotate on_irq0 --symbols boot.map@0xf0000 --code boot.bin@0xff000, or of a program "
        "sla places s.sla --annotate busy --symbols ./program");
    command.action([options] { return run_places(*options); });
}

}  // namespace sla::cli
