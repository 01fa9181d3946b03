// linux.function.NAME: a span per thread from entry to return; ticks for hooks of one kind only.
#include "agent/linux/events/handler.h"

namespace sla::linux {
namespace {

bool is_own_field(const Field& field) {
    return field.name.starts_with("__probe_");
}

class FunctionHook final : public Handler {
public:
    FunctionHook(EventFormat format, LaneAccount& account, const std::string& lane, ProbeEdge edge)
        : account_(account), format_(std::move(format)), lane_(lane), edge_(edge) {
        std::erase_if(format_.fields, is_own_field);
        for (Field& field : format_.fields) field.is_address = false;  // what was asked for as a number is one
        for (const Field& field : format_.fields) {
            if (field.shape != Field::Shape::kNumber) continue;
            value_ = field;
            break;
        }
        has_text_ = edge_ != ProbeEdge::kEnd && !format_.fields.empty() && !(format_.fields.size() == 1 && value_.size != 0);
    }
    void take(const Occurrence& at) override {
        Task& task = account_.task_of(at);
        const LaneNumber lane = lane_.in(account_.sink);
        wire::RowExtra extra;
        if (has_text_) format_.append_text(at.record, SLA_TEXT_BYTES, extra.text);
        account_.sink.add_with(lane, task.thread, at.tick, code_of(task, lane), value_.number(at.record), std::move(extra));
    }

private:
    std::uint8_t code_of(Task& task, LaneNumber lane) const {
        const bool has_value = value_.size != 0;
        if (edge_ == ProbeEdge::kBegin) {
            open_span(task.open_functions, lane);
            return has_value ? SLA_CODE_BEGIN_VALUE : SLA_CODE_BEGIN;
        }
        if (edge_ == ProbeEdge::kEnd) {
            close_span(task.open_functions, lane);
            return has_value ? SLA_CODE_END_VALUE : SLA_CODE_END;
        }
        return has_value ? SLA_CODE_TICK_VALUE : SLA_CODE_TICK;
    }

    LaneAccount& account_;
    EventFormat format_;
    LazyLane lane_;
    ProbeEdge edge_;
    Field value_;  // of no size: there is none
    bool has_text_ = false;
};

}  // namespace

HandlerPtr make_function_handler(const EventFormat& format, LaneAccount& account, const std::string& lane, ProbeEdge edge) {
    return std::make_unique<FunctionHook>(format, account, lane, edge);
}

}  // namespace sla::linux
