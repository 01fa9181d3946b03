// A recording that was made of another one, whose rows have other numbers: it is not to be taken for a file of that one.
#pragma once

#include "proto/base/random_id.h"
#include "proto/wire/capture.pb.h"

#include <cstdint>

namespace sla::wire {

class OwnRecording {
public:
    // Gives it an id of its own. A Hello that is said again gets the same, one of another recording another.
    void rename(Hello& hello) const { hello.set_capture_id(hello.capture_id() ^ salt_); }

private:
    const std::uint64_t salt_ = random_id();
};

}  // namespace sla::wire
