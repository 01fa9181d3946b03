// kvm.VM.exit.REASON, kvm.VM.pio, kvm.VM.irq.N and the rest of kvm.VM: VM is the name and process id of who runs it.
#include "agent/linux/events/handler.h"
#include "agent/linux/tracefs/guest_port.h"
#include "proto/base/text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sla::linux {
namespace {

bool is_kernel_thread(std::int32_t tid) {
    char exe[8];
    const bool is_file = ::readlink(("/proc/" + std::to_string(tid) + "/exe").c_str(), exe, sizeof exe) >= 0;
    return !is_file && errno == ENOENT;  // another user's process is closed to us, but it is one
}

std::string process_name(std::int32_t process, const std::string& otherwise) {
    const std::string name = name_from_proc(process);
    if (name.starts_with("qemu-system")) return "qemu";  // which of them is in the process id
    return name.empty() ? otherwise : name;
}

// What a kernel thread does for a virtual machine (irqfd) goes to the machine seen last.
const std::string& vm_of(LaneAccount& account, Task& task) {
    static const std::string kHost = "kvm.host";  // before any was seen
    if (task.vm.empty()) {
        if (is_kernel_thread(task.tid)) return account.last_vm.empty() ? kHost : account.last_vm;
        const std::int32_t leader = leader_from_proc(task.tid);
        const std::int32_t process = leader != 0 ? leader : task.tid;
        task.vm = "kvm." + lane_part(process_name(process, task.name)) + "-" + std::to_string(process);
    }
    if (account.last_vm != task.vm) account.last_vm = task.vm;
    return task.vm;
}

// Lanes of one kind, by machine and number. A guest, or who runs it, may choose the numbers: past kMaxNumbers of them new ones
// share a lane, "guest.others", so that nobody takes the names of all lanes away, or memory without end.
class VmLanes {
public:
    template <typename MakeName>
    LaneNumber find(LaneAccount& account, Task& task, std::uint64_t number, MakeName make_name, const char* format = "") {
        const std::string& vm = vm_of(account, task);
        std::unordered_map<std::uint64_t, LaneNumber>& lanes = lanes_[vm];
        if (const auto known = lanes.find(number); known != lanes.end()) return known->second;
        std::string name = make_name();
        const std::size_t dot = name.rfind('.');
        const bool shares = dot != std::string::npos && lanes.size() >= kMaxNumbers;
        if (shares) name.replace(dot + 1, std::string::npos, "others");
        LaneNumber& lane = lanes[shares ? kOthers : number];
        if (lane == 0) lane = account.sink.lane(vm + "." + name, format);
        return lane;
    }

private:
    static constexpr std::size_t kMaxNumbers = 512;  // the whole host has SLA_MAX_CHANNELS
    static constexpr std::uint64_t kOthers = ~std::uint64_t{0};
    std::unordered_map<std::string, std::unordered_map<std::uint64_t, LaneNumber>> lanes_;
};

class Exit final : public Handler {
public:
    Exit(const EventFormat& format, LaneAccount& account)
        : account_(account),
          reason_(*format.find("exit_reason")),
          isa_(*format.find("isa")),
          rip_(*format.find("guest_rip")) {}
    void take(const Occurrence& at) override {
        Task& task = account_.task_of(at);
        const std::uint64_t isa = isa_.number(at.record);
        const std::uint64_t reason = isa == kVmx ? reason_.number(at.record) & 0xffff : reason_.number(at.record);
        const LaneNumber lane = lanes_.find(account_, task, reason | isa << 32, [&] {
            return "exit." + lane_part(lowered(reason_.symbol(reason, isa == kVmx ? 0 : 1)));
        });
        task.open_exit = lane;
        account_.sink.add(lane, task.thread, at.tick, SLA_CODE_BEGIN_VALUE, rip_.number(at.record));
    }

private:
    static constexpr std::uint64_t kVmx = 1;
    LaneAccount& account_;
    Field reason_, isa_, rip_;
    VmLanes lanes_;
};

class Entry final : public Handler {
public:
    Entry(const EventFormat& format, LaneAccount& account) : account_(account), rip_(*format.find("rip")) {}
    void take(const Occurrence& at) override {
        Task& task = account_.task_of(at);
        if (task.open_exit == 0) return;
        account_.sink.add(task.open_exit, task.thread, at.tick, SLA_CODE_END_VALUE, rip_.number(at.record));
        task.open_exit = 0;
    }

private:
    LaneAccount& account_;
    Field rip_;
};

// The formatter "x86.port" makes "out 70h" of the detail.
class Pio final : public Handler {
public:
    Pio(const EventFormat& format, LaneAccount& account)
        : account_(account),
          write_(*format.find("rw")),
          port_(*format.find("port")),
          size_(*format.find("size")),
          value_(*format.find("val")) {}
    void take(const Occurrence& at) override {
        Task& task = account_.task_of(at);
        const LaneNumber lane = lanes_.find(
            account_, task, 0, [] { return std::string("pio"); }, "x86.port");
        const std::uint64_t size = size_.number(at.record);
        const std::uint64_t width = size == 4 ? 2 : (size == 2 ? 1 : 0);
        wire::RowExtra extra;
        extra.detail[0] =
            (port_.number(at.record) & 0xffff) | width << 16 | std::uint64_t{write_.number(at.record) != 0} << 18;
        const std::uint64_t value = value_.number(at.record);
        account_.sink.add_with(lane, task.thread, at.tick, SLA_CODE_VALUE_UNSIGNED, value, std::move(extra));
        if (size == 4 && write_.number(at.record) != 0) take_from_guest(at, task, static_cast<std::uint32_t>(value));
    }

private:
    static constexpr std::uint64_t kMarkLane = 1, kClockLane = 2, kChannelLanes = std::uint64_t{1} << 32;

