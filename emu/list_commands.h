// `sla-emu cpus` and `sla-emu counters`: what this build on this machine can do.
#pragma once

namespace sla::emu {

// Makes each CPU, which tests itself; prints whether it works, or why not.
int list_cpus();

// The events of the Pentium's counters, each exact or not offered.
int list_counters();

}  // namespace sla::emu
