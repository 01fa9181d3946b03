// The commands that look after capture files.
#pragma once

#include "viewer/cli/command.h"

namespace sla::cli {

void add_verify(CLI::App& app, int& code);
void add_cut(CLI::App& app, int& code);
void add_merge(CLI::App& app, int& code);
void add_compare(CLI::App& app, int& code);

}  // namespace sla::cli
