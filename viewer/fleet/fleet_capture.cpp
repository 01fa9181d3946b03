#include "viewer/fleet/fleet_capture.h"

#include "proto/base/how_many.h"
#include "proto/capture/newest_watermark.h"
#include "viewer/fleet/at_once.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_frames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace sla::fleet {
namespace {

using capture::CaptureIndex;
using capture::CaptureStore;

constexpr auto kTimeout = std::chrono::seconds(15);            // longer than an election
constexpr auto kTimeoutOfWatermark = std::chrono::seconds(2);  // without it the next one is waited for
// More do not come sooner: the servers have this many at work already.
constexpr std::size_t kQuestionsAtOnce = 16;

class FleetCapture final : public CaptureStore {
public:
    FleetCapture(std::shared_ptr<const MessageStore> messages, std::shared_ptr<const FleetPlaces> places, CaptureIndex index)
        : messages_(std::move(messages)),
          places_(std::move(places)),
          index_(std::make_shared<const CaptureIndex>(std::move(index))) {}

    [[nodiscard]] const std::string& name() const override { return places_->text; }
    [[nodiscard]] std::uint64_t bytes() const override { return index_->file_bytes(); }
    [[nodiscard]] Result<CaptureIndex> index(const Progress& /*progress*/) const override { return *index_; }
    [[nodiscard]] Result<capture::ChunkReader> open_chunks() const override {
        return capture::ChunkReader(std::make_unique<FleetChunks>(messages_, places_));
    }
    [[nodiscard]] Result<capture::CaptureReader> open_frames() const override {
        capture::ChunkReader chunks(std::make_unique<FleetChunks>(messages_, places_));
        return capture::CaptureReader(
            std::make_unique<FleetFrames>(index_, std::move(chunks), places_->has_lost_names, places_->head));
    }

private:
    std::shared_ptr<const MessageStore> messages_;
    std::shared_ptr<const FleetPlaces> places_;
    std::shared_ptr<const CaptureIndex> index_;
};

// The streams that hold the captures, by shard, each as it was before anything was read.
struct Stream {
    std::shared_ptr<const MessageStore> messages;
    Result<StreamState> state;
};

std::map<std::uint32_t, Stream> streams_of(const FleetReader& reader, const std::vector<RunEntry>& runs) {
    std::map<std::uint32_t, Stream> streams;
    for (const RunEntry& run : runs) {
        if (streams.contains(run.shard)) continue;
        auto messages = reader.messages(run, kTimeout);
        Result<StreamState> state = messages->state();
        streams.emplace(run.shard, Stream{std::move(messages), std::move(state)});
    }
    return streams;
}

// Hosts whose first events the streams hold no more.
std::string remark_on_begins(const std::string& name, const std::vector<FleetMember>& members) {
    constexpr std::size_t kShownHosts = 10;
    std::vector<std::string> late;
    for (const FleetMember& member : members) {
        if (member.capture.missing.before == 0) continue;
        late.push_back(fmt::format("{} of '{}'", how_many(member.capture.missing.before, "event"), member.run.host));
    }
    if (late.empty()) return "";
    const std::size_t hosts = late.size();
    late.resize(std::min(hosts, kShownHosts));
    return fmt::format(
        "{} begins late, without {}{} from before, expired in the cluster or deleted there: no loss of the recording", name,
        fmt::join(late, ", "), hosts > kShownHosts ? " and those of more hosts" : "");
}

Result<FleetMember> open_member(const FleetReader& reader, const RunEntry& run, const Stream& stream, Opening opening,
                                const std::function<bool()>& goes_on) {
    if (!stream.state) return Error{stream.state.error().code, reader.text_of(run) + ": " + stream.state.error().message};
    FleetMember member{run, {}, std::make_shared<FetchedMessages>(stream.messages)};
    Result<OpenedCapture> capture =
        open_messages(member.messages, {reader.name_of(run), reader.text_of(run), published_of(run)}, *stream.state, opening,
                      [&](double /*share*/) { return goes_on(); });
    if (!capture) return capture.error();
    member.capture = std::move(*capture);
    return member;
}

}  // namespace

