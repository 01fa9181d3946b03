// A directory for what a program that we run prints and counts. One owner; it goes with it.
#pragma once

#include "viewer/process/own_directory.h"

#include <string>
#include <utility>

namespace sla::cli {

class RunDirectory {
public:
    static Result<RunDirectory> make();

    [[nodiscard]] std::string printed() const { return directory_.file("printed"); }
    [[nodiscard]] std::string counts() const { return directory_.file("counts.json"); }
    [[nodiscard]] std::string capture() const { return directory_.file("run.sla"); }
    // The last line it printed that is not empty.
    [[nodiscard]] std::string last_words() const;
    // Whole; "" where it left none.
    [[nodiscard]] std::string read_counts() const;
    [[nodiscard]] bool has_counts() const;
    void clear() const;

private:
    explicit RunDirectory(process::OwnDirectory directory) : directory_(std::move(directory)) {}
    process::OwnDirectory directory_;
};

}  // namespace sla::cli
