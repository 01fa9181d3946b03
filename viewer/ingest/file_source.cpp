#include "viewer/ingest/file_source.h"

#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_capture.h"
#include "viewer/ingest/merged/merged_capture.h"
#include "viewer/store/machine_time.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace sla::ingest {

using Clock = std::chrono::steady_clock;

namespace {

// A byte of a file may stand for so many rows: regular ticks, packed and compressed. What cannot hold many is not worth a look
// at its index.
constexpr std::uint64_t kMaxRowsPerByte = 16384;

std::shared_ptr<const PagedCapture> open_paged(const std::shared_ptr<const capture::CaptureStore>& store,
                                               const FileOptions& options) {
    if (store->bytes() * kMaxRowsPerByte <= options.rows_in_memory) return nullptr;
    auto paged = options.is_followed ? PagedCapture::open_to_go_on(store, options.progress)
                                     : PagedCapture::open(store, options.progress);
    if (!paged || (*paged)->rows() <= options.rows_in_memory) return nullptr;
    return *paged;
}

// One host's capture is itself; those of several stand side by side.
Result<std::shared_ptr<const capture::CaptureStore>> open_fleet(const std::string& address,
                                                                const std::function<bool(double)>& progress,
                                                                const std::function<void(const std::string&)>& on_remark) {
    Result<fleet::OpenedFleet> opened = fleet::open_fleet(address, fleet::Opening::kAllThereIs, progress);
    if (!opened) return opened.error();
    if (on_remark && !opened->remark.empty()) on_remark(opened->remark);
    if (fleet::rows_of(*opened) <= FileOptions().rows_in_memory) {  // they will be read whole
        if (const auto fetched = fleet::fetch_rows(*opened, progress); !fetched) return fetched.error();
    }
    if (opened->members.size() == 1 && opened->left_out.empty()) return std::move(opened->members.front().capture.store);
    std::vector<MergedInput> inputs;
    for (fleet::FleetMember& member : opened->members) inputs.push_back({member.run.host, std::move(member.capture.store)});
    const auto parts = MergedParts::open(opened->name, std::move(inputs), opened->left_out, progress);
    if (!parts) return parts.error();
    return merged_capture(*parts);
}

}  // namespace

FileSource::FileSource(std::shared_ptr<const capture::CaptureStore> store, capture::CaptureReader reader,
                       FileOptions options)
    : path_(store->name()),
      store_(std::move(store)),
      reader_(std::move(reader)),
      is_merged_(is_merged(*store_)),
      options_(std::move(options)) {}

Result<FileSource> FileSource::open(std::shared_ptr<const capture::CaptureStore> store, const FileOptions& options) {
    if (auto paged = open_paged(store, options)) return FileSource(store->name(), std::move(paged), options);
    auto reader = store->open_frames();
    if (!reader.ok()) return reader.error();
    return FileSource(std::move(store), std::move(reader).value(), options);
}

Result<std::shared_ptr<const capture::CaptureStore>> open_capture(const std::string& name,
                                                                  const std::function<bool(double)>& progress,
                                                                  const std::function<void(const std::string&)>& on_remark) {
    return fleet::is_fleet_address(name) ? open_fleet(name, progress, on_remark) : capture::CaptureStore::open(name);
}

Result<FileSource> FileSource::open(const std::string& name, const FileOptions& options) {
    auto store = open_capture(name, options.progress, options.on_remark);
    if (!store) return store.error();
    return open(std::move(*store), options);
}

bool FileSource::step(FrameApplier& applier, std::chrono::milliseconds budget) {
    if (paged_ != nullptr) {
        if (pages_ == nullptr) {
            pages_ = paged_->fill(applier, options_.cache_bytes);
            pages_->on_damage = options_.on_damage;
        }
        return false;
    }
    constexpr int kFramesPerLook = 16;  // the clock is asked only now and then
    const auto until = Clock::now() + budget;
    if (spill_ == nullptr && options_.memory_bytes != FileOptions::kNoLimit) {
        applier.on_growth([this](const store::Lane& lane) { needs_spill_ |= Spill::fills_page(lane); });
    }
    do {
        for (int i = 0; i < kFramesPerLook; ++i) {
            if (!wait_for_space(until)) return true;  // before each: one frame may be 65,536 rows
            if (needs_spill_ && spill_ == nullptr) begin_spill(applier);
            const auto frame = reader_->next();
            place_damage(applier);
            if (!frame.has_value()) {
                applier.on_growth({});
                finish(applier);
                return false;
            }
            applier.apply(*frame);
        }
    } while (Clock::now() < until);
    return true;
}

