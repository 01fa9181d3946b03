// What every piece of a capture begins with was given by the piece before. Private to the room, and to other places
// that captures are kept in.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sla::capture {

// Knows which frames of the pieces of one run need not be given again. Memory: the names. One owner, one thread.
class RepeatedNames {
public:
    // True: a serialized wire::Frame that says nothing new.
    bool is_known(std::string_view frame);

private:
    std::set<std::string, std::less<>> known_;                      // Hello, channels, threads, clocks
    std::unordered_map<std::uint32_t, std::string> newest_source_;  // its newest word
};

bool is_batch_frame(std::string_view frame);
bool is_end_frame(std::string_view frame);
// The reason in the End of a piece that is not the capture's end; `where`: "piece 3", "rec.3.sla".
std::string goes_on_in(std::string_view where);
bool says_goes_on(std::string_view reason);
// Hello, a source, a channel, a thread or a clock.
bool is_name_frame(std::string_view frame);

}  // namespace sla::capture
