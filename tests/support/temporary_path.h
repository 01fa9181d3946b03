// A place for a file or a folder of a test's own, empty at first; what is there goes with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace sla::support {

struct TemporaryPath {
    explicit TemporaryPath(const std::string& name)
        : path(std::filesystem::path(::testing::TempDir()) / ("sla_" + std::to_string(getpid()) + "_" + name)) {
        std::filesystem::remove_all(path);
    }
    ~TemporaryPath() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    const std::filesystem::path path;
};

}  // namespace sla::support
