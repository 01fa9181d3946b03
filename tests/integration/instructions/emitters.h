// One instruction of a class each.
#pragma once

#include "tests/integration/instructions/assembly.h"

namespace sla::instructions {

void emit_alu(Assembly& code);
void emit_shift(Assembly& code);
void emit_multiply(Assembly& code);
void emit_string(Assembly& code);
void emit_decimal(Assembly& code);
void emit_bits(Assembly& code);
void emit_move(Assembly& code);
void emit_stack(Assembly& code);
void emit_flow(Assembly& code);
void emit_segment(Assembly& code);
void emit_privileged(Assembly& code);
// Of any class but the last two.
void emit_any(Assembly& code);
// Of those with operands in memory that limits can refuse.
void emit_access(Assembly& code);

}  // namespace sla::instructions
