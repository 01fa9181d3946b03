#include "viewer/formats/chrome/event_list.h"

#include <utility>

namespace sla::formats {

bool EventList::is_time() const {
    if (open_.empty() || !open_.back().json.is_object()) return false;
    const std::string& key = open_.back().key;
    const std::size_t of_event = is_bare_list_ ? 2 : 3;
    if (open_.size() == of_event + 1) return key == "until_us";
    return open_.size() == of_event && (key == "ts" || key == "dur");
}

bool EventList::is_in_list() const {
    if (is_bare_list_) return open_.size() == 1;
    return open_.size() == 2 && open_.front().key == "traceEvents" && open_.back().json.is_array();
}

bool EventList::open(Json json) {
    if (open_.empty()) is_bare_list_ = json.is_array();
    open_.push_back({std::move(json), {}});
    if (open_.size() > kDeepest) problem_ = damaged("it is nested too deeply");
    return problem_.ok();
}

bool EventList::close() {
    Json closed = std::move(open_.back().json);
    open_.pop_back();
    return put(std::move(closed));
}

bool EventList::put(Json value) {
    if (open_.empty()) return true;
    if (is_in_list()) {
        if (value.is_object()) {
            problem_ = takers_.event(value);
        } else {
            takers_.no_event();
        }
        return problem_.ok();
    }
    Open& outer = open_.back();
    if (open_.size() == 1) {
        if (outer.key == "otherData") takers_.other_data(value);
    } else if (outer.json.is_array()) {
        outer.json.push_back(std::move(value));
    } else {
        outer.json[outer.key] = std::move(value);
    }
    return true;
}

}  // namespace sla::formats
