#include "viewer/fleet/fleet_capture.h"

#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_frames.h"

#include <chrono>
#include <utility>

namespace sla::fleet {
namespace {

using capture::CaptureIndex;
using capture::CaptureStore;

constexpr auto kPatience = std::chrono::seconds(15);  // longer than an election

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
        return capture::CaptureReader(std::make_unique<FleetFrames>(index_, std::move(chunks), places_->has_lost_names));
    }

private:
    std::shared_ptr<const MessageStore> messages_;
    std::shared_ptr<const FleetPlaces> places_;
    std::shared_ptr<const CaptureIndex> index_;
};

}  // namespace

Result<OpenedCapture> open_messages(std::shared_ptr<const MessageStore> messages, const CaptureName& name,
                                    const std::string& text, Opening opening, const CaptureStore::Progress& progress) {
    const auto goes_on = [&](std::size_t /*chunks*/) { return !progress || progress(0); };
    Result<FleetCatalog> catalog = FleetCatalog::read(*messages, name, goes_on);
    if (!catalog) return Error{catalog.error().code, text + ": " + catalog.error().message};
    OpenedCapture opened;
    if (opening == Opening::kToFollow) opened.tail = catalog->cut_for_tail();
    Result<CaptureIndex> index = catalog->take_index();
    if (!index) return Error{index.error().code, text + ": " + index.error().message};
    auto places = std::make_shared<FleetPlaces>(FleetPlaces{text, name, catalog->addresses(), catalog->has_lost_names()});
    opened.store = std::make_shared<FleetCapture>(std::move(messages), std::move(places), std::move(*index));
    return opened;
}

Result<OpenedFleet> open_fleet(const std::string& typed, Opening opening, const CaptureStore::Progress& progress) {
    const Result<FleetAddress> address = parse_fleet_address(typed);
    if (!address) return address.error();
    const auto reader = FleetReader::open(*address, progress);
    if (!reader) return reader.error();
    const auto runs = (*reader)->runs(progress);
    if (!runs) return runs.error();
    OpenedFleet opened{*reader, address->text(), {}, {}};
    Error problem;
    for (const RunEntry& run : *runs) {
        auto capture = open_messages((*reader)->messages(run, kPatience), (*reader)->name_of(run), (*reader)->text_of(run),
                                     opening, progress);
        if (capture) {
            opened.members.push_back({run, std::move(*capture)});
            continue;
        }
        problem = capture.error();
        if (progress && !progress(0)) return problem;
        opened.left_out.push_back(problem.message);
    }
    if (opened.members.empty()) return problem;
    return opened;
}

}  // namespace sla::fleet
