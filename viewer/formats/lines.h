// Lines of a text file, bounded in length, counted, with progress.
#pragma once

#include "viewer/formats/conversion.h"

#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace sla::formats {

// `what`, with the number of the line that it is about.
inline Error wrong_in_line(std::uint64_t number, const std::string& what) {
    return damaged("line " + std::to_string(number) + ": " + what);
}

class Lines {
public:
    static constexpr std::size_t kLongest = std::size_t{1} << 20;

    Lines(std::istream& in, const Progress& progress) : in_(in), progress_(progress) {}

    // Without its end; valid until the next call. Nothing at the end, when progress said stop, after a line too long, and
    // where the stream breaks: problem() says which.
    std::optional<std::string_view> next();

    // For text whose lines mean nothing: what comes next, line ends included, whatever their number. Not beside next().
    std::optional<std::string_view> next_bytes();

    [[nodiscard]] std::uint64_t number() const { return number_; }
    // The line given last ended in "\r\n".
    [[nodiscard]] bool had_return() const { return had_return_; }
    [[nodiscard]] Result<void> problem() const { return problem_ ? Result<void>(*problem_) : Result<void>(); }
    [[nodiscard]] Error wrong(const std::string& what) const { return wrong_in_line(number_, what); }

private:
    bool fill();

    std::istream& in_;
    const Progress& progress_;
    std::string buffer_;
    std::size_t at_ = 0;
    std::uint64_t number_ = 0;
    std::uint64_t read_ = 0;
    bool had_return_ = false;
    std::optional<Error> problem_;
};

// Lines that are nothing that an importer knows.
class SkippedLines {
public:
    void note(std::uint64_t number) {
        if (count_++ == 0) first_ = number;
    }
    void report(Notes& notes) const;

private:
    std::uint64_t count_ = 0;
    std::uint64_t first_ = 0;
};

// "stopped": what every importer says when progress wants it to.
inline Error import_stopped() {
    return unavailable("stopped; nothing was written");
}

}  // namespace sla::formats
