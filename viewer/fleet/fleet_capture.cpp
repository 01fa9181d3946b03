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

constexpr auto kTimeoutOfWatermark = std::chrono::seconds(2);  // without it the next one is waited for
constexpr std::size_t kStreamsAtOnce = 4;
constexpr std::size_t kNewestChunks = 16;  // as many as a watermark is looked for in

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

// The captures of one stream, by their numbers; the stream as it was before anything was read.
struct Stream {
    std::shared_ptr<const MessageStore> messages;
    std::vector<std::size_t> members;
};

std::vector<Stream> streams_of(const FleetReader& reader, const std::vector<RunEntry>& runs) {
    std::map<std::uint32_t, Stream> by_shard;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Stream& stream = by_shard[runs[i].shard];
        if (stream.messages == nullptr) stream.messages = reader.messages(runs[i], kAnswerTime);
        stream.members.push_back(i);
    }
    std::vector<Stream> streams;
    for (auto& [shard, stream] : by_shard) streams.push_back(std::move(stream));
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

struct OpenedCatalog {
    OpenedCapture capture;
    std::vector<capture::ChunkPlace> newest;  // of its chunks some, in order
};

Result<OpenedCatalog> open_catalog(const std::shared_ptr<const MessageStore>& messages, const WantedCapture& wanted,
                                   Result<FleetCatalog> catalog, Opening opening) {
    const std::string& text = wanted.text;
    if (!catalog) return Error{catalog.error().code, text + ": " + catalog.error().message};
    OpenedCatalog made;
    OpenedCapture& opened = made.capture;
    if (opening == Opening::kToFollow) opened.tail = catalog->cut_for_tail();
    Result<CaptureIndex> index = catalog->take_index(wanted.published);
    if (!index) return Error{index.error().code, text + ": " + index.error().message};
    for (const CaptureIndex::Lane& lane : index->lanes()) opened.rows += lane.rows();
    const std::vector<capture::ChunkPlace>& chunks = index->chunks();
    made.newest.assign(chunks.end() - static_cast<std::ptrdiff_t>(std::min(chunks.size(), kNewestChunks)), chunks.end());
    opened.missing = catalog->missing();
    opened.places = std::make_shared<const FleetPlaces>(
        FleetPlaces{text, wanted.name, catalog->addresses(), catalog->has_lost_names(), catalog->head()});
    opened.store = std::make_shared<FleetCapture>(messages, opened.places, std::move(*index));
    return made;
}

void find_watermark(const std::shared_ptr<const MessageStore>& messages, const std::vector<capture::ChunkPlace>& newest,
                    OpenedCapture& opened) {
    capture::ChunkReader chunks(std::make_unique<FleetChunks>(messages, opened.places));
    chunks.set_timeout(kTimeoutOfWatermark);
    opened.complete_until = capture::newest_watermark(chunks, newest);
}

// Messages of one stream, to be kept for one of its captures each.
using Wanted = std::vector<std::pair<FetchedMessages*, std::uint64_t>>;

// What is not there (any more) is left out. An error: the servers do not answer. False: it was stopped.
Result<bool> fetch(const MessageStore& stream, const Wanted& wanted, std::chrono::milliseconds timeout,
                   const std::function<bool()>& goes_on) {
    std::vector<MessageQuestion> questions;
    for (const auto& [to, sequence] : wanted) questions.push_back({MessageQuestion::What::kMessage, "", sequence, {}});
    std::optional<Error> problem;
    const auto keep = [&](std::size_t i, Result<StoredMessage> answer) {
        if (answer) wanted[i].first->keep(wanted[i].second, std::move(*answer));
        if (!answer && answer.error().code == ErrorCode::kUnavailable) problem = answer.error();
        return std::optional<MessageQuestion>();
    };
    const bool is_whole = stream.ask_each(questions, keep, timeout, [&] { return !problem && (!goes_on || goes_on()); });
    if (problem) return *problem;
    return is_whole;
}

using Members = std::vector<std::optional<Result<FleetMember>>>;

