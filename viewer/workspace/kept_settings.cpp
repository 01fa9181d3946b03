#include "viewer/workspace/kept_settings.h"

#include "viewer/workspace/files/kept_file.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

using List = std::vector<std::string>;

bool holds(const List& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

// Of a list with the newest first: what is new in it or came to the front, which is all before those that stand as they stood.
List brought_to_front(const List& before, const List& ours) {
    auto stood = before.rbegin();
    auto front = ours.end();
    for (; front != ours.begin(); --front) {
        stood = std::find(stood, before.rend(), *(front - 1));
        if (stood == before.rend()) break;
        ++stood;
    }
    return {ours.begin(), front};
}

List merged_list(const List& before, const List& ours, const List& theirs, std::size_t most) {
    List merged = brought_to_front(before, ours);
    for (const std::string& text : theirs) {
        const bool is_removed = holds(before, text) && !holds(ours, text);
        if (!is_removed && !holds(merged, text)) merged.push_back(text);
    }
    if (merged.size() > most) merged.resize(most);
    return merged;
}

}  // namespace

Settings merged_settings(const Settings& before, const Settings& ours, Settings theirs) {
    const auto take = [](const auto& was, const auto& is, auto& there) {
        if (!(is == was)) there = is;
    };
    take(before.theme, ours.theme, theirs.theme);
    take(before.scale, ours.scale, theirs.scale);
    take(before.motion, ours.motion, theirs.motion);
    take(before.link_sources, ours.link_sources, theirs.link_sources);
    take(before.mouse, ours.mouse, theirs.mouse);
    take(before.splits.names, ours.splits.names, theirs.splits.names);
    take(before.splits.inspector, ours.splits.inspector, theirs.splits.inspector);
    take(before.splits.table, ours.splits.table, theirs.splits.table);
    take(before.splits.inspector_open, ours.splits.inspector_open, theirs.splits.inspector_open);
    take(before.splits.table_open, ours.splits.table_open, theirs.splits.table_open);
    take(before.table_columns, ours.table_columns, theirs.table_columns);
    take(before.table_widths, ours.table_widths, theirs.table_widths);
    take(before.table_places, ours.table_places, theirs.table_places);
    take(before.list_columns, ours.list_columns, theirs.list_columns);
    take(before.memory_mib, ours.memory_mib, theirs.memory_mib);
    take(before.spill_directory, ours.spill_directory, theirs.spill_directory);
    take(before.history_seconds, ours.history_seconds, theirs.history_seconds);
    theirs.recent = merged_list(before.recent, ours.recent, theirs.recent, Settings::kMaxRecent);
    theirs.questions = merged_list(before.questions, ours.questions, theirs.questions, Settings::kMaxQuestions);
    return theirs;
}

Result<Settings> KeptSettings::load() {
    Result<Settings> loaded = load_settings(path_);
    read_ = begun_with_ = loaded ? *loaded : Settings{};
    return loaded;
}

Result<void> KeptSettings::save(const Settings& ours) const {
    const Result<Settings> there = load_settings(path_);
    if (!there) set_aside(path_);
    return save_settings(merged_settings(begun_with_, ours, there ? *there : read_), path_);
}

}  // namespace sla::workspace
