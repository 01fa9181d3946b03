// linux.syscall.NAME: a span per thread, from entry (value: the first argument) to exit (value: what it gave back).
//
// raw_syscalls has the number, syscalls:sys_enter_NAME the name.
#include "agent/linux/events/handler.h"
#include "agent/linux/events/syscall_names.h"

#include <algorithm>

namespace sla::linux {
namespace {

constexpr std::size_t kMaxNumber = 4096;  // beyond it numbers are nonsense and share a lane

LaneNumber syscall_lane(LaneAccount& account, const std::string& name) {
    return account.sink.lane("linux.syscall." + name, "");
}

std::uint8_t edge_code(bool begins) {
    return begins ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE;
}

void put_edge(LaneAccount& account, Task& task, LaneNumber lane, std::uint64_t tick, std::uint64_t value, bool begins) {
    task.open_syscall = begins ? lane : 0;
    account.sink.add(lane, task.thread, tick, edge_code(begins), value);
}

// Number and value are words on a machine of 64 bits: then only the first event of a number comes here.
class RawSyscall final : public Handler {
public:
    RawSyscall(const EventFormat& format, LaneAccount& account, const Field& value, bool begins)
        : account_(account), number_(*format.find("id")), value_(value), begins_(begins), lanes_(kMaxNumber + 1) {}

    [[nodiscard]] UsualEdge usual() const override {
        constexpr std::size_t kWord = sizeof(std::uint64_t);
        if (number_.size != kWord || value_.size != kWord) return {};
        const std::size_t needs = std::max(number_.offset, value_.offset) + kWord;
        return {number_.offset, value_.offset, needs, lanes_, begins_ ? ~LaneNumber{0} : 0, edge_code(begins_)};
    }

    void take(const Occurrence& at) override {
        const std::uint64_t number = std::min<std::uint64_t>(number_.number(at.record), kMaxNumber);
        UsualEdge::Lane& lane = lanes_[number];
        if (lane.number == 0) {
            const std::string name = number == kMaxNumber ? "invalid" : syscall_name(static_cast<int>(number));
            lane.number = syscall_lane(account_, name);
            lane.rows = account_.sink.waiting_rows(lane.number);
        }
        put_edge(account_, account_.task_of(at), lane.number, at.tick, value_.number(at.record), begins_);
    }

private:
    LaneAccount& account_;
    Field number_, value_;
    bool begins_;
    std::vector<UsualEdge::Lane> lanes_;
};

class NamedSyscall final : public Handler {
public:
    NamedSyscall(const std::string& name, LaneAccount& account, bool enter, const Field* value)
        : account_(account), lane_("linux.syscall." + name), enter_(enter) {
        if (value != nullptr) value_ = *value;
    }
    void take(const Occurrence& at) override {
        const std::uint64_t value = value_.number(at.record);
        put_edge(account_, account_.task_of(at), lane_.in(account_.sink), at.tick, value, enter_);
    }

private:
    LaneAccount& account_;
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

HandlerPtr make_named(const EventFormat& format, LaneAccount& account) {
    constexpr std::string_view kEnter = "sys_enter_";
    constexpr std::string_view kExit = "sys_exit_";
    if (format.name.starts_with(kExit))
        return std::make_unique<NamedSyscall>(format.name.substr(kExit.size()), account, false, format.find("ret"));
    if (!format.name.starts_with(kEnter)) return nullptr;
    const Field* first = format.fields.size() > 1 ? &format.fields[1] : nullptr;  // behind __syscall_nr
    return std::make_unique<NamedSyscall>(format.name.substr(kEnter.size()), account, true, first);
}

}  // namespace

HandlerPtr make_syscall_handler(const EventFormat& format, LaneAccount& account) {
    if (format.system == "syscalls") return make_named(format, account);
    if (format.system != "raw_syscalls" || format.find("id") == nullptr) return nullptr;
    const Field* args = format.find("args");
    const Field* ret = format.find("ret");
    if (format.name == "sys_enter" && args != nullptr)
        return std::make_unique<RawSyscall>(format, account, first_of(*args), true);
    if (format.name == "sys_exit" && ret != nullptr) return std::make_unique<RawSyscall>(format, account, *ret, false);
    return nullptr;
}

}  // namespace sla::linux