    // kvm.VM.guest: the guest's own markers, .N on its channel N; kvm.VM.guest_clock: how its TSC stands to ours.
    void take_from_guest(const Occurrence& at, Task& task, std::uint32_t eax) {
        const std::uint64_t port = port_.number(at.record);
        if (port == kGuestChannelPort) reported_[task.tid].channel = eax;
        if (port == kGuestValuePort) reported_[task.tid].value = eax;
        if (port == kGuestMarkerPort) take_marker(at, task, eax);
        if (port == kGuestClockPort) take_clock(at, task, eax);
    }
    void take_marker(const Occurrence& at, Task& task, std::uint32_t eax) {
        const GuestWords words = std::exchange(reported_[task.tid], {});
        const auto mark = guest_mark(eax, words);
        if (!mark) return;
        const LaneNumber lane = lanes_.find(account_, task, words.channel ? kChannelLanes + *words.channel : kMarkLane, [&] {
            return words.channel ? "guest." + std::to_string(*words.channel) : std::string("guest");
        });
        wire::RowExtra extra;
        extra.text = mark->what;
        account_.sink.add_with(lane, task.thread, at.tick, mark->code, mark->value, std::move(extra));
    }
    void take_clock(const Occurrence& at, Task& task, std::uint32_t eax) {
        GuestClock& clock = clocks_[vm_of(account_, task)];
        clock.take(at.tick, eax);
        const LaneNumber lane = lanes_.find(account_, task, kClockLane, [] { return std::string("guest_clock"); });
        wire::RowExtra extra;
        extra.text = clock.text();
        const auto offset = clock.offset();
        account_.sink.add_with(lane, task.thread, at.tick, offset ? SLA_CODE_TICK_VALUE : SLA_CODE_TICK,
                               offset ? offset->ticks : 0, std::move(extra));
    }

    LaneAccount& account_;
    Field write_, port_, size_, value_;
    VmLanes lanes_;
    std::unordered_map<std::string, GuestClock> clocks_;     // by machine
    std::unordered_map<std::int32_t, GuestWords> reported_;  // by virtual CPU
};

// One lane a number of some field: interrupt lines as levels, other reasons as ticks.
class ByNumber final : public Handler {
public:
    ByNumber(LaneAccount& account, std::string group, const Field& number, const Field& value, std::uint8_t code)
        : account_(account), group_(std::move(group)), number_(number), value_(value), code_(code) {}
    void take(const Occurrence& at) override {
        Task& task = account_.task_of(at);
        const std::uint64_t number = number_.number(at.record);
        const LaneNumber lane = lanes_.find(account_, task, number, [&] { return group_ + "." + name_of(number); });
        const std::uint64_t value = value_.number(at.record);
        account_.sink.add(lane, task.thread, at.tick, code_, code_ == SLA_CODE_LEVEL ? std::uint64_t{value != 0} : value);
    }

private:
    std::string name_of(std::uint64_t number) const {
        constexpr std::string_view kCommon = "KVM_EXIT_";
        std::string name = number_.symbol(number);
        if (name.starts_with(kCommon)) name.erase(0, kCommon.size());
        return lane_part(lowered(name));
    }
    LaneAccount& account_;
    std::string group_;
    Field number_, value_;
    std::uint8_t code_;
    VmLanes lanes_;
};

// All others: fields as text, the main one as value.
class PlainKvmEvent final : public Handler {
public:
    PlainKvmEvent(const EventFormat& format, LaneAccount& account) : account_(account), format_(format) {
        name_ = format.name.starts_with("kvm_") ? format.name.substr(4) : format.name;
        if (const Field* field = main_field(format)) value_ = *field;
    }
    void take(const Occurrence& at) override {
        Task& task = account_.task_of(at);
        const LaneNumber lane = lanes_.find(account_, task, 0, [this] { return name_; });
        wire::RowExtra extra;
        format_.append_text(at.record, SLA_TEXT_BYTES, extra.text);
        account_.sink.add_with(lane, task.thread, at.tick, SLA_CODE_TICK_VALUE, value_.number(at.record), std::move(extra));
    }

private:
    LaneAccount& account_;
    EventFormat format_;
    std::string name_;
    Field value_;
    VmLanes lanes_;
};

}  // namespace

HandlerPtr make_kvm_handler(const EventFormat& format, LaneAccount& account) {
    if (format.system != "kvm") return nullptr;
    const std::string& name = format.name;
    if (name == "kvm_exit" && format.has_all({"exit_reason", "isa", "guest_rip"}))
        return std::make_unique<Exit>(format, account);
    if (name == "kvm_entry" && format.has_all({"rip"})) return std::make_unique<Entry>(format, account);
    if (name == "kvm_pio" && format.has_all({"rw", "port", "size", "val"})) return std::make_unique<Pio>(format, account);
    if (name == "kvm_set_irq" && format.has_all({"gsi", "level"}))
        return std::make_unique<ByNumber>(account, "irq", *format.find("gsi"), *format.find("level"), SLA_CODE_LEVEL);
    if (name == "kvm_userspace_exit" && format.has_all({"reason"}))
        return std::make_unique<ByNumber>(account, "userspace", *format.find("reason"), *format.find("reason"),
                                          SLA_CODE_TICK_VALUE);
    return std::make_unique<PlainKvmEvent>(format, account);
}

}  // namespace sla::linux
