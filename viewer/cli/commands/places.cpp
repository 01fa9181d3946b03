// sla places: where programs were when they were sampled, the most frequent first.
#include "proto/common/symbols/symbols.h"
#include "viewer/analysis/selection.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/formats/table/small_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace sla::cli {

namespace {

constexpr const char* kSampleLanes = "linux.sample.*";
constexpr const char* kGuestSampleLanes = "pmc.sample";
constexpr const char* kGuestPlace = "x86.addr";  // proto/wire/formatter.h

struct Counted {
    std::string place;
    std::uint64_t samples = 0;
};

struct Naming {
    symbol::Symbols symbols;
    bool whole = false;  // all places of a symbol as one
};

// A guest's place by its symbol, where there is one near enough: "handle_13+0x1c (f000:e05b)".
std::string named(const std::string& place, std::uint64_t packed, const Naming& naming) {
    const auto selector = static_cast<std::uint16_t>(packed >> 32);
    const std::string name = naming.symbols.name_of(selector, static_cast<std::uint32_t>(packed));
    if (name.empty()) return place;
    if (naming.whole) return name.substr(0, name.find('+'));
    return name + " (" + (place.starts_with("at ") ? place.substr(3) : place) + ")";
}

// By place: an event's text. Without one it counts as "?".
std::vector<Counted> count_places(const store::Lane& lane, const analysis::Selection& selection, const Naming& naming) {
    std::map<std::string, std::uint64_t> by_place;
    for (std::uint64_t i = lane.lower_bound(selection.from); i < lane.size() && lane.tick(i) < selection.until; i++) {
        if (lane[i].kind() == wire::Kind::kGap) continue;
        std::string place = lane.text(i);
        if (!naming.symbols.empty() && lane.channel().format == kGuestPlace)
            place = named(place, lane.details(i)[1], naming);
        by_place[place.empty() ? "?" : std::move(place)]++;
    }
    std::vector<Counted> places;
    for (auto& [place, samples] : by_place) places.push_back({place, samples});
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.samples > b.samples; });
    return places;
}

void add_lane(const store::Lane& lane, const analysis::Selection& selection, const Naming& naming, std::size_t most,
              formats::SmallTable& table) {
    const std::vector<Counted> places = count_places(lane, selection, naming);
    std::uint64_t all = 0;
    for (const Counted& each : places) all += each.samples;
    double share = 0;
    for (std::size_t i = 0; i < places.size() && (most == 0 || i < most); i++) {
        const double percent = 100.0 * static_cast<double>(places[i].samples) / static_cast<double>(all);
        share += percent;
        const auto rounded = [](double number) { return std::round(number * 100) / 100; };
        table.add({lane.channel().name, std::uint64_t{i + 1}, places[i].place, places[i].samples, rounded(percent),
                   rounded(share)});
    }
}

int run_places(const InputOptions& input, const std::vector<std::string>& files, bool by_symbol, std::size_t most,
               const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto range = input.range();
    if (!range.ok()) return complain(range.error());
    std::vector<std::string> globs =
        input.channels.empty() ? std::vector<std::string>{kSampleLanes, kGuestSampleLanes} : input.channels;
    Naming naming;
    naming.whole = by_symbol;
    for (const std::string& file : files) {
        if (const auto added = naming.symbols.add_file(file); !added.ok()) return complain(added.error());
    }
    store::Session session;
    if (const auto loaded = input.load(session, globs); !loaded.ok()) return complain(loaded.error());
    const bool guest_only = input.channels.empty() && analysis::matching_lanes(session, kSampleLanes).empty();
    if (guest_only) globs.erase(globs.begin());
    if (input.channels.empty() && !guest_only && analysis::matching_lanes(session, kGuestSampleLanes).empty())
        globs.pop_back();
    const auto selection = analysis::select(session, globs, *range);
    formats::SmallTable table({"channel", "rank", "place", "samples", "percent", "percent_so_far"});
    if (selection.ok()) {
        for (const store::Lane* lane : selection->lanes) add_lane(*lane, *selection, naming, most, table);
    } else if (input.channels.empty()) {
        remark(input.name() +
               " has no samples; they come with: sla record --sample time:1ms, of a guest with: sla-emu run "
               "--sample 16:10000");
    } else {
        return complain(selection.error());
    }
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    if (const auto written = table.write(*format, *out); !written.ok()) return complain(written.error());
    return table.size() > 0 ? kDone : kNo;
}

}  // namespace

void add_places(common::Command& app) {
    common::Command& command = app.add_command("places", "Top places: where programs were when they were sampled");
    auto input = std::make_shared<InputOptions>();
    auto output = std::make_shared<OutputOptions>();
    auto most = std::make_shared<std::size_t>(20);
    input->add_target(command);
    input->add_channels(command);
    input->add_range(command);
    command.add_option("--most", *most, "Places of each channel; 0: all").show_default().value_name("N");
    auto symbols = std::make_shared<std::vector<std::string>>();
    command
        .add_option(
            "--symbols", *symbols,
            "Names of a guest's code: an ELF file, a map of NASM's ([map all F]) or GNU ld's (-Map), lines of ADDRESS "
            "NAME; @0xf0000 behind it is added to its addresses (repeatable)")
        .value_name("FILE[@BASE]")
        .one_each();
    auto by_symbol = std::make_shared<bool>(false);
    command.add_flag("--by-symbol", *by_symbol, "With --symbols: all places of a symbol as one");
    output->add_to(command);
    command.footer(
        "Samples of this machine come with sla record --sample time:1ms, those of a guest (channel pmc.sample) with sla-emu "
        "run\n"
        "--sample EVENT:N. Of any other channel whose events have guest places (--channel 'irq.*.isr') --symbols names "
        "these.");
    command.action([=] { return run_places(*input, *symbols, *by_symbol, *most, *output); });
}

}  // namespace sla::cli
