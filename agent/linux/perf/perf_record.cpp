#include "agent/linux/perf/perf_record.h"

#include <algorithm>
#include <cstring>

namespace sla::linux {
namespace {

// Fields one behind the other; what is not there reads as 0, and says so.
class Fields {
public:
    explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}
    template <typename T>
    T take() {
        T value{};
        if (bytes_.size() < sizeof value) {
            complete_ = false;
            bytes_ = {};
            return value;
        }
        std::memcpy(&value, bytes_.data(), sizeof value);
        bytes_ = bytes_.subspan(sizeof value);
        return value;
    }
    [[nodiscard]] bool complete() const { return complete_; }

private:
    std::span<const std::byte> bytes_;
    bool complete_ = true;
};

void copy_out(std::span<const std::byte> ring, std::uint64_t from, std::span<std::byte> to) {
    if (to.empty()) return;  // a record may be its header only; memcpy wants an address even then
    const std::size_t begin = from & (ring.size() - 1);
    const std::size_t first = std::min(to.size(), ring.size() - begin);
    std::memcpy(to.data(), ring.data() + begin, first);
    std::memcpy(to.data() + first, ring.data(), to.size() - first);
}

}  // namespace

PerfRecord parse_perf_record(std::uint32_t type, std::span<const std::byte> body) {
    PerfRecord record;
    Fields fields(body);
    if (type == PERF_RECORD_SAMPLE) {
        record.kind = PerfRecord::Kind::kSample;
        record.id = fields.take<std::uint64_t>();
        record.ip = fields.take<std::uint64_t>();
        record.pid = fields.take<std::int32_t>();
        record.tid = fields.take<std::int32_t>();
        record.time_ns = fields.take<std::uint64_t>();
        record.address = fields.take<std::uint64_t>();
        record.cpu = fields.take<std::uint32_t>();
    } else if (type == PERF_RECORD_LOST) {
        record.kind = PerfRecord::Kind::kLost;
        record.id = fields.take<std::uint64_t>();
        record.lost = fields.take<std::uint64_t>();
    } else if (type == PERF_RECORD_COMM) {
        record.kind = PerfRecord::Kind::kRenamed;
        record.pid = fields.take<std::int32_t>();
        record.tid = fields.take<std::int32_t>();
    }
    return fields.complete() ? record : PerfRecord{};
}

bool read_perf_records(std::span<const std::byte> ring, std::uint64_t* tail, std::uint64_t head,
                       std::vector<std::byte>& buffer, const std::function<void(const PerfRecord&)>& visit) {
    bool whole = head - *tail <= ring.size();
    while (whole && head != *tail) {
        perf_event_header header{};
        whole = head - *tail >= sizeof header;
        if (!whole) break;
        copy_out(ring, *tail, std::as_writable_bytes(std::span(&header, 1)));
        whole = header.size >= sizeof header && header.size <= head - *tail;
        if (!whole) break;
        buffer.resize(header.size - sizeof header);
        copy_out(ring, *tail + sizeof header, buffer);
        visit(parse_perf_record(header.type, buffer));
        *tail += header.size;
    }
    if (!whole) *tail = head;
    return whole;
}

}  // namespace sla::linux
