#include "proto/capture/pieces/capture_series.h"

#include "proto/base/size.h"
#include "proto/base/text.h"
#include "proto/capture/file.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/capture.pb.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kMinDigits = 4;

namespace fs = std::filesystem;

struct NameParts {
    std::string stem;  // path up to the number
    std::string extension;
};

NameParts parts_of(const std::string& path) {
    fs::path whole(path);
    std::string extension = whole.extension().string();
    return {path.substr(0, path.size() - extension.size()) + "-", extension};
}

// Nothing else is taken for a file of the series: no other digits, no longer name.
std::optional<std::uint64_t> number_of(std::string_view name, std::string_view stem, std::string_view extension) {
    if (!name.starts_with(stem) || !name.ends_with(extension)) return std::nullopt;
    if (name.size() < stem.size() + kMinDigits + extension.size()) return std::nullopt;
    const std::size_t digits = name.size() - stem.size() - extension.size();
    const auto number = whole_number<std::uint64_t>(name.substr(stem.size(), digits));
    return number && *number > 0 && fmt::formatted_size("{:04}", *number) == digits ? number : std::nullopt;
}

Result<std::set<std::uint64_t>> numbers_there(const std::string& path) {
    const NameParts parts = parts_of(path);
    const std::string stem = fs::path(parts.stem).filename().string();
    const fs::path parent = fs::path(path).parent_path();
    const fs::path folder = parent.empty() ? fs::path(".") : parent;
    std::set<std::uint64_t> numbers;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        if (const auto number = number_of(at->path().filename().string(), stem, parts.extension)) numbers.insert(*number);
    }
    if (failed && failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory)
        return system_error("cannot look for earlier files in '" + folder.string() + "'", failed.value());
    return numbers;
}

std::string numbered(const std::string& path, std::uint64_t number) {
    NameParts parts = parts_of(path);
    return fmt::format("{}{:04}{}", parts.stem, number, parts.extension);
}

}  // namespace

Result<SeriesLimits> parse_rotation(std::string_view text) {
    constexpr std::int64_t kMinPs = 1'000'000'000'000;  // a file a second is plenty
    SeriesLimits limits;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t comma = std::min(text.find(',', at), text.size());
        std::string_view part = text.substr(at, comma - at);
        at = comma + 1;
        Result<std::uint64_t> size = parse_size(part);
        Result<std::int64_t> ps = time::parse_duration(part);
        if (size && *size > 0 && limits.file_bytes == 0) {
            limits.file_bytes = *size;
        } else if (!size && ps && *ps >= kMinPs && limits.file_time.count() == 0) {
            limits.file_time = std::chrono::nanoseconds(*ps / time::kPicosecondsPerNanosecond);
        } else {
            return invalid_input(
                fmt::format("'{}' does not say when the next file begins; write a size, a time from 1s on, or both: 1GiB, "
                            "10min, 1GiB,10min",
                            text));
        }
    }
    return limits;
}

std::vector<std::string> files_of_series(const std::string& path) {
    std::vector<std::string> files;
    const Result<std::set<std::uint64_t>> there = numbers_there(path);
    if (!there) return files;
    for (const std::uint64_t number : *there) files.push_back(numbered(path, number));
    return files;
}

Result<std::vector<std::uint64_t>> numbers_of_series(const std::string& path) {
    const Result<std::set<std::uint64_t>> there = numbers_there(path);
    if (!there) return there.error();
    return std::vector<std::uint64_t>(there->begin(), there->end());
}

Result<CaptureSeries> CaptureSeries::create(const std::string& path, const SeriesLimits& limits, Clock clock) {
    std::uint64_t number = 0;
    std::string file = path;
    if (limits.rotates() && !path.empty() && path != "-") {
        const Result<std::set<std::uint64_t>> there = numbers_there(path);
        if (!there) return there.error();
        if (!there->empty() && File::is_written(numbered(path, *there->rbegin())))
            return written_by_another("the series '" + path + "'");
        number = there->empty() ? 1 : *there->rbegin() + 1;
        file = numbered(path, number);
    }
    Result<CaptureWriter> writer = CaptureWriter::create(file);
    if (!writer) return writer.error();
    CaptureSeries series(path, limits, std::move(clock), std::move(*writer), std::move(file), number);
    if (Result<void> removed = series.remove_oldest(); !removed) return removed.error();
    return series;
}

CaptureSeries::CaptureSeries(std::string path, const SeriesLimits& limits, Clock clock, CaptureWriter writer,
                             std::string file, std::uint64_t number)
    : path_(std::move(path)),
      limits_(limits),
      clock_(std::move(clock)),
      writer_(std::move(writer)),
      file_(std::move(file)),
      number_(number),
      begun_(clock_()) {}

bool CaptureSeries::is_full() const {
    return limits_.file_bytes > 0 && fill_.is_full(writer_.bytes_written(), limits_.file_bytes);
}

Result<void> CaptureSeries::append(std::string_view message, const FrameFacts& facts) {
    if (failure_) return *failure_;
    if (is_full()) {
        if (Result<void> rotated = rotate(); !rotated) return rotated;
    }
    bool is_batch = facts.events > 0;
    if (limits_.rotates() && !is_batch) head_.remember(message);
    fill_.add(is_batch);
    return writer_.append(message, facts);
}

Result<void> CaptureSeries::flush() {
    if (failure_) return *failure_;
    bool is_old = limits_.file_time.count() > 0 && fill_.has_batches() && clock_() - begun_ >= limits_.file_time;
    return is_old ? rotate() : writer_.flush();
}

Result<void> CaptureSeries::finish() {
    return failure_ ? Result<void>(*failure_) : writer_.finish();
}

Result<void> CaptureSeries::rotate() {
    std::string next = numbered(path_, number_ + 1);
    wire::Frame end;
    end.mutable_end()->set_tick(head_.watermark());
    end.mutable_end()->set_reason(goes_on_in(fs::path(next).filename().string()));
    Result<void> done = writer_.append(end.SerializeAsString());
    if (done) done = writer_.finish();
    if (done) done = begin_next(next);
    if (!done) failure_ = done.error();
    return done;
}

Result<void> CaptureSeries::begin_next(const std::string& file) {
    Result<CaptureWriter> writer = CaptureWriter::create_after(writer_, file);
    if (!writer) return writer.error();
    writer_ = std::move(*writer);
    file_ = file;
    number_++;
    begun_ = clock_();
    if (Result<void> head = head_.write(writer_, limits_.file_bytes); !head) return head;
    fill_.begin(writer_.bytes_written());
    return remove_oldest();
}

Result<void> CaptureSeries::remove_oldest() const {
    if (!limits_.rotates() || limits_.keep_files == 0) return {};
    Result<std::set<std::uint64_t>> there = numbers_there(path_);
    if (!there) return there.error();
    while (there->size() > limits_.keep_files && *there->begin() != number_) {
        std::string oldest = numbered(path_, *there->begin());
        if (::unlink(oldest.c_str()) != 0 && errno != ENOENT) return system_error("cannot remove " + oldest, errno);
        there->erase(there->begin());
    }
    return {};
}

}  // namespace sla::capture
