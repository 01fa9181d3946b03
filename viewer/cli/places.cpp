// sla places: where programs were when they were sampled, the most frequent first.
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

struct Counted {
    std::string place;
    std::uint64_t samples = 0;
};

// By place: an event's text. Without one it counts as "?".
std::vector<Counted> count_places(const store::Lane& lane, const analysis::Selection& selection) {
    std::map<std::string, std::uint64_t> by_place;
    for (std::uint64_t i = lane.lower_bound(selection.from); i < lane.size() && lane.tick(i) < selection.until; i++) {
        if (lane[i].kind() == wire::Kind::kGap) continue;
        std::string place = lane.text(i);
        by_place[place.empty() ? "?" : std::move(place)]++;
    }
    std::vector<Counted> places;
    for (auto& [place, samples] : by_place) places.push_back({place, samples});
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.samples > b.samples; });
    return places;
}

void add_lane(const store::Lane& lane, const analysis::Selection& selection, std::size_t most, formats::SmallTable& table) {
    const std::vector<Counted> places = count_places(lane, selection);
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

int run_places(const InputOptions& input, std::size_t most, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto range = input.range();
    if (!range.ok()) return complain(range.error());
    const std::vector<std::string> globs = input.channels.empty() ? std::vector<std::string>{kSampleLanes} : input.channels;
    store::Session session;
    if (const auto loaded = input.load(session, globs); !loaded.ok()) return complain(loaded.error());
    const auto selection = analysis::select(session, globs, *range);
    formats::SmallTable table({"channel", "rank", "place", "samples", "percent", "percent_so_far"});
    if (selection.ok()) {
        for (const store::Lane* lane : selection->lanes) add_lane(*lane, *selection, most, table);
    } else if (input.channels.empty()) {
        remark(input.name() + " has no samples; they come with: sla record --sample time:1ms");
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
    output->add_to(command);
    command.action([=] { return run_places(*input, *most, *output); });
}

}  // namespace sla::cli
