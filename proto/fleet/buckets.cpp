#include "proto/fleet/buckets.h"

#include <string_view>

namespace sla::fleet {

Result<KeyValue> open_bucket(const Connection& connection, const std::string& bucket) {
    KeyValue made;
    const std::uint64_t before = connection.complaints();
    const natsStatus status = js_KeyValue(made.out(), connection.jetstream(), bucket.c_str());
    if (status == NATS_OK) return made;
    return connection.error("cannot open the bucket " + bucket, status, before);
}

Result<std::string> value_of(const Connection& connection, const KeyValue& bucket, const std::string& key) {
    KeyValueEntry entry;
    const std::uint64_t before = connection.complaints();
    const natsStatus status = kvStore_Get(entry.out(), bucket.get(), key.c_str());
    if (status != NATS_OK) return connection.error("cannot read the key " + key, status, before);
    const char* const bytes = static_cast<const char*>(kvEntry_Value(entry.get()));
    return std::string(bytes, static_cast<std::size_t>(kvEntry_ValueLen(entry.get())));
}

Result<std::vector<std::string>> keys_of(const Connection& connection, const std::string& bucket) {
    const std::string begin = "$KV." + bucket + ".";
    const std::string all = begin + ">";
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Info.SubjectsFilter = all.c_str();
    StreamInfo info;
    jsErrCode code = static_cast<jsErrCode>(0);
    const std::uint64_t before = connection.complaints();
    const natsStatus status =
        js_GetStreamInfo(info.out(), connection.jetstream(), ("KV_" + bucket).c_str(), &options, &code);
    if (status != NATS_OK) return connection.error("cannot list the bucket " + bucket, status, before, code);
    std::vector<std::string> keys;
    const jsStreamStateSubjects* const subjects = info->State.Subjects;
    for (int i = 0; subjects != nullptr && i < subjects->Count; ++i) {
        const std::string_view subject = subjects->List[i].Subject;
        if (subject.starts_with(begin)) keys.emplace_back(subject.substr(begin.size()));
    }
    return keys;
}

Result<void> delete_key(const KeyValue& bucket, const std::string& key) {
    const natsStatus status = kvStore_Delete(bucket.get(), key.c_str());
    return status == NATS_OK ? Result<void>() : nats_error("cannot delete the key " + key, status);
}

}  // namespace sla::fleet
