// Standard input, output and errors that whoever started the program had closed would be the next files that it opens: words
// for people would go into a capture, or to another machine.
#pragma once

namespace sla {

// Where main begins. What is written to a closed one fails, as before, and goes nowhere else.
void hold_standard_streams();

}  // namespace sla
