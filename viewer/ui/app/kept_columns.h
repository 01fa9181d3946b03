// What a person made of the columns of the lists behind tabs, kept in the settings as ImGui writes it.
#pragma once

#include "viewer/workspace/settings.h"

namespace sla::ui {

// Into the current ImGui context, before its first frame.
void restore_list_columns(const workspace::Settings& settings);
// From the current ImGui context.
void keep_list_columns(workspace::Settings& settings);

}  // namespace sla::ui
