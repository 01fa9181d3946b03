#include "agent/source/directory.h"

#include <algorithm>

namespace sla::source {

// Once all ids were given they begin again, with those that nobody has.
template <typename Key, typename Id>
Id Directory::Names<Key, Id>::free_id() {
    for (;;) {
        const Id id{next++};
        if (next == ~std::uint32_t{0}) {
            next = 1;
            begins_again = true;
        }
        if (!begins_again) return id;
        const bool is_taken = std::any_of(known.begin(), known.end(), [id](const auto& one) { return one.second == id; });
        if (!is_taken) return id;
    }
}

template <typename Key, typename Id>
Known<Id> Directory::Names<Key, Id>::look_up(Key key) {
    const auto at = known.find(key);
    if (at != known.end()) return {at->second, false};
    const Id id = free_id();
    known.emplace(std::move(key), id);
    return {id, true};
}

Known<SourceId> Directory::source(std::uint64_t segment_id, std::uint64_t start_time) {
    const std::pair key{segment_id, start_time};
    const Known<SourceId> known = sources_.look_up(key);
    if (known.is_new) keys_[known.id] = key;
    return known;
}

Known<ChannelId> Directory::channel(SourceId source, const std::string& name) {
    return channels_.look_up({source, name});
}

Known<ThreadId> Directory::thread(SourceId source, std::uint32_t tid, const std::string& name) {
    return threads_.look_up({source, tid, name});
}

void Directory::forget(SourceId source) {
    const auto key = keys_.find(source);
    if (key == keys_.end()) return;
    sources_.known.erase(key->second);
    keys_.erase(key);
    const SourceId behind{source.value + 1};
    channels_.known.erase(channels_.known.lower_bound({source, ""}), channels_.known.lower_bound({behind, ""}));
    threads_.known.erase(threads_.known.lower_bound({source, 0, ""}), threads_.known.lower_bound({behind, 0, ""}));
}

}  // namespace sla::source
