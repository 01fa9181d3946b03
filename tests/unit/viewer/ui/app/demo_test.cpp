#include "viewer/ui/app/demo.h"

#include "tests/support/with_directory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

namespace sla::ui {
namespace {

// A variable of the environment, until the end of the scope.
class SetVariable {
public:
    SetVariable(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    ~SetVariable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
    SetVariable(const SetVariable&) = delete;
    SetVariable& operator=(const SetVariable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

class DemoRoom : public support::WithDirectory {};

TEST_F(DemoRoom, WhatAKilledOneLeftGoesWithTheNextOne) {
    const SetVariable temporary("TMPDIR", std::filesystem::path(file("x")).parent_path().string());
    const SetVariable path("PATH", "");
    std::filesystem::create_directory(file("sla-demo-killed"));
    std::ofstream(file("sla-demo-killed/owner.lock")) << "";
    std::filesystem::create_directory(file("sla-demo-other1"));
    const auto demo = Demo::start();  // finds no programs here, and leaves nothing
    EXPECT_FALSE(std::filesystem::exists(file("sla-demo-killed")));
    EXPECT_TRUE(std::filesystem::exists(file("sla-demo-other1"))) << "nobody knows whose it is";
}

}  // namespace
}  // namespace sla::ui
