// linux.syscall.NAME: a span per thread, from entry (value: the first argument) to exit (value: what it gave back).
//
// raw_syscalls tells the number, syscalls:sys_enter_NAME the name. Cost of one event: about 5 ns of the 25 that all of it
// takes (tests/bench/linux_bench).
#include "agent/source/linux/handler.h"
#include "agent/source/linux/syscall_names.h"

#include <cstring>

namespace sla::source {
namespace {

constexpr std::size_t kMaxNumber = 4096;  // beyond it numbers are nonsense and share a lane

LaneNumber syscall_lane(LaneBook& book, const std::string& name) {
    return book.sink.lane("linux.syscall." + name, "");
}

template <bool kEnter>
void put_edge(LaneBook& book, Task& task, LaneNumber lane, std::uint64_t tick, std::uint64_t value) {
    task.open_syscall = kEnter ? lane : 0;
    book.sink.add(lane, task.thread, tick, kEnter ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE, value);
}

// Number and value as they are on a machine of 64 bits; else they are read as any field is.
template <bool kEnter>
class RawSyscall final : public Handler {
public:
    RawSyscall(const EventFormat& format, LaneBook& book, const Field& value)
        : book_(book),
          number_(*format.find("id")),
          value_(value),
          are_words_(number_.size == sizeof(std::uint64_t) && value_.size == sizeof(std::uint64_t)),
          needs_(std::max(number_.offset, value_.offset) + sizeof(std::uint64_t)),
          lanes_(kMaxNumber + 1) {}

    void take(const Occurrence& at) override {
        const bool as_words = are_words_ && at.record.size() >= needs_;
        const std::uint64_t called = as_words ? word(at.record, number_.offset) : number_.number(at.record);
        const std::uint64_t number = std::min<std::uint64_t>(called, kMaxNumber);
        const LaneNumber lane = lanes_[number];
        if (lane == 0) return take_first(at, number);
        put(at, lane, as_words ? word(at.record, value_.offset) : value_.number(at.record));
    }

private:
    void put(const Occurrence& at, LaneNumber lane, std::uint64_t value) {
        if (at.task == nullptr) return put_unmet(at, lane, value);
        put_edge<kEnter>(book_, *at.task, lane, at.tick, value);
    }
    // Not inlined, as the next: they would have the hot way save registers.
    [[gnu::noinline]] void put_unmet(const Occurrence& at, LaneNumber lane, std::uint64_t value) {
        put_edge<kEnter>(book_, book_.tasks.task(at.tid), lane, at.tick, value);
    }
    // The first of its number.
    [[gnu::noinline]] void take_first(const Occurrence& at, std::uint64_t number) {
        lanes_[number] = syscall_lane(book_, number == kMaxNumber ? "invalid" : syscall_name(static_cast<int>(number)));
        put(at, lanes_[number], value_.number(at.record));
    }
    static std::uint64_t word(RecordBytes record, std::size_t offset) {
        std::uint64_t value = 0;
        std::memcpy(&value, record.data() + offset, sizeof value);
        return value;
    }

    LaneBook& book_;
    Field number_, value_;
    bool are_words_;
    std::size_t needs_;  // bytes of a record that has both
    std::vector<LaneNumber> lanes_;
};

class NamedSyscall final : public Handler {
public:
    NamedSyscall(const std::string& name, LaneBook& book, bool enter, const Field* value)
        : book_(book), lane_("linux.syscall." + name), enter_(enter) {
        if (value != nullptr) value_ = *value;
    }
    void take(const Occurrence& at) override {
        const std::uint64_t value = value_.number(at.record);
        const LaneNumber lane = lane_.in(book_.sink);
        Task& task = book_.task_of(at);
        enter_ ? put_edge<true>(book_, task, lane, at.tick, value) : put_edge<false>(book_, task, lane, at.tick, value);
    }

private:
    LaneBook& book_;
    LazyLane lane_;
    Field value_;  // of no size: reads as 0
    bool enter_;
};

// The first element of the array of arguments, as a field.
Field first_of(const Field& array) {
    Field first = array;
    first.shape = Field::Shape::kNumber;
    first.size = sizeof(std::uint64_t);
    return first;
}

HandlerPtr make_named(const EventFormat& format, LaneBook& book) {
    constexpr std::string_view kEnter = "sys_enter_";
    constexpr std::string_view kExit = "sys_exit_";
    if (format.name.starts_with(kExit))
        return std::make_unique<NamedSyscall>(format.name.substr(kExit.size()), book, false, format.find("ret"));
    if (!format.name.starts_with(kEnter)) return nullptr;
    const Field* first = format.fields.size() > 1 ? &format.fields[1] : nullptr;  // behind __syscall_nr
    return std::make_unique<NamedSyscall>(format.name.substr(kEnter.size()), book, true, first);
}

}  // namespace

HandlerPtr make_syscall_handler(const EventFormat& format, LaneBook& book) {
    if (format.system == "syscalls") return make_named(format, book);
    if (format.system != "raw_syscalls" || format.find("id") == nullptr) return nullptr;
    const Field* args = format.find("args");
    const Field* ret = format.find("ret");
    if (format.name == "sys_enter" && args != nullptr)
        return std::make_unique<RawSyscall<true>>(format, book, first_of(*args));
    if (format.name == "sys_exit" && ret != nullptr) return std::make_unique<RawSyscall<false>>(format, book, *ret);
    return nullptr;
}

}  // namespace sla::source
