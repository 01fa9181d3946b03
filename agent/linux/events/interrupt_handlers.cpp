// linux.irq.NAME, linux.softirq.NAME, linux.vector.NAME: spans of the CPU that was interrupted.
#include "agent/linux/events/handler.h"

namespace sla::linux {
namespace {

class IrqEntry final : public Handler {
public:
    IrqEntry(const EventFormat& format, LaneAccount& account)
        : account_(account), irq_(*format.find("irq")), name_(*format.find("name")) {}
    void take(const Occurrence& at) override {
        const std::uint64_t irq = irq_.number(at.record);
        const std::string_view name = name_.text(at.record);
        LaneNumber& lane = by_name_[std::string(name)];
        if (lane == 0) lane = account_.sink.lane("linux.irq." + lane_part(name), "");
        account_.irq_lanes[irq] = lane;
        account_.begin_on_cpu(lane, at, irq);
    }

private:
    LaneAccount& account_;
    Field irq_, name_;
    std::unordered_map<std::string, LaneNumber> by_name_;
};

class IrqExit final : public Handler {
public:
    IrqExit(const EventFormat& format, LaneAccount& account)
        : account_(account), irq_(*format.find("irq")), ret_(*format.find("ret")) {}
    void take(const Occurrence& at) override {
        const std::uint64_t irq = irq_.number(at.record);
        LaneNumber& lane = account_.irq_lanes[irq];
        if (lane == 0) lane = account_.sink.lane("linux.irq." + std::to_string(irq), "");
        account_.end_on_cpu(lane, at, ret_.number(at.record));
    }

private:
    LaneAccount& account_;
    Field irq_, ret_;
};

enum class Edge { kBegin, kEnd, kTick };

class Softirq final : public Handler {
public:
    Softirq(const EventFormat& format, LaneAccount& account, Edge edge)
        : account_(account), vector_(*format.find("vec")), edge_(edge) {}
    void take(const Occurrence& at) override {
        const std::uint64_t vector = vector_.number(at.record);
        LaneNumber& lane = lanes_[vector];
        if (lane == 0) {
            const std::string name = "linux.softirq." + vector_.symbol(vector);
            lane = account_.sink.lane(edge_ == Edge::kTick ? name + ".raise" : name, "");
        }
        switch (edge_) {
            case Edge::kBegin: account_.begin_on_cpu(lane, at, vector); break;
            case Edge::kEnd: account_.end_on_cpu(lane, at, vector); break;
            case Edge::kTick:
                account_.sink.add(lane, account_.tasks.cpu_thread(at.cpu), at.tick, SLA_CODE_TICK_VALUE, vector);
                break;
        }
    }

private:
    LaneAccount& account_;
    Field vector_;
    Edge edge_;
    std::unordered_map<std::uint64_t, LaneNumber> lanes_;
};

class Vector final : public Handler {
public:
    Vector(const EventFormat& format, LaneAccount& account, const std::string& name, Edge edge)
        : account_(account), vector_(*format.find("vector")), lane_("linux.vector." + name), edge_(edge) {}
    void take(const Occurrence& at) override {
        const std::uint64_t vector = vector_.number(at.record);
        const LaneNumber lane = lane_.in(account_.sink);
        edge_ == Edge::kBegin ? account_.begin_on_cpu(lane, at, vector) : account_.end_on_cpu(lane, at, vector);
    }

private:
    LaneAccount& account_;
    Field vector_;
    LazyLane lane_;
    Edge edge_;
};

}  // namespace

HandlerPtr make_interrupt_handler(const EventFormat& format, LaneAccount& account) {
    if (format.system == "irq_vectors" && format.find("vector") != nullptr) {
        const std::string& name = format.name;
        if (name.ends_with("_entry"))
            return std::make_unique<Vector>(format, account, name.substr(0, name.size() - 6), Edge::kBegin);
        if (name.ends_with("_exit"))
            return std::make_unique<Vector>(format, account, name.substr(0, name.size() - 5), Edge::kEnd);
    }
    if (format.system != "irq") return nullptr;
    if (format.find("irq") != nullptr) {
        if (format.name == "irq_handler_entry" && format.find("name") != nullptr)
            return std::make_unique<IrqEntry>(format, account);
        if (format.name == "irq_handler_exit" && format.find("ret") != nullptr)
            return std::make_unique<IrqExit>(format, account);
    }
    if (format.find("vec") == nullptr) return nullptr;
    if (format.name == "softirq_entry") return std::make_unique<Softirq>(format, account, Edge::kBegin);
    if (format.name == "softirq_exit") return std::make_unique<Softirq>(format, account, Edge::kEnd);
    if (format.name == "softirq_raise") return std::make_unique<Softirq>(format, account, Edge::kTick);
    return nullptr;
}

}  // namespace sla::linux
