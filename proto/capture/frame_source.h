// FrameSource: the frames of a capture in order, wherever it is kept; what a CaptureReader reads. Private to the room, and to
// other places that captures are kept in.
#pragma once

#include "proto/capture/damage.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sla::capture {

// One owner, one thread. See CaptureReader for what each says.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    virtual std::optional<std::string_view> next() = 0;
    [[nodiscard]] virtual const std::vector<Damage>& damage() const = 0;
    [[nodiscard]] virtual bool finished() const = 0;
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
    [[nodiscard]] virtual std::uint64_t position() const = 0;
};

}  // namespace sla::capture