Result<OpenedCapture> open_messages(std::shared_ptr<const MessageStore> messages, const WantedCapture& wanted,
                                    StreamState state, Opening opening, const CaptureStore::Progress& progress) {
    const auto goes_on = [&](std::size_t /*chunks*/) { return !progress || progress(0); };
    const std::string& text = wanted.text;
    Result<FleetCatalog> catalog = FleetCatalog::read(*messages, wanted.name, std::move(state), goes_on);
    if (!catalog) return Error{catalog.error().code, text + ": " + catalog.error().message};
    OpenedCapture opened;
    if (opening == Opening::kToFollow) opened.tail = catalog->cut_for_tail();
    Result<CaptureIndex> index = catalog->take_index(wanted.published);
    if (!index) return Error{index.error().code, text + ": " + index.error().message};
    for (const CaptureIndex::Lane& lane : index->lanes()) opened.rows += lane.rows();
    opened.missing = catalog->missing();
    opened.places = std::make_shared<const FleetPlaces>(
        FleetPlaces{text, wanted.name, catalog->addresses(), catalog->has_lost_names(), catalog->head()});
    if (opening == Opening::kToFollow) {
        capture::ChunkReader chunks(std::make_unique<FleetChunks>(messages, opened.places));
        chunks.set_timeout(kTimeoutOfWatermark);
        opened.complete_until = capture::newest_watermark(chunks, index->chunks());
    }
    opened.store = std::make_shared<FleetCapture>(std::move(messages), opened.places, std::move(*index));
    return opened;
}

Result<OpenedFleet> open_fleet(const std::string& typed, Opening opening, const CaptureStore::Progress& progress) {
    const Result<FleetAddress> address = parse_fleet_address(typed);
    if (!address) return address.error();
    const auto reader = FleetReader::open(*address, progress);
    if (!reader) return reader.error();
    const auto all = (*reader)->all_runs(progress);
    if (!all) return all.error();
    const auto runs = choose_runs(*address, *all);
    if (!runs) return runs.error();
    const std::map<std::uint32_t, Stream> streams = streams_of(**reader, *runs);
    std::vector<std::optional<Result<FleetMember>>> members(runs->size());
    const auto ask = [&] { return !progress || progress(0); };
    const bool is_whole = each_at_once(runs->size(), kQuestionsAtOnce, ask, [&](std::size_t i, const auto& goes_on) {
        members[i] = open_member(**reader, (*runs)[i], streams.at((*runs)[i].shard), opening, goes_on);
    });
    if (!is_whole) return unavailable("stopped while " + address->text() + " was opened");
    OpenedFleet opened{*reader, address->text(), {}, {}, remark_on_choice(*address, *all, *runs)};
    Error problem;
    for (std::optional<Result<FleetMember>>& member : members) {
        if (*member) {
            opened.members.push_back(std::move(*member).value());
        } else {
            problem = member->error();
            opened.left_out.push_back(problem.message);
        }
    }
    if (opened.members.empty()) return problem;
    if (const std::string late = remark_on_begins(opened.name, opened.members); !late.empty())
        opened.remark += (opened.remark.empty() ? "" : "; ") + late;
    return opened;
}

std::uint64_t rows_of(const OpenedFleet& fleet) {
    std::uint64_t rows = 0;
    for (const FleetMember& member : fleet.members) rows += member.capture.rows;
    return rows;
}

Result<void> fetch_rows(const OpenedFleet& fleet, const CaptureStore::Progress& progress) {
    std::vector<std::pair<const FleetMember*, std::uint64_t>> wanted;
    for (const FleetMember& member : fleet.members) {
        for (const ChunkAddress& chunk : member.capture.places->addresses) {
            if (!chunk.is_gone) wanted.emplace_back(&member, chunk.frames_at);
        }
    }
    std::mutex mutex;
    std::optional<Error> problem;  // the first; under mutex
    const auto ask = [&] { return !progress || progress(0); };
    const bool is_whole = each_at_once(wanted.size(), kQuestionsAtOnce, ask, [&](std::size_t i, const auto& /*goes_on*/) {
        {
            const std::lock_guard lock(mutex);
            if (problem) return;
        }
        const Result<void> fetched = wanted[i].first->messages->fetch(wanted[i].second, kTimeout);
        if (fetched || fetched.error().code != ErrorCode::kUnavailable) return;
        const std::lock_guard lock(mutex);
        problem = fetched.error();
    });
    if (problem) return Error{problem->code, fleet.name + ": " + problem->message};
    return is_whole ? Result<void>() : unavailable("stopped while " + fleet.name + " was read");
}

}  // namespace sla::fleet
