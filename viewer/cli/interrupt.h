// Ctrl-C and its relatives (SIGINT, SIGTERM, SIGHUP), noticed instead of dying, so that files are finished or removed. A
// closed pipe (SIGPIPE) and a file grown too large (SIGXFSZ) are errors of write, not a death.
#pragma once

#include "viewer/process/child.h"

namespace sla::cli {

// Once, at the start of main.
void catch_interrupts();

// The signal that asked us to stop; 0: none did.
int interrupted();
// What it stopped is over, and the program goes on: a prompt.
void forget_interrupts();
// Was it sent to us alone (kill), and not to everything on the terminal (Ctrl-C)?
bool interrupted_alone();
// The same for a program that we ran, once we are interrupted: it gets that signal, unless the terminal has sent it, and
// SIGKILL when it still runs 5 s later.
process::Ending end_interrupted(process::Child& program);

}  // namespace sla::cli
