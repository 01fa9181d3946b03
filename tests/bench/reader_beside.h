// Who reads along with an agent that is stepped by hand: a recorder (the real writer of captures) or a viewer's socket, on the
// thread that steps the agent, so that all its CPU counts.
#pragma once

#include "agent/retain/retention.h"
#include "proto/capture/capture_writer.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sla::bench {

// Of this thread, in ns.
double cpu_ns();
void stay_on(std::size_t core);

class ReaderBeside {
public:
    // "recorded": into a file of that directory, which goes with this. "viewer": into a socket, which another thread empties.
    // Anything else: nobody reads. Ends the program when it cannot.
    ReaderBeside(const std::string& kind, const std::string& directory);
    ReaderBeside(const ReaderBeside&) = delete;
    ReaderBeside& operator=(const ReaderBeside&) = delete;
    ~ReaderBeside();

    // CPU of taking all that is there, in ns.
    double take(retain::Retention& retention);
    // Whether all went well to the end.
    bool finish() { return is_good_ && (!writer_ || writer_->finish().ok()); }
    // Events that it was too slow for.
    [[nodiscard]] std::uint64_t lagged() const { return cursor_.lagged; }

private:
    bool pass_on(const retain::Delivery& delivery);

    std::string path_;
    std::optional<capture::CaptureWriter> writer_;
    std::array<int, 2> ends_{-1, -1};
    std::thread emptying_;
    retain::Cursor cursor_;
    std::vector<retain::Delivery> deliveries_;
    bool is_good_ = true;
};

}  // namespace sla::bench
