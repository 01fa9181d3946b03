// What a program does while another machine lets it wait: whom it tells, and whether it still wants to. Set once, before the
// first connection.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace sla::ingest {

// How long the first word of an agent behind ssh may take: a person may have to type a password.
inline constexpr std::chrono::milliseconds kSshTimeout = std::chrono::minutes(2);
// After so long without a word people are told what is waited for.
inline constexpr std::chrono::seconds kSshSilence{3};

struct Patience {
    std::function<void(const std::string&)> tell;  // what is waited for; the I/O thread calls it. Empty: nobody
    std::function<bool()> goes_on;                 // false: whoever waits for an answer gives up. Empty: always true
};

inline Patience& patience() {
    static Patience all;
    return all;
}

}  // namespace sla::ingest
