// FakeAgent: a Unix socket that answers every connection with the next of some prepared byte strings, once it has read the
// request.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace sla::support {

class FakeAgent {
public:
    // One answer a connection; then it accepts no more.
    explicit FakeAgent(std::vector<std::string> answers);
    ~FakeAgent();
    FakeAgent(const FakeAgent&) = delete;
    FakeAgent& operator=(const FakeAgent&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string address() const { return "unix:" + path_; }
    // The requests' bytes, in order of connection; waits until all answers are given.
    [[nodiscard]] std::vector<std::string> requests();

private:
    void serve();

    std::string path_;
    int listener_ = -1;
    std::vector<std::string> answers_;
    std::vector<std::string> requests_;
    std::thread thread_;
};

}  // namespace sla::support
