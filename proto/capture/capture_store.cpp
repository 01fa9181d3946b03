#include "proto/capture/capture_store.h"

#include "proto/capture/file_chunks.h"
#include "proto/capture/file_frames.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/capture/pieces/hole_losses.h"
#include "proto/capture/pieces/index_join.h"
#include "proto/capture/pieces/series_frames.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace sla::capture {
namespace {

std::uint64_t size_of(const std::string& file) {
    std::error_code unknown;
    const std::uint64_t bytes = std::filesystem::file_size(file, unknown);
    return unknown ? 0 : bytes;
}

class OneFile final : public CaptureStore {
public:
    explicit OneFile(std::string path) : path_(std::move(path)), bytes_(size_of(path_)) {}

    [[nodiscard]] const std::string& name() const override { return path_; }
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
    [[nodiscard]] Result<CaptureIndex> index(const Progress& progress) const override {
        return CaptureIndex::of_file(path_, progress);
    }
    [[nodiscard]] Result<ChunkReader> open_chunks() const override { return ChunkReader::open(path_); }
    [[nodiscard]] Result<CaptureReader> open_frames() const override {
        auto frames = FileFrames::open(path_);
        if (!frames) return frames.error();
        return CaptureReader(std::move(*frames));
    }

private:
    std::string path_;
    std::uint64_t bytes_;
};

class Series final : public CaptureStore {
public:
    Series(std::string name, std::vector<std::string> files) : name_(std::move(name)) {
        auto row = std::make_shared<FileRow>();
        row->files = std::move(files);
        for (const std::string& file : row->files) {
            row->begins.push_back(bytes_);
            bytes_ += std::max<std::uint64_t>(size_of(file), 1);  // two never begin at the same place
        }
        row_ = std::move(row);
    }

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
    [[nodiscard]] Result<CaptureIndex> index(const Progress& progress) const override;
    [[nodiscard]] Result<ChunkReader> open_chunks() const override {
        return ChunkReader(std::make_unique<FileRowChunks>(row_));
    }
    [[nodiscard]] Result<CaptureReader> open_frames() const override {
        auto frames = SeriesFrames::open(row_, bytes_);
        if (!frames) return frames.error();
        return CaptureReader(std::move(*frames));
    }

private:
    std::string name_;
    std::shared_ptr<const FileRow> row_;
    std::uint64_t bytes_ = 0;
};

// What is missing before a file that is there, and the losses of channels that it left open.
class SeriesHoles {
public:
    SeriesHoles(const FileRow& row, IndexJoin& join) : row_(row), join_(join) {}

    void add(std::size_t file, std::string what, bool is_unreadable) {
        due_.push_back({{row_.begins[file], 0, std::move(what), {}, {}, false}, is_unreadable});
        due_.back().damage.has_more = true;
    }
    void end_before(std::size_t file) {
        if (due_.empty()) return;
        if (!losses_) losses_ = losses_in_holes(row_);
        for (GapRow& loss : (*losses_)[file]) {
            const LostRows row{loss.channel, loss.index, 1, loss.tick, loss.until_tick, {loss}, true};
            due_.back().damage.lost.push_back(row);
        }
        flush();
    }
    void flush() {
        for (Due& due : due_)
            due.is_unreadable ? join_.add_unreadable(std::move(due.damage)) : join_.add_damage(std::move(due.damage));
        due_.clear();
    }

private:
    struct Due {
        Damage damage;
        bool is_unreadable = false;
    };
    const FileRow& row_;
    IndexJoin& join_;
    std::vector<Due> due_;
    std::optional<std::map<std::size_t, std::vector<GapRow>>> losses_;
};

Result<CaptureIndex> Series::index(const Progress& progress) const {
    IndexJoin join;
    SeriesHoles holes(*row_, join);
    std::optional<Error> failed;
    bool any = false;
    std::size_t gone = 0;  // of the oldest
    const std::size_t count = row_->files.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& file = row_->files[i];
        std::string missing = i == 0 ? std::string() : missing_between(row_->files[i - 1], file);
        if (!missing.empty()) holes.add(i, std::move(missing), false);
        const auto its_progress = [&](double share) {
            return !progress || progress((static_cast<double>(i) + share) / static_cast<double>(count));
        };
        Result<CaptureIndex> index = CaptureIndex::of_file(file, its_progress);
        if (index) {
            holes.end_before(i);
            join.add(std::move(*index), row_->begins[i]);
            any = true;
            continue;
        }
        if (!failed) failed = index.error();
        if (gone == i && has_gone(file)) {
            ++gone;
            continue;
        }
        holes.add(i, index.error().message, true);
    }
    if (!any) return *failed;
    holes.flush();
    return join.finish(bytes_);
}

}  // namespace

Result<std::shared_ptr<const CaptureStore>> CaptureStore::open(const std::string& name) {
    Result<std::vector<std::string>> files = find_pieces(name);
    if (!files) return files.error();
    using Store = std::shared_ptr<const CaptureStore>;
    if (files->size() == 1) return Store(std::make_shared<OneFile>(files->front()));
    if (Result<void> one = check_one_run(name, *files); !one) return one.error();
    return Store(std::make_shared<Series>(name, std::move(*files)));
}

Result<CaptureReader> CaptureReader::open(const std::string& name) {
    auto store = CaptureStore::open(name);
    if (!store) return store.error();
    return (*store)->open_frames();
}

Result<CaptureIndex> CaptureIndex::open(const std::string& name, const std::function<bool(double)>& progress) {
    auto store = CaptureStore::open(name);
    if (!store) return store.error();
    return (*store)->index(progress);
}

}  // namespace sla::capture
