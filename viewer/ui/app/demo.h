// The demo from within the window: an agent of its own, an emulated PC and a marked program, all in a runtime folder of
// their own, ended with the window. The programs are looked for beside this one.
#pragma once

#include "proto/base/result.h"
#include "viewer/process/child.h"
#include "viewer/process/own_directory.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

class Demo {
public:
    static Result<std::unique_ptr<Demo>> start();
    ~Demo();
    Demo(const Demo&) = delete;
    Demo& operator=(const Demo&) = delete;

    [[nodiscard]] std::string address() const { return "unix:" + directory_.file("agent.sock"); }
    [[nodiscard]] std::size_t programs() const { return running_.size(); }

private:
    explicit Demo(process::OwnDirectory directory) : directory_(std::move(directory)) {}
    Result<void> run(const std::string& program, const std::vector<std::string>& words);

    process::OwnDirectory directory_;
    std::vector<process::Child> running_;  // who use it
};

}  // namespace sla::ui