// Of a stream all captures at once: most of the time of each question is its way.
void open_members(const FleetReader& reader, const std::vector<RunEntry>& runs, const Stream& stream, Opening opening,
                  const std::function<bool()>& goes_on, Members& members) {
    Result<StreamState> state = stream.messages->state();
    if (!state) {
        for (const std::size_t i : stream.members)
            members[i] = Error{state.error().code, reader.text_of(runs[i]) + ": " + state.error().message};
        return;
    }
    std::vector<CaptureName> names;
    for (const std::size_t i : stream.members) names.push_back(reader.name_of(runs[i]));
    auto catalogs = FleetCatalog::read(*stream.messages, std::move(names),
                                       std::make_shared<const StreamState>(std::move(*state)), goes_on);
    Wanted newest;
    std::vector<std::pair<FleetMember*, std::vector<capture::ChunkPlace>>> to_follow;
    for (std::size_t at = 0; at < catalogs.size(); ++at) {
        const RunEntry& run = runs[stream.members[at]];
        auto messages = std::make_shared<FetchedMessages>(stream.messages);
        Result<OpenedCatalog> opened = open_catalog(messages, {reader.name_of(run), reader.text_of(run), published_of(run)},
                                                    std::move(catalogs[at]), opening);
        std::optional<Result<FleetMember>>& member = members[stream.members[at]];
        if (!opened) {
            member = opened.error();
            continue;
        }
        member = FleetMember{run, std::move(opened->capture), std::move(messages)};
        if (opening != Opening::kToFollow || opened->newest.empty()) continue;
        newest.emplace_back(member->value().messages.get(), opened->newest.back().offset);
        to_follow.emplace_back(&member->value(), std::move(opened->newest));
    }
    static_cast<void>(fetch(*stream.messages, newest, kTimeoutOfWatermark, goes_on));
    for (const auto& [member, chunks] : to_follow) {
        if (goes_on()) find_watermark(member->messages, chunks, member->capture);
    }
}

}  // namespace

Result<OpenedCapture> open_messages(std::shared_ptr<const MessageStore> messages, const WantedCapture& wanted,
                                    StreamState state, Opening opening, const CaptureStore::Progress& progress) {
    const auto goes_on = [&] { return !progress || progress(0); };
    auto catalogs =
        FleetCatalog::read(*messages, {wanted.name}, std::make_shared<const StreamState>(std::move(state)), goes_on);
    Result<OpenedCatalog> opened = open_catalog(messages, wanted, std::move(catalogs.front()), opening);
    if (!opened) return opened.error();
    if (opening == Opening::kToFollow) find_watermark(messages, opened->newest, opened->capture);
    return std::move(opened->capture);
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
    const std::vector<Stream> streams = streams_of(**reader, *runs);
    Members members(runs->size());
    const auto ask = [&] { return !progress || progress(0); };
    const bool is_whole = each_at_once(streams.size(), kStreamsAtOnce, ask, [&](std::size_t i, const auto& goes_on) {
        open_members(**reader, *runs, streams[i], opening, goes_on, members);
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
    std::map<const MessageStore*, Wanted> by_stream;
    for (const FleetMember& member : fleet.members) {
        for (const ChunkAddress& chunk : member.capture.places->addresses) {
            if (!chunk.is_gone)
                by_stream[member.messages->stream().get()].emplace_back(member.messages.get(), chunk.frames_at);
        }
    }
    const std::vector<std::pair<const MessageStore*, Wanted>> streams(by_stream.begin(), by_stream.end());
    std::mutex mutex;
    std::optional<Error> problem;  // the last; under mutex
    const auto ask = [&] { return !progress || progress(0); };
    const bool is_whole = each_at_once(streams.size(), kStreamsAtOnce, ask, [&](std::size_t i, const auto& goes_on) {
        const Result<bool> fetched = fetch(*streams[i].first, streams[i].second, kAnswerTime, goes_on);
        if (fetched) return;
        const std::lock_guard lock(mutex);
        problem = fetched.error();
    });
    if (problem) return Error{problem->code, fleet.name + ": " + problem->message};
    return is_whole ? Result<void>() : unavailable("stopped while " + fleet.name + " was read");
}

}  // namespace sla::fleet
