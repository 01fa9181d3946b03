#include "viewer/workspace/source/data_source.h"

#include "proto/wire/address.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/catalog/import.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/standard_input.h"
#include "viewer/workspace/files/folder_list.h"
#include "viewer/workspace/source/fleet_source.h"
#include "viewer/workspace/source/live_source.h"

#include <optional>

namespace sla::workspace {

namespace {

// What came by its descriptor people know as what they piped in, and nobody can come back to it.
bool is_piped_in(const std::string& path) {
    return path.starts_with(ingest::kDescriptors);
}

std::string known_as(const std::string& path) {
    return is_piped_in(path) ? std::string(ingest::kStandardInput) : file_of(whole_path(path));
}

std::string in_known_words(std::string message, const std::string& path) {
    const std::size_t at = is_piped_in(path) ? message.find(path) : std::string::npos;
    return at == std::string::npos ? message : message.replace(at, path.size(), ingest::kStandardInput);
}

class CaptureSource final : public DataSource {
public:
    explicit CaptureSource(std::string path)
        : path_(std::move(path)),
          name_(known_as(path_)),
          target_(is_piped_in(path_) ? std::string() : whole_path(path_)),
          applier_(session_) {
        formats::keep_from_outputs(path_);
        ingest::FileOptions options;
        options.cache_bytes = kPageCacheBytes;
        take(ingest::FileSource::open(path_, options));
    }

    store::Session& session() override { return session_; }

    [[nodiscard]] SourceStatus status() const override {
        if (!failure_.empty()) return {SourceState::kLost, name_, failure_, 0, 0};
        if (!done_) return {SourceState::kLoading, name_, {}, source_ ? source_->progress() : 0.0, 0};
        return {SourceState::kLoaded, name_, {}, 1, 0};
    }

    void poll(std::chrono::milliseconds budget) override {
        if (source_ && !done_) done_ = !source_->step(applier_, budget);
        if (source_ && done_) source_->poll();
    }

    [[nodiscard]] std::string target() const override { return target_; }

private:
    void take(Result<ingest::FileSource> opened) {
        if (opened) {
            source_.emplace(std::move(*opened));
        } else {
            failure_ = in_known_words(opened.error().message, path_);
            if (!is_piped_in(path_)) failure_ += formats::import_advice(opened.error(), path_);
        }
    }

    std::string path_;
    std::string name_;
    std::string target_;
    store::Session session_;
    ingest::FrameApplier applier_;
    std::optional<ingest::FileSource> source_;
    std::string failure_;
    bool done_ = false;
};

class NoSource final : public DataSource {
public:
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kNone, "", {}, 0, 0}; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
};

// Says what is wrong with what was typed.
class FailedSource final : public DataSource {
public:
    FailedSource(std::string name, std::string message)
        : status_{SourceState::kLost, std::move(name), std::move(message), 0, 0} {}
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return status_; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
    SourceStatus status_;
};

}  // namespace

std::unique_ptr<DataSource> open_source(const std::string& target, const SourceMemory& memory) {
    if (target.empty()) return make_live_source(wire::default_address(), memory);
    if (fleet::is_fleet_address(target)) return make_fleet_source(target);
    if (!wire::looks_like_address(target)) return std::make_unique<CaptureSource>(target);
    const Result<wire::Address> address = wire::parse_address(target);
    if (!address) return std::make_unique<FailedSource>(target, address.error().message);
    return make_live_source(*address, memory);
}

std::unique_ptr<DataSource> no_source() {
    return std::make_unique<NoSource>();
}

}  // namespace sla::workspace
