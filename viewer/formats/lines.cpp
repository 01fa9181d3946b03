#include "viewer/formats/lines.h"

#include <cerrno>

namespace sla::formats {

bool Lines::fill() {
    constexpr std::size_t kBytesARead = std::size_t{256} << 10;
    if (progress_ && !progress_(read_, 0)) {
        problem_ = import_stopped();
        return false;
    }
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kBytesARead);
    in_.read(buffer_.data() + before, static_cast<std::streamsize>(kBytesARead));
    const auto got = static_cast<std::size_t>(in_.gcount());
    buffer_.resize(before + got);
    read_ += got;
    if (in_.bad()) problem_ = read_failed(errno);
    return got > 0 && !problem_;
}

std::optional<std::string_view> Lines::next_bytes() {
    at_ = buffer_.size();
    if (problem_ || !fill()) return std::nullopt;
    return buffer_;
}

void SkippedLines::report(Notes& notes) const {
    if (count_ == 0) return;
    const std::string line = std::to_string(first_);
    notes.push_back(count_ == 1
                        ? "line " + line + " is no event and left out"
                        : std::to_string(count_) + " lines are no events and left out, line " + line + " the first of them");
}

std::optional<std::string_view> Lines::next() {
    if (problem_) return std::nullopt;
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos) {
        const std::size_t looked = buffer_.size() - at_;
        if (looked > kLongest) {
            ++number_;
            problem_ = wrong("it is longer than 1 MB; this is no text of that kind");
            return std::nullopt;
        }
        if (!fill()) {
            if (problem_ || at_ >= buffer_.size()) return std::nullopt;
            end = buffer_.size();
            break;
        }
        end = buffer_.find('\n', looked);
    }
    std::string_view line = std::string_view(buffer_).substr(at_, end - at_);
    at_ = std::min(end + 1, buffer_.size());
    ++number_;
    had_return_ = line.ends_with('\r');
    if (had_return_) line.remove_suffix(1);
    return line;
}

}  // namespace sla::formats
