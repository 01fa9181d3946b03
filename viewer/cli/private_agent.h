// PrivateAgent: an sla-agent of our own, in a runtime directory of its own, recording into a file. One owner, one thread;
// the directory goes with it.
#pragma once

#include "viewer/process/child.h"
#include "viewer/process/own_directory.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::cli {

class PrivateAgent {
public:
    // Returns when programs can attach, or says why not. No file: nothing is recorded by the agent itself.
    static Result<std::unique_ptr<PrivateAgent>> start(const std::string& record_file,
                                                       const std::vector<std::string>& more_options = {});
    // The same in two steps: its directory, which a program may be given before the agent runs.
    static Result<std::unique_ptr<PrivateAgent>> prepare();
    Result<void> launch(const std::string& record_file, const std::vector<std::string>& more_options);

    // Ends it and waits until the file is whole.
    Result<void> finish();
    // Its exit, should it have come before finish().
    [[nodiscard]] bool has_died();

    // What it warned of so far, a line each.
    [[nodiscard]] std::vector<std::string> warnings() const;

    [[nodiscard]] const std::string& runtime_dir() const { return directory_.path(); }

private:
    explicit PrivateAgent(process::OwnDirectory directory) : directory_(std::move(directory)) {}
    [[nodiscard]] std::string log() const;
    [[nodiscard]] Error died(const process::Ending& ending, const std::string& when) const;

    process::OwnDirectory directory_;
    std::unique_ptr<process::Child> agent_;  // ends before its directory
};

}  // namespace sla::cli
