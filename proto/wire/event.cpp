#include "proto/wire/event.h"

namespace sla::wire {

const char* kind_name(Kind kind) {
    switch (kind) {
        case Kind::kTick: return "tick";
        case Kind::kBegin: return "begin";
        case Kind::kEnd: return "end";
        case Kind::kLevel: return "level";
        case Kind::kValue: return "value";
        case Kind::kText: return "text";
        case Kind::kGap: return "gap";
    }
    return "tick";
}

const char* loss_cause_name(LossCause cause) {
    switch (cause) {
        case LossCause::kNone: return "";
        case LossCause::kOverrun: return "overrun";
        case LossCause::kLate: return "late";
        case LossCause::kTorn: return "torn";
        case LossCause::kLagged: return "lagged";
        case LossCause::kNoRing: return "no ring";
        case LossCause::kDamaged: return "damaged";
        case LossCause::kLeftOut: return "left out";
        case LossCause::kNoAgent: return "no agent";
        case LossCause::kNotKept: return "not kept";
    }
    return "";
}

LossCause loss_cause_named(std::string_view name) {
    for (int cause = 1; cause <= static_cast<int>(kLastLossCause); ++cause) {
        if (name == loss_cause_name(static_cast<LossCause>(cause))) return static_cast<LossCause>(cause);
    }
    return LossCause::kNone;
}

}  // namespace sla::wire
