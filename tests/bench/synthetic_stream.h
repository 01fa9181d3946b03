// Streams as an agent would send them, of any size and shape, made fast: for benchmarks of files and viewers.
#pragma once

#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::bench {

enum class Shape {
    kRegular,      // a loop with a counter: every 100 ticks, one in 50 some 10 to 400 late
    kJittered,     // 60 to 260 ticks apart, values 0 to 99
    kSpans,        // begin with a random 32-bit id, end; 60 to 260 ticks apart
    kNestedSpans,  // the same with ids that count up, every other span around another one
    kLevels,       // rises and falls, 60 to 260 ticks apart
    kValues,       // a slow wave as floating-point numbers
    kMixed,        // each channel the next of these
    kExits,        // spans whose begins carry two details, as exits of an emulated PC
    kTexts,        // texts of 20 bytes
};
// Nothing for a name that is none.
std::optional<Shape> shape_named(std::string_view name);
inline constexpr const char* kShapeNames = "regular, jittered, spans, nested, levels, values, mixed, exits or texts";

struct StreamPlan {
    Shape shape = Shape::kMixed;
    std::uint32_t channels = 64;
    std::uint32_t batch_rows = 8192;
    std::uint32_t spread = 0;      // all distances times this; 0: times the number of channels, as if they took turns
    std::uint32_t loss_every = 0;  // batches of a channel; 0: nothing is lost
};

// One owner, one thread. Same plan, same stream.
class SyntheticStream {
public:
    using Emit = std::function<void(std::string_view message)>;

    explicit SyntheticStream(const StreamPlan& plan);

    // Hello, names, clocks.
    void begin(const Emit& emit);
    // One batch of every channel, then a watermark. How many events that was.
    std::uint64_t round(const Emit& emit);
    void end(const Emit& emit);

    // The plain events of the newest round's last channel: for timing what is done to them.
    [[nodiscard]] const wire::EventBatch& newest() const { return batch_; }

private:
    struct Lane {
        Shape shape = Shape::kRegular;
        std::uint64_t tick = 0;
        std::uint64_t row = 0;
        std::uint64_t random = 0;
        std::uint32_t id = 0;
    };
    void fill(Lane& lane);
    void add_one(Lane& lane);
    [[nodiscard]] std::uint64_t step(Lane& lane) const;
    void send(const Emit& emit);

    StreamPlan plan_;
    std::vector<Lane> lanes_;
    wire::EventBatch batch_;
    wire::Frame frame_;
    std::string bytes_;
    std::uint64_t batches_ = 0;
};

}  // namespace sla::bench
