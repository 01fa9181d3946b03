// Output: where a table goes. A file is written under a temporary name beside its target and renamed at the end, so there is
// never half a table under the final name; dropped before finish(), it leaves nothing. "" and "-" are standard output.
//
// A file that grows large goes to its disk past the page cache from then on: finish() waits for the disk anyway.
//
// A reader that closes the pipe early (`| head`) is no error: is_closed() turns true, and what follows is thrown away.
// One owner, one thread.
#pragma once

#include "proto/base/new_file.h"
#include "proto/base/result.h"
#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/write_behind.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sla::formats {

// What a program reads it does not write over: open() and finish() refuse such a file.
void keep_from_outputs(const std::string& path);
void forget_kept_files();
[[nodiscard]] bool is_kept_from_outputs(const std::string& path);

class Output {
public:
    static Result<Output> open(const std::string& path);
    // To a string, for tests and the clipboard.
    static Output to_string(std::string& target);

    Output(Output&& other) noexcept;
    Output& operator=(Output&&) = delete;
    ~Output();

    Result<void> write(std::string_view bytes);
    // As much as is worth a write.
    static constexpr std::size_t kPiece = std::size_t{1} << 20;
    // Takes what is in the buffer; a file but for less than a block at its end, which stays for the next take() or finish().
    // From the second piece on a thread writes them, and what fails is reported by a later call, by finish() at the latest.
    Result<void> take(ByteBuffer& buffer);
    // It is a file of a name.
    [[nodiscard]] bool wants_whole_blocks() const { return !hidden_.empty(); }
    Result<void> take(std::string& buffer);
    // Writes the last bytes, syncs, renames. Nothing may follow.
    Result<void> finish(std::string_view rest = {});

    [[nodiscard]] bool is_closed() const { return closed_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    // So much of a file the page cache has, for who reads it next.
    static constexpr std::size_t kThroughCache = std::size_t{32} << 20;

    Output() = default;
    // What has become of bytes: they may have met an error or the end of a reader.
    Result<void> note(const Written& written);
    [[nodiscard]] std::string name() const { return path_.empty() ? "standard output" : "'" + path_ + "'"; }

    std::string path_;      // empty: standard output or a string
    TemporaryName hidden_;  // not empty: what it is called until it is finished
    std::string* target_ = nullptr;
    int fd_ = -1;
    bool closed_ = false;
    std::uint64_t bytes_ = 0;
    bool past_cache_ = false;              // asked for
    std::unique_ptr<WriteBehind> behind_;  // none before the second piece
};

// OutputDirectory: a directory of files that appears under its name when it is whole. Until finish() it has a temporary name
// beside its target; dropped before, it leaves nothing. One owner, one thread.
class OutputDirectory {
public:
    // Something that is there already stays: kInvalidInput, unless it is an empty directory.
    static Result<OutputDirectory> create(const std::string& path);

    // Where to write meanwhile.
    [[nodiscard]] const std::string& path() const { return hidden_.path(); }
    Result<void> finish() { return hidden_.take_its_place(); }

private:
    explicit OutputDirectory(TemporaryName hidden) : hidden_(std::move(hidden)) {}

    TemporaryName hidden_;
};

}  // namespace sla::formats
