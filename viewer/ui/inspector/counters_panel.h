// Counters, live: a process (of a marked program, an emulated PC, any other), events by name with their meaning, a strip and a
// rate for each, what the spans of a channel count, ratios, and a log to a file. Counts only while it is shown, or a log runs.
#pragma once

#include "viewer/counters/event.h"
#include "viewer/ui/widgets/context.h"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace sla::ui {

class CountersPanel {
public:
    void draw(Context& context, const Rect& place);
    // It is not shown: what is counted for nobody stops.
    static void rest(Context& context);

    // What is looked at, as typed and chosen; tests and actions set them too.
    void choose_process(std::string process) {
        process_ = std::move(process);
        is_chosen_ = true;
    }
    void choose_events(std::set<std::string> names) { chosen_ = std::move(names); }
    // A channel whose spans are counted apart; "": the whole process.
    void choose_section(const std::string& channel) { section_ = section_typed_ = channel; }
    void choose_every(std::chrono::milliseconds interval) { every_ = interval; }

private:
    struct Offered {
        counters::Event event;
        std::string absence;  // why it cannot be counted; empty: it can
    };
    void begin();
    void draw_process(Context& context);
    void draw_section_choice(Context& context);
    void draw_choice(Context& context);
    void draw_offered(Context& context, counters::World world);
    void draw_strips(Context& context);
    void draw_strip(Context& context, std::size_t event);
    void draw_ratios(Context& context);
    static void draw_section(Context& context);
    void draw_log(Context& context);
    void choose_only_guest(const Context& context);
    void find_process();
    [[nodiscard]] CounterWatch::Target target() const;

    std::string process_;     // typed: a number
    bool is_chosen_ = false;  // by a person; else the only emulated PC that runs is taken
    double looks_at_ = 0;     // for one, again: seconds, as frames count them
    std::string looked_up_;   // what the next three are about
    int number_ = 0;          // 0: none, or not to be read
    bool is_guest_ = false;   // an emulated PC
    std::string problem_;
    std::string section_typed_;
    std::string section_;           // what was typed, once it is whole
    std::vector<Offered> offered_;  // of this machine and of the Pentium; made when the panel is first shown
    std::set<std::string> chosen_;  // names
    std::string filter_;            // of the choice
    std::chrono::milliseconds every_{1000};
    std::string log_;  // path
    std::string log_problem_;
};

}  // namespace sla::ui
