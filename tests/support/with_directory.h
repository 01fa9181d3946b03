// A test with a directory of its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sla::support {

// A directory that goes with the test.
class WithDirectory : public ::testing::Test {
protected:
    WithDirectory() : dir_(std::filesystem::path(::testing::TempDir()) / ("sla_test_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(dir_);
    }
    ~WithDirectory() override { std::filesystem::remove_all(dir_); }
    [[nodiscard]] std::string file(const std::string& name) const { return dir_ / name; }
    static std::string content(const std::string& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::filesystem::path dir_;
};

}  // namespace sla::support
