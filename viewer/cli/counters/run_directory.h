// A directory for what a program that we run prints and counts. One owner; it goes with it.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <utility>

namespace sla::cli {

class RunDirectory {
public:
    static Result<RunDirectory> make();
    RunDirectory(RunDirectory&& other) noexcept : path_(std::exchange(other.path_, "")) {}
    RunDirectory& operator=(RunDirectory&&) = delete;
    ~RunDirectory();

    [[nodiscard]] std::string printed() const { return path_ + "/printed"; }
    [[nodiscard]] std::string counts() const { return path_ + "/counts.json"; }
    [[nodiscard]] std::string capture() const { return path_ + "/run.sla"; }
    // The last line it printed that is not empty.
    [[nodiscard]] std::string last_words() const;
    // Whole; "" where it left none.
    [[nodiscard]] std::string read_counts() const;
    [[nodiscard]] bool has_counts() const;
    void clear() const;

private:
    explicit RunDirectory(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

}  // namespace sla::cli
