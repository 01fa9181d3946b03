// linux.fault, timers as spans, and linux.SYSTEM.EVENT for whatever has no lanes of its own.
#include "agent/linux/events/handler.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sla::linux {
namespace {

class Fault final : public Handler {
public:
    Fault(const EventFormat& format, LaneAccount& account)
        : account_(account),
          address_(*format.find("address")),
          ip_(*format.find("ip")),
          error_(*format.find("error_code")),
          lane_("linux.fault"),
          where_(format.name == "page_fault_kernel" ? "in the kernel" : "user") {}

    void take(const Occurrence& at) override {
        constexpr std::uint64_t kPresent = 1, kWrite = 2, kFetch = 16;  // of the processor's error code
        const std::uint64_t error = error_.number(at.record);
        const char* access = (error & kFetch) != 0 ? "fetch" : ((error & kWrite) != 0 ? "write" : "read");
        std::array<char, SLA_TEXT_BYTES> text{};
        std::snprintf(text.data(), text.size(), "%s %s%s, ip=0x%llx", where_, access,
                      (error & kPresent) != 0 ? ", protection" : "", static_cast<unsigned long long>(ip_.number(at.record)));
        wire::RowExtra extra;
        extra.text = text.data();
        account_.sink.add_with(lane_.in(account_.sink), account_.task_of(at).thread, at.tick, SLA_CODE_TICK_VALUE,
                               address_.number(at.record), std::move(extra));
    }

private:
    LaneAccount& account_;
    Field address_, ip_, error_;
    LazyLane lane_;
    const char* where_;
};

// Timers and tasklets: spans of the CPU that runs them.
class Pair final : public Handler {
public:
    Pair(const EventFormat& format, LaneAccount& account, const std::string& name, bool begins)
        : account_(account), lane_("linux." + format.system + "." + name), begins_(begins) {
        if (const Field* field = main_field(format)) value_ = *field;
    }
    void take(const Occurrence& at) override {
        const std::uint64_t value = value_.number(at.record);
        const LaneNumber lane = lane_.in(account_.sink);
        begins_ ? account_.begin_on_cpu(lane, at, value) : account_.end_on_cpu(lane, at, value);
    }

private:
    LaneAccount& account_;
    LazyLane lane_;
    bool begins_;
    Field value_;
};

class PlainEvent final : public Handler {
public:
    PlainEvent(const EventFormat& format, LaneAccount& account)
        : account_(account), format_(format), lane_("linux." + format.system + "." + format.name) {
        if (const Field* field = main_field(format)) value_ = *field;
    }
    void take(const Occurrence& at) override {
        wire::RowExtra extra;
        format_.append_text(at.record, SLA_TEXT_BYTES, extra.text);
        const ThreadNumber thread = account_.task_of(at).thread;
        account_.sink.add_with(lane_.in(account_.sink), thread, at.tick, SLA_CODE_TICK_VALUE, value_.number(at.record),
                               std::move(extra));
    }

private:
    LaneAccount& account_;
    EventFormat format_;
    LazyLane lane_;
    Field value_;
};

}  // namespace

const Field* main_field(const EventFormat& format) {
    static constexpr std::array<std::string_view, 12> kLiked = {"val",  "value",  "ret",     "data", "vector",   "sig",
                                                                "size", "length", "vcpu_id", "len",  "function", "pid"};
    for (const std::string_view name : kLiked) {
        const Field* field = format.find(name);
        if (field != nullptr && field->shape == Field::Shape::kNumber) return field;
    }
    for (const Field& field : format.fields) {
        if (field.shape == Field::Shape::kNumber && field.name != "__syscall_nr") return &field;
    }
    return nullptr;
}

HandlerPtr make_plain_handler(const EventFormat& format, LaneAccount& account) {
    const std::string& name = format.name;
    if (format.system == "exceptions" && format.has_all({"address", "ip", "error_code"}))
        return std::make_unique<Fault>(format, account);
    const bool has_pairs = format.system == "timer" || format.system == "irq";
    if (has_pairs && name.ends_with("_entry"))
        return std::make_unique<Pair>(format, account, name.substr(0, name.size() - 6), true);
    if (has_pairs && name.ends_with("_exit"))
        return std::make_unique<Pair>(format, account, name.substr(0, name.size() - 5), false);
    return std::make_unique<PlainEvent>(format, account);
}

}  // namespace sla::linux
