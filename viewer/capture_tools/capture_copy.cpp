#include "viewer/capture_tools/capture_copy.h"

#include "proto/capture/capture_writer.h"
#include "viewer/capture_tools/notice.h"

#include <algorithm>

namespace sla::capture_tools {

Result<std::vector<std::string>> copy_capture(const capture::CaptureStore& store, const std::string& file,
                                              const GoesOn& goes_on) {
    constexpr int kFramesPerLook = 64;
    auto reader = store.open_frames();
    if (!reader) return reader.error();
    auto writer = capture::CaptureWriter::create_hidden(file);
    if (!writer) return writer.error();
    const auto all = static_cast<double>(std::max<std::uint64_t>(reader->file_bytes(), 1));
    for (int i = 0; const auto frame = reader->next(); ++i) {
        if (Result<void> written = writer->append(*frame); !written) return written.error();
        const bool is_looked_at = i % kFramesPerLook == 0 && goes_on;
        if (is_looked_at && !goes_on(static_cast<double>(reader->position()) / all)) {
            return unavailable("stopped while " + store.name() + " was read");
        }
    }
    std::vector<std::string> damage;
    for (const capture::Damage& one : reader->damage()) {
        damage.push_back(one.what);
        const NoticeAbout about = one.harmless ? NoticeAbout::kAnything : NoticeAbout::kDamage;
        const wire::Frame report = notice(0, store.name() + ": " + one.what, about);
        if (Result<void> written = writer->append(report.SerializeAsString()); !written) return written.error();
    }
    if (Result<void> finished = writer->finish(); !finished) return finished.error();
    return damage;
}

}  // namespace sla::capture_tools
