// In which order a bucket's keys are written. A server that stood still, or whose network was cut, may pass a word on long after
// it was said; it must not replace a newer one. So each says which entry of its key it follows, and the servers refuse it when
// another one came in between.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sla::publish {

class KeyOrder {
public:
    // The newest entry of the key as far as is known, by its place in the stream. 0: there is none. Nothing: it may be any.
    [[nodiscard]] std::optional<std::uint64_t> newest(const std::string& subject) const;
    void set_stored(const std::string& subject, std::uint64_t sequence);
    // Another one is the newest; which one, the servers say at the end of `why`.
    void set_refused(const std::string& subject, std::string_view why);

private:
    mutable std::mutex mutex_;  // answers come on a thread of libnats
    std::map<std::string, std::optional<std::uint64_t>> newest_;
};

}  // namespace sla::publish
