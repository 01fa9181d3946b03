#include "emu/pmc/p5_pipes.h"

namespace sla::pmc {

bool P5Pipes::pairs(const P5Instruction& u, const P5Instruction& v) {
    const bool u_may = u.pairing == Pairing::kEither || u.pairing == Pairing::kOnlyU;
    const bool v_may = v.pairing == Pairing::kEither || v.pairing == Pairing::kOnlyV;
    const bool independent = (u.writes & (v.reads | v.writes)) == 0;
    return u_may && v_may && independent && !u.displacement_and_immediate && !v.displacement_and_immediate;
}

void P5Pipes::run(const P5Instruction& instruction) {
    in_v_ = u_ && pairs(*u_, instruction);
    accessed_ = false;
    if (in_v_) {
        ++counts_.in_v_pipe;
        u_.reset();
        written_ |= instruction.writes;
    } else {
        u_ = instruction;
        u_address_.reset();
        written_before_ = written_;
        written_ = instruction.writes;
        waited_ = false;
    }
    if ((instruction.address & written_before_) == 0 || waited_) return;
    ++counts_.address_interlock_clocks;
    waited_ = true;
}

void P5Pipes::access(std::uint32_t address) {
    constexpr std::uint32_t kBank = 0x1C;
    if (accessed_) return;
    accessed_ = true;
    if (!in_v_) {
        u_address_ = address;
    } else if (u_address_) {
        ++counts_.memory_in_both_pipes;
        if ((*u_address_ & kBank) == (address & kBank)) ++counts_.bank_conflicts;
    }
}

void P5Pipes::clear() {
    u_.reset();
    u_address_.reset();
    in_v_ = accessed_ = waited_ = false;
    written_ = written_before_ = 0;
}

void P5Pipes::visit_state(bus::StateVisitor& state) {
    bool waits = u_.has_value();
    state.field("u", waits);
    if (state.loads()) u_ = waits ? std::optional(P5Instruction{}) : std::nullopt;
    if (u_) {
        state.field("u.pairing", u_->pairing, static_cast<unsigned>(Pairing::kNever));
        state.field("u.reads", u_->reads);
        state.field("u.writes", u_->writes);
        state.field("u.address", u_->address);
        state.field("u.displacement_and_immediate", u_->displacement_and_immediate);
    }
    state.field("in_v", in_v_);
    state.field("accessed", accessed_);
    state.field("waited", waited_);
    state.field("u_access", u_address_);
    state.field("written", written_);
    state.field("written_before", written_before_);
}

}  // namespace sla::pmc
