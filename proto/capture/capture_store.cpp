#include "proto/capture/capture_store.h"

#include "proto/capture/file_chunks.h"
#include "proto/capture/file_frames.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/capture/pieces/index_join.h"
#include "proto/capture/pieces/series_frames.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

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

Result<CaptureIndex> Series::index(const Progress& progress) const {
    IndexJoin join;
    std::optional<Error> failed;
    bool any = false;
    std::size_t gone = 0;  // of the oldest
    const std::size_t count = row_->files.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& file = row_->files[i];
        const std::string missing = i == 0 ? std::string() : missing_between(row_->files[i - 1], file);
        if (!missing.empty()) join.add_damage({row_->begins[i], 0, missing, {}, {}, false});
        const auto its_progress = [&](double share) {
            return !progress || progress((static_cast<double>(i) + share) / static_cast<double>(count));
        };
        Result<CaptureIndex> index = CaptureIndex::of_file(file, its_progress);
        if (index) {
            join.add(std::move(*index), row_->begins[i]);
            any = true;
            continue;
        }
        if (!failed) failed = index.error();
        if (gone == i && has_gone(file)) {
            ++gone;
            continue;
        }
        join.add_unreadable({row_->begins[i], 0, index.error().message, {}, {}, false});
    }
    if (!any) return *failed;
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
