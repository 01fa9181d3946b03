// The two uses of a file here: writing one at its end, reading one anywhere. Errors name the path.
#pragma once

#include "proto/base/new_file.h"
#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::capture {

// `what`: "'run.sla'", "the series 'run.sla'".
Error written_by_another(const std::string& what);

// An open file descriptor; closes itself.
class File {
public:
    // kUnavailable where another program is writing it: two of them would destroy what both have written.
    static Result<File> create(const std::string& path);
    // Under a temporary name beside it; finish() gives it its own, replacing what was there. Dropped before, it leaves
    // nothing.
    static Result<File> create_hidden(const std::string& path);
    // Without a name, in that directory: gone when the last descriptor is closed, also by kill -9. Written and, by others of
    // read_while_written(), read.
    static Result<File> create_unnamed(const std::string& directory);
    // A regular file.
    static Result<File> open(const std::string& path);
    // A regular file that is there: what is behind `bytes` is cut off, append() goes on from there. Not while another writes it.
    static Result<File> open_to_append(const std::string& path, std::uint64_t bytes);
    // By create() or open_to_append(), now, in whatever program.
    static bool is_written(const std::string& path);
    // Another descriptor of the same file for reading, also what is appended later.
    [[nodiscard]] Result<File> read_while_written() const;

    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    ~File();

    [[nodiscard]] const std::string& path() const { return path_; }
    // As found by open(), and appended since; of read_while_written(): no bound.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    // All of it, at the end. When that fails, the part that was written is cut off again as far as possible, so that
    // the file ends where it ended before.
    Result<void> append(std::string_view data);
    // Waits for the disk, then closes.
    Result<void> finish();
    // Gives the descriptor up, to whoever asks and to programs that are started.
    [[nodiscard]] int release();

    // Up to `size` bytes; fewer only at the end of the file (as found by open, even if it grew since) or, with an error in
    // errno, when reading fails.
    std::size_t read_at(std::uint64_t offset, char* out, std::size_t size) const;

private:
    File(int descriptor, std::string path, std::uint64_t bytes);
    void close();
    [[nodiscard]] Result<void> lock() const;

    int descriptor_ = -1;
    std::string path_;
    TemporaryName hidden_;  // not empty: what it is called until it is finished
    std::uint64_t bytes_ = 0;
};

}  // namespace sla::capture
