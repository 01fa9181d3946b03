// Where programs are: our sister programs lie beside this one when it was built or installed so, else in PATH; and how a
// shell is given a word.
#pragma once

#include <string>

namespace sla::process {

// "sla-agent" -> its path, or the name itself, for PATH.
std::string sister_program(const std::string& name);
// Is there such a program: at that path, beside us or in PATH?
bool program_exists(const std::string& name);
// One word of a POSIX shell, whatever is in it.
std::string shell_quoted(const std::string& text);

}  // namespace sla::process
