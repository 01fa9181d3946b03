// What we started, and what that started: a shell script, and the commands that it runs. Those of them that Ctrl-C reaches, which
// are in our process group, can be sent a signal that came to us alone.
//
// A process whose parent has ended is given to the next one above that adopts such. Once we do, nothing below us is lost sight
// of; since nobody else asks how those ended, we do now and then, in reap_orphans().
#pragma once

#include <sys/types.h>

#include <vector>

namespace sla::process {

// From now on, for the whole process.
void adopt_orphans();
// Of those that have ended. `awaited` are children that somebody else here asks about.
void reap_orphans(const std::vector<pid_t>& awaited);

// What is below us in our process group, what started something before that; nothing of these `others` and below them. What is
// started meanwhile may be missing.
std::vector<pid_t> descendants_in_our_group(const std::vector<pid_t>& others);

}  // namespace sla::process
