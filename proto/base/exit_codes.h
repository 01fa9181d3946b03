// How our programs end, for scripts that ask.
#pragma once

namespace sla::exits {

inline constexpr int kDone = 0;
inline constexpr int kNo = 1;             // what was asked about is not so, or not there
inline constexpr int kWrongUse = 2;       // of the command line
inline constexpr int kOutsideFailed = 3;  // a file, a peer, the system

}  // namespace sla::exits
