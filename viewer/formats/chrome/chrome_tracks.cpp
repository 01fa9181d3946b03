#include "viewer/formats/chrome/chrome_tracks.h"

#include "viewer/formats/number_text.h"

namespace sla::formats {

namespace {

// A text, or a number as it is written; empty: neither.
std::string word_of(const Json& event, const char* name) {
    const Json* one = member(event, name);
    return one == nullptr ? "" : one->is_string() ? one->get<std::string>() : one->is_number() ? one->dump() : "";
}

}  // namespace

ChromeTracks::Key ChromeTracks::key_of(const Json& event) {
    return {word_of(event, "pid"), word_of(event, "tid")};
}

std::uint32_t ChromeTracks::source_of(const std::string& pid) {
    const auto at = sources_.find(pid);
    if (at != sources_.end()) return at->second;
    const std::uint32_t source =
        sink_.source(pid.empty() ? "trace" : "process " + pid, read_number<std::uint32_t>(pid).value_or(0));
    sources_.emplace(pid, source);
    return source;
}

// Metadata may stand anywhere, behind the events too.
void ChromeTracks::name_source(const std::string& key, const std::string& name, std::uint32_t pid) {
    const auto at = sources_.find(key);
    if (at == sources_.end()) {
        sources_.emplace(key, sink_.source(name, pid));
    } else {
        sink_.rename_source(at->second, name, pid);
    }
}

void ChromeTracks::name_thread(const Key& key, const std::string& name) {
    thread_names_[key] = name;
    const auto at = tracks_.find(key);
    if (at == tracks_.end() || at->second.ours || name.empty()) return;
    const std::uint32_t source = source_of(key.first);
    sink_.rename_channel(at->second.channel, source, name);
    sink_.rename_thread(at->second.thread, source, name, read_number<std::uint32_t>(key.second).value_or(0));
}

Result<void> ChromeTracks::metadata(const Json& event) {
    const Key key = key_of(event);
    const Json* args = member(event, "args");
    if (args == nullptr) return {};
    const std::string what = text_of(event, "name");
    if (what == "process_name") {
        const std::string name = text_of(*args, "name");
        const std::uint64_t pid =
            member(*args, "pid") != nullptr ? unsigned_of(*args, "pid") : read_number<std::uint32_t>(key.first).value_or(0);
        if (!name.empty()) name_source(key.first, name, static_cast<std::uint32_t>(pid));
    } else if (what == "sla_channel") {
        const std::string name = text_of(*args, "channel");
        const auto channel = sink_.channel(source_of(key.first), name, text_of(*args, "format"));
        if (!channel.ok()) return channel.error();
        channels_[{key.first, name}] = *channel;
    } else if (what == "thread_name" && member(*args, "spans") != nullptr) {
        const auto tid = static_cast<std::uint32_t>(unsigned_of(*args, "tid"));
        threads_[key] = sink_.thread(source_of(key.first), text_of(*args, "thread"), tid);
    } else if (what == "thread_name" && member(*args, "channel") != nullptr) {
        const std::uint32_t source = source_of(key.first);
        const auto channel = sink_.channel(source, text_of(*args, "channel"), text_of(*args, "format"));
        if (!channel.ok()) return channel.error();
        const std::string thread = text_of(*args, "thread");
        const auto tid = static_cast<std::uint32_t>(unsigned_of(*args, "tid"));
        const std::uint32_t number = thread.empty() && tid == 0 ? 0 : sink_.thread(source, thread, tid);
        tracks_[key] = {*channel, number, true};
    } else if (what == "thread_name") {
        name_thread(key, text_of(*args, "name"));
    }
    return {};
}

bool ChromeTracks::is_ours(const Json& event) const {
    const auto at = tracks_.find(key_of(event));
    return at != tracks_.end() && at->second.ours;
}

Result<ChromeTrack> ChromeTracks::of(const Json& event) {
    const Key key = key_of(event);
    const auto at = tracks_.find(key);
    if (at != tracks_.end()) return at->second;
    if (const auto thread = threads_.find(key); thread != threads_.end()) return of_thread(event, thread->second);
    const std::uint32_t source = source_of(key.first);
    const auto named = thread_names_.find(key);
    const std::string name = named == thread_names_.end() ? "" : named->second;
    const auto channel = sink_.channel(source, name.empty() ? "thread " + key.second : name);
    if (!channel.ok()) return channel.error();
    const ChromeTrack track{*channel, sink_.thread(source, name, read_number<std::uint32_t>(key.second).value_or(0)), false};
    tracks_.emplace(key, track);
    return track;
}

Result<ChromeTrack> ChromeTracks::of_thread(const Json& event, std::uint32_t thread) {
    const Key named{key_of(event).first, text_of(event, "name")};
    if (const auto known = channels_.find(named); known != channels_.end()) return ChromeTrack{known->second, thread, true};
    const auto channel = sink_.channel(source_of(named.first), named.second);
    if (!channel.ok()) return channel.error();
    channels_.emplace(named, *channel);
    return ChromeTrack{*channel, thread, true};
}

Result<ChromeTrack> ChromeTracks::of_counter(const Json& event, const std::string& series) {
    const Key key = key_of(event);
    std::string name = text_of(event, "name");
    if (const std::string id = word_of(event, "id"); !id.empty())
        name += "[" + id + "]";  // names alone tell no counters apart
    const auto channel = sink_.channel(source_of(key.first), series.empty() ? name : name + "." + series);
    if (!channel.ok()) return channel.error();
    return ChromeTrack{*channel, 0, false};
}

}  // namespace sla::formats
