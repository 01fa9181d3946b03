// Progress: one line on stderr that is rewritten, when stderr is a terminal and the work takes longer than a second:
//
//   writing F.csv [=========>          ]  45 %  12.3 M rows/s  4 s left
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sla::cli {

// The line for a share of 0..1 that took so long; more than all (of a file that still grows) is all, below 0 or no number: not
// known.
std::string progress_line(const std::string& what, double share, const std::string& rate, double elapsed_s);

class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();  // wipes the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // 0..1; below 0: not known. Cheap to call often.
    void show(double share);
    // The same of so many rows, with their rate.
    void show_rows(std::uint64_t done, std::uint64_t all);
    // Shows it; false when the person wants it to stop.
    bool goes_on(double share);
    bool rows_go_on(std::uint64_t done, std::uint64_t all);

private:
    bool due();
    void print(double share, const std::string& rate);

    std::string what_;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point next_;
    bool terminal_;
    bool shown_ = false;
};

}  // namespace sla::cli
