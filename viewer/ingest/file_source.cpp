#include "viewer/ingest/file_source.h"

#include <algorithm>

namespace sla::ingest {

using Clock = std::chrono::steady_clock;

Result<FileSource> FileSource::open(const std::string& path) {
    auto reader = capture::CaptureReader::open(path);
    if (!reader.ok()) return reader.error();
    return FileSource(path, std::move(reader).value());
}

bool FileSource::step(FrameApplier& applier, std::chrono::milliseconds budget) {
    constexpr int kFramesPerLook = 16;  // the clock is asked only now and then
    const auto until = Clock::now() + budget;
    do {
        for (int i = 0; i < kFramesPerLook; ++i) {
            const auto frame = reader_.next();
            if (!frame.has_value()) {
                finish(applier.session());
                return false;
            }
            applier.apply(*frame);
        }
    } while (Clock::now() < until);
    return true;
}

void FileSource::finish(store::Session& session) {
    for (const capture::Damage& damage : reader_.damage()) {
        session.add_note({0,
                          path_ + ": " + damage.what + " (" + std::to_string(damage.bytes) + " bytes at " +
                              std::to_string(damage.offset) + " skipped)",
                          true});
    }
    if (!reader_.finished()) {
        session.add_note({0, path_ + ": the recorder did not finish this file; what it had written is here", true});
    }
    if (!session.ended()) session.set_ended(session.last_tick(), "the file ends here");
}

double FileSource::progress() const {
    const auto total = reader_.file_bytes();
    return total == 0 ? 1.0 : std::min(1.0, static_cast<double>(reader_.position()) / static_cast<double>(total));
}

Result<void> load_file(const std::string& path, store::Session& session, const std::function<void(double)>& progress) {
    auto source = FileSource::open(path);
    if (!source.ok()) return source.error();
    FrameApplier applier(session);
    while (source->step(applier, std::chrono::milliseconds(50))) {
        if (progress) progress(source->progress());
    }
    if (progress) progress(1.0);
    return {};
}

}  // namespace sla::ingest
