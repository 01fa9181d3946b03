#include "viewer/capture_tools/stream_to_file.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/capture_tools/notice.h"

namespace sla::capture_tools {

Result<void> StreamToFile::take(const std::string& message) {
    wire::Frame frame;
    capture::FrameFacts facts;
    if (wire::parse_message(message, frame)) {
        if (frame.has_batch()) {
            facts = {frame.batch().channel(), frame.batch().first_tick(), frame.batch().last_tick(), frame.batch().count()};
            rows_ += frame.batch().count();
            last_tick_ = frame.batch().last_tick();
        }
        if (frame.has_watermark()) watermark_ = frame.watermark().tick();
        ended_ = ended_ || frame.has_end();
    }
    return series_.append(message, facts);
}

Result<void> StreamToFile::note_damage(const std::string& text) {
    return series_.append(notice(watermark_, text, NoticeAbout::kDamage).SerializeAsString());
}

Result<void> StreamToFile::end(const std::string& reason) {
    if (!ended_ && !reason.empty()) {
        wire::Frame frame;
        frame.mutable_end()->set_tick(watermark_);
        frame.mutable_end()->set_reason(reason);
        if (auto written = series_.append(frame.SerializeAsString()); !written.ok()) return written;
    }
    return series_.finish();
}

}  // namespace sla::capture_tools
