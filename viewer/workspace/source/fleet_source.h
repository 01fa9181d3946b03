// A fleet as a source: opened by a job beside the window, all that is there by its summaries, and then followed.
//
//   opened   pages, rows in the cluster ┄┄┄┄┄┄┄┄┄┄┄├── rows in memory, as they are published ──►
//   anew     pages, rows in the cluster ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├── rows in memory ──►
//
// Where the rows in memory become many, a host begins another capture, or one comes that was not there, all is opened anew
// beside this one, which that then takes the place of (DataSource::take_longer): rows never change their places in a session.
#pragma once

#include "viewer/workspace/source/data_source.h"

#include <memory>
#include <string>

namespace sla::workspace {

std::unique_ptr<DataSource> make_fleet_source(const std::string& address);

}  // namespace sla::workspace
