// OutputDirectory: a directory of files that appears under its name when it is whole. Until finish() it has a temporary name
// beside its target; dropped before, it leaves nothing. One owner, one thread.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::exporting {

class OutputDirectory {
public:
    // Something that is there already stays: kInvalidInput, unless it is an empty directory.
    static Result<OutputDirectory> create(const std::string& path);

    OutputDirectory(OutputDirectory&& other) noexcept;
    OutputDirectory& operator=(OutputDirectory&&) = delete;
    ~OutputDirectory();

    // Where to write meanwhile.
    [[nodiscard]] const std::string& path() const { return temporary_; }
    Result<void> finish();

private:
    OutputDirectory(std::string path, std::string temporary) : path_(std::move(path)), temporary_(std::move(temporary)) {}

    std::string path_;
    std::string temporary_;  // empty: finished or moved away
};

}  // namespace sla::exporting
