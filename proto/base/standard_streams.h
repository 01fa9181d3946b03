// Standard input, output and errors that whoever started the program had closed would be the next files that it opens: words
// for people would go into a capture, or to another machine.
#pragma once

namespace sla {

// Where main begins. What is written to a closed one fails, as before, and goes nowhere else.
void hold_standard_streams();

// Where a program has written all that it has to say. A reader that has seen enough is no error; else the exit code is 3, and
// the program says why, by errno: it was 0 before all that was written.
int finish_standard_output(const char* program);

}  // namespace sla
