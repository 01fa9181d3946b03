#include "agent/publish/key_order.h"

#include "proto/base/text.h"

#include <algorithm>

namespace sla::publish {

std::optional<std::uint64_t> KeyOrder::newest(const std::string& subject) const {
    std::lock_guard lock(mutex_);
    const auto at = newest_.find(subject);
    return at == newest_.end() ? std::optional<std::uint64_t>(0) : at->second;
}

void KeyOrder::set_stored(const std::string& subject, std::uint64_t sequence) {
    std::lock_guard lock(mutex_);
    std::optional<std::uint64_t>& newest = newest_[subject];
    newest = std::max(newest.value_or(0), sequence);  // answers come in any order
}

void KeyOrder::set_refused(const std::string& subject, std::string_view why) {
    std::lock_guard lock(mutex_);
    const std::size_t blank = why.find_last_of(' ');
    newest_[subject] = whole_number<std::uint64_t>(blank == std::string_view::npos ? why : why.substr(blank + 1));
}

}  // namespace sla::publish
