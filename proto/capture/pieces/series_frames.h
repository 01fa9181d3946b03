// The frames of file after file, as of one: what each of them begins with again is left out, and so is the End of all but
// the last. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/file_chunks.h"
#include "proto/capture/file_frames.h"
#include "proto/capture/pieces/repeated_names.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::capture {

// A file that is missing between two, or cannot be opened, is damage in its place; the oldest may be gone. Channels of which it
// may have had rows, and no file behind it has any, have a loss row there (left_open.h).
class SeriesFrames final : public FrameSource {
public:
    // An error when the first of them cannot be opened and neither can any other.
    static Result<std::unique_ptr<SeriesFrames>> open(std::shared_ptr<const FileRow> row, std::uint64_t bytes);

    std::optional<std::string_view> next() override;
    [[nodiscard]] const std::vector<Damage>& damage() const override { return damage_; }
    [[nodiscard]] bool finished() const override { return now_ != nullptr && is_last() && now_->finished(); }
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
    [[nodiscard]] std::uint64_t position() const override;

private:
    SeriesFrames(std::shared_ptr<const FileRow> row, std::uint64_t bytes) : row_(std::move(row)), bytes_(bytes) {}
    // False: there is none.
    bool open_next();
    void add_missing(std::size_t number, std::string what);
    // Of the files, without what is due before it.
    std::optional<std::string_view> next_frame();
    std::string_view take_due();
    void take_damage();
    [[nodiscard]] bool is_last() const { return number_ + 1 == row_->files.size(); }

    std::shared_ptr<const FileRow> row_;
    std::uint64_t bytes_;
    std::size_t opened_ = 0;  // how many were tried
    std::size_t gone_ = 0;    // of the oldest, before one could be opened
    std::size_t number_ = 0;  // of the one that is read
    std::unique_ptr<FileFrames> now_;
    std::vector<Damage> damage_;
    std::optional<std::map<std::size_t, std::vector<GapRow>>> losses_;  // by the file before whose rows they stand
    std::deque<std::string> due_;
    std::string loss_;                      // handed out
    std::optional<std::string_view> held_;  // what comes behind those that are due
    std::size_t own_ = 0;                   // damage_ up to there is of earlier files
    bool is_over_ = false;
    RepeatedNames names_;
};

}  // namespace sla::capture
