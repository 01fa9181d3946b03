#include "proto/wire/batch_parser.h"

#include "proto/wire/columns/varint.h"
#include "proto/wire/frame_codec.h"

namespace sla::wire {
namespace {

constexpr std::size_t kWorthKeeping = std::size_t{512} << 10;
constexpr unsigned kLengthDelimited = 2;  // what follows a field's number in its tag

}  // namespace

const Batch* BatchParser::parse(std::string_view frame) {
    constexpr char kTag = static_cast<char>(Frame::kBatchFieldNumber << 3 | kLengthDelimited);
    static_assert(Frame::kBatchFieldNumber < 16, "a tag of one byte");
    if (frame.empty() || frame.front() != kTag) return nullptr;
    const char* at = frame.data() + 1;
    const char* const end = frame.data() + frame.size();
    std::uint64_t length = 0;
    if (!get_varint(at, end, length) || length != static_cast<std::size_t>(end - at)) return nullptr;
    if (is_large_) batch_ = Batch();
    is_large_ = frame.size() > kWorthKeeping;
    return parse_message({at, static_cast<std::size_t>(length)}, batch_) ? &batch_ : nullptr;
}

}  // namespace sla::wire
