// FileSource: a capture, wherever it is kept, poured into a Session. Small ones are read whole, in steps, so that a window stays alive
// meanwhile; large ones are opened by their index, and their rows stay in the file (PagedCapture). Large ones without such
// an index (of older builds, damaged, not finished) are read in order, and what does not fit in memory is spilled. Owner:
// the session's thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/capture_store.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/pages/page_reader.h"
#include "viewer/ingest/pages/paged_capture.h"
#include "viewer/ingest/spill.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::ingest {

struct FileOptions {
    static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
    // Captures of more rows stay in the file.
    std::uint64_t rows_in_memory = 4'000'000;
    // Of rows that stay in the file, about so many bytes are kept at a time.
    std::size_t cache_bytes = std::size_t{192} << 20;
    // What rows may take that are read in order; older ones go to a file without a name in default_spill_directory().
    std::uint64_t memory_bytes = default_memory_bytes();
    // Receives 0..1 while the index of an unfinished file is made anew; false stops, and the file is read in order.
    std::function<bool(double)> progress;
    // More will come behind it: go_on() may be called.
    bool is_followed = false;
    // Receives rows that turn out to be unreadable, when they are asked for; the session's notes say it too.
    std::function<void(const std::string&)> on_damage;
    // Receives which captures a fleet's pattern was taken for, where it matches more.
    std::function<void(const std::string&)> on_remark;
};

class FileSource {
public:
    static Result<FileSource> open(std::shared_ptr<const capture::CaptureStore> store, const FileOptions& options = {});
    // A file, or what else a name stands for.
    static Result<FileSource> open(const std::string& name, const FileOptions& options = {});

    // Applies frames for about `budget`; true while there is more. At the end the file's damage is noted in the session, and
    // the session is ended, so that every row is final.
    bool step(FrameApplier& applier, std::chrono::milliseconds budget);
    // Afterwards, once a frame: rows that were fetched meanwhile are made known to the session.
    void poll();

    // What reads its rows, for who lets go of it elsewhere: ending waits for the question that is on its way. The session must
    // let go of it too (hold()), and is done with then. Null: all is in memory.
    std::shared_ptr<PageReader> take_pages() { return std::move(pages_); }

    // 0 to 1.
    [[nodiscard]] double progress() const;
    [[nodiscard]] const std::string& path() const { return path_; }
    // Its rows stay in the file.
    [[nodiscard]] bool is_paged() const { return paged_ != nullptr; }
    // Of what is followed, when step() has nothing more: what the applier takes from now on stands behind it.
    void go_on(FrameApplier& applier) const;

private:
    FileSource(std::shared_ptr<const capture::CaptureStore> store, capture::CaptureReader reader, FileOptions options);
    FileSource(std::string path, std::shared_ptr<const PagedCapture> paged, FileOptions options)
        : path_(std::move(path)), paged_(std::move(paged)), options_(std::move(options)) {}

    // Damage that the reader has met since: what it took lies behind what was read before.
    void place_damage(FrameApplier& applier);
    // What chunks that cannot be read had of channels that begin or end in them.
    void finish(FrameApplier& applier);
    void begin_spill(FrameApplier& applier);
    // Waits for the writer, not beyond `until`; false when there is no space.
    bool wait_for_space(std::chrono::steady_clock::time_point until);

    std::string path_;
    std::shared_ptr<const capture::CaptureStore> store_;  // of a reader
    std::optional<capture::CaptureReader> reader_;
    std::vector<std::uint64_t> missing_from_;  // ticks, of each of its damages; 0: not known
    bool is_merged_ = false;
    std::shared_ptr<const PagedCapture> paged_;
    std::shared_ptr<PageReader> pages_;
    FileOptions options_;
    bool needs_spill_ = false;
    std::unique_ptr<Spill> spill_;  // of a file that is read in order and may not fit
};

// A capture by what people call it: a file, what else a name stands for (proto/capture/pieces/capture_pieces.h), or a fleet's address,
// which is connected to.
Result<std::shared_ptr<const capture::CaptureStore>> open_capture(
    const std::string& name, const std::function<bool(double)>& progress = {},
    const std::function<void(const std::string&)>& on_remark = {});

// All of it; `progress` (may be empty) is called now and then with 0..1, false stops.
Result<void> load_capture(std::shared_ptr<const capture::CaptureStore> store, store::Session& session,
                          const std::function<bool(double)>& progress = {}, const FileOptions& options = {});
Result<void> load_file(const std::string& name, store::Session& session, const std::function<bool(double)>& progress = {},
                       const FileOptions& options = {});

}  // namespace sla::ingest
