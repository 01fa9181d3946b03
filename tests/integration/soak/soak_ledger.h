// What the captures of several agents, one after the other, say of one marked channel whose values count 0, 1, 2 ...
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sla::soak {

struct Account {
    std::uint64_t recorded = 0;
    std::uint64_t lost = 0;   // by gap rows
    std::uint64_t next = 0;   // value expected next
    std::uint64_t gap = 0;    // by gap rows since the last value
    std::uint64_t late = 0;   // of marks that a stopped or starved program made but did not publish in time: each is a hole
                              // where it was made, and reported by a gap row when it came
    std::uint64_t wrong = 0;  // values that came twice or out of order
    std::uint64_t before_first = 0;
    std::uint64_t after_last = 0;
    std::vector<std::uint64_t> holes;  // between the first value and the last one, what no gap row reports
    std::string gaps;                  // since the last value, in words
    std::string oddities;              // the first few holes and wrong values, in words
};

class Ledger {
public:
    // Reads a capture, the next one in time.
    void add(const std::string& capture);
    // What follows the last value of a channel, up to all that were made.
    void close(const std::string& channel, std::uint64_t made);
    [[nodiscard]] const std::map<std::string, Account>& accounts() const { return accounts_; }

private:
    std::map<std::string, Account> accounts_;
};

}  // namespace sla::soak
