// Ctrl-C and its relatives (SIGINT, SIGTERM, SIGHUP), noticed instead of dying, so that files are finished or removed. A
// closed pipe (SIGPIPE) and a file grown too large (SIGXFSZ) are errors of write, not a death.
#pragma once

namespace sla::cli {

// Once, at the start of main.
void catch_interrupts();

// The signal that asked us to stop; 0: none did.
int interrupted();
// What it stopped is over, and the program goes on: a prompt.
void forget_interrupts();
// Was it sent to us alone (kill), and not to everything on the terminal (Ctrl-C)?
bool interrupted_alone();

}  // namespace sla::cli
