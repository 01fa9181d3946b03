// Progress: one line on stderr that is rewritten, when stderr is a terminal and the work takes longer than a second.
#pragma once

#include <chrono>
#include <string>

namespace sla::cli {

class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();  // wipes the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // 0..1; below 0: not known. Cheap to call often.
    void show(double share);

private:
    std::string what_;
    std::chrono::steady_clock::time_point next_;
    bool terminal_;
    bool shown_ = false;
};

}  // namespace sla::cli
