// What a section counted up to now: rows to show, and totals to log.
//
//   emulated PC      the watch's job asks at its control socket, look by look
//   marked program   MarkedSectionWatch takes the channel's new rows from the session, once a frame
#pragma once

#include "viewer/counters/marked_section.h"
#include "viewer/counters/process_counts.h"
#include "viewer/counters/section_table.h"
#include "viewer/store/session.h"

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sla::workspace {

struct SectionLook {
    std::vector<counters::Row> rows;  // a row an event, then the ratios
    counters::EventCounts totals;     // how many spans ended, then the sum of each event
    std::string problem;              // why there is nothing; "" while all is well
};

// Of the section alone, without what else the table holds.
SectionLook look_of(const counters::SectionTable& table, const std::string& section,
                    std::span<const counters::Event> events);

// A section of a marked program that runs, from the moment on when it is first looked at. Owner: the window's thread.
class MarkedSectionWatch {
public:
    // That channel of that process. What keeps it from being counted is in look().
    MarkedSectionWatch(pid_t process, std::string section);

    // Once a frame; a range of rows each time.
    void take(const store::Session& session);
    [[nodiscard]] SectionLook look() const;
    // What the program's markers read.
    [[nodiscard]] const std::vector<counters::Event>& events() const { return events_; }

private:
    // Of the section and of the empty one beside it.
    struct Lane {
        std::string name;
        std::optional<counters::MarkedSection> spans;  // once there is such a lane
    };
    void take_lane(const store::Session& session, Lane& of);

    pid_t process_;
    std::vector<counters::Event> events_;
    std::string problem_;
    std::vector<Lane> lanes_;
    bool first_ = true;
    counters::SectionTable table_;
};

}  // namespace sla::workspace
