// The demo from within the window: an agent of its own, an emulated PC and a marked program, all in a runtime folder of
// their own, ended with the window. The programs are looked for beside this one.
#pragma once

#include "proto/base/result.h"
#include "viewer/process/child.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::ui {

class Demo {
public:
    static Result<std::unique_ptr<Demo>> start();
    ~Demo();
    Demo(const Demo&) = delete;
    Demo& operator=(const Demo&) = delete;

    [[nodiscard]] std::string address() const { return "unix:" + folder_ + "/agent.sock"; }
    [[nodiscard]] std::size_t programs() const { return running_.size(); }

private:
    Demo() = default;
    Result<void> run(const std::string& program, const std::vector<std::string>& words);

    std::string folder_;
    std::vector<process::Child> running_;
};

}  // namespace sla::ui
