// The frames of one capture file, over damage. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/chunk_scanner.h"
#include "proto/capture/file_format.h"
#include "proto/capture/frame_source.h"
#include "proto/capture/summary/chunk_summary.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sla::capture {

class FileFrames final : public FrameSource {
public:
    static Result<std::unique_ptr<FileFrames>> open(const std::string& path);

    std::optional<std::string_view> next() override;
    [[nodiscard]] const std::vector<Damage>& damage() const override { return scanner_.damage(); }
    [[nodiscard]] bool finished() const override { return mark_.has_value(); }
    [[nodiscard]] std::uint64_t bytes() const override { return scanner_.file().bytes(); }
    [[nodiscard]] std::uint64_t position() const override { return scanner_.position(); }

private:
    FileFrames(File file, std::optional<ClosingMark> mark, bool has_summaries);
    void look_at(const ChunkScanner::Chunk& next);
    void judge_damage(std::uint64_t next_sequence);
    [[nodiscard]] bool hides_more(std::uint64_t sequence) const;
    void look_at_summary();
    void rescue(const ChunkDetail& detail);

    ChunkScanner scanner_;
    std::optional<ClosingMark> mark_;
    ChunkScanner::Chunk chunk_;
    std::string raw_;                             // the chunk's contents
    std::string_view contents_;                   // of raw_, what was not handed out yet
    bool has_summaries_;                          // files of its version have them, behind each chunk of frames
    std::uint64_t next_sequence_ = 0;             // behind the newest sound chunk
    std::optional<std::uint64_t> newest_frames_;  // sequence of the newest sound chunk of frames
    bool summarized_ = true;                      // its summary was seen
    std::size_t judged_ = 0;                      // of the damages, those before the newest sound chunk
};

}  // namespace sla::capture