// How large the rows of a file are is not known before they are here.
void FileSource::begin_spill(FrameApplier& applier) {
    spill_ = std::make_unique<Spill>(applier.session(), SpillOptions{options_.memory_bytes, default_spill_directory()});
    for (store::Lane* lane : applier.session().lanes()) spill_->tend(*lane);
    applier.on_growth([spill = spill_.get()](store::Lane& lane) { spill->tend(lane); });
}

bool FileSource::wait_for_space(Clock::time_point until) {
    while (spill_ != nullptr && spill_->is_full() &&
           spill_->report().failure.empty()) {  // no space on the disk either: it stays in memory
        if (Clock::now() >= until) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return true;
}

void FileSource::place_damage(FrameApplier& applier) {
    const std::size_t met = reader_->damage().size();
    if (missing_from_.size() >= met) return;
    if (missing_from_.empty()) {
        if (auto index = store_->index({}))
            applier.expect(std::make_shared<const capture::CaptureIndex>(std::move(index).value()));
    }
    for (std::size_t i = missing_from_.size(); i < met; ++i) {
        const capture::Damage& damage = reader_->damage()[i];
        for (std::size_t lost = 0; damage.chunk && lost < damage.lost.size(); ++lost) applier.expect(damage.lost[lost]);
    }
    missing_from_.resize(met, applier.session().watermark());
}

void FileSource::finish(FrameApplier& applier) {
    applier.end_expected();
    store::Session& session = applier.session();
    for (const capture::Damage& damage : reader_->damage()) {
        const bool is_end = !damage.chunk && damage.bytes == 0 && damage.offset >= reader_->file_bytes();
        for (std::size_t i = 0; is_end && i < damage.lost.size(); ++i) applier.lose_end(damage.lost[i]);
    }
    for (std::size_t i = 0; i < missing_from_.size(); ++i) {
        session.add_note(skipped_note(path_, reader_->damage()[i], missing_from_[i]));
    }
    if (!reader_->finished()) session.add_note(unfinished_note(path_, is_merged_ ? 0 : session.watermark()));
    if (!session.ended()) session.set_ended(store::known_by_machine(session), "the file ends here");
}

void FileSource::poll() {
    if (pages_ != nullptr) pages_->poll();
    if (spill_ != nullptr) spill_->poll();
}

void FileSource::go_on(FrameApplier& applier) const {
    if (paged_ == nullptr) return applier.begin_stream();
    paged_->go_on(applier);
}

double FileSource::progress() const {
    if (!reader_) return pages_ == nullptr ? 0.0 : 1.0;
    const auto total = reader_->file_bytes();
    return total == 0 ? 1.0 : std::min(1.0, static_cast<double>(reader_->position()) / static_cast<double>(total));
}

Result<void> load_file(const std::string& name, store::Session& session, const std::function<bool(double)>& progress,
                       const FileOptions& options) {
    auto store = open_capture(name, progress, options.on_remark);
    if (!store) return store.error();
    return load_capture(std::move(*store), session, progress, options);
}

Result<void> load_capture(std::shared_ptr<const capture::CaptureStore> store, store::Session& session,
                          const std::function<bool(double)>& progress, const FileOptions& options) {
    auto source = FileSource::open(store, options);
    if (!source.ok()) return source.error();
    FrameApplier applier(session);
    while (source->step(applier, std::chrono::milliseconds(50))) {
        if (progress && !progress(source->progress())) return unavailable("stopped while '" + store->name() + "' was read");
    }
    if (progress) progress(1.0);
    return {};
}

}  // namespace sla::ingest
