// Buckets of names and values, which JetStream keeps.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"

#include <string>
#include <vector>

namespace sla::fleet {

using KeyValue = Handle<kvStore, kvStore_Destroy>;
using KeyValueEntry = Handle<kvEntry, kvEntry_Destroy>;

// A bucket of names and values that is there already.
Result<KeyValue> open_bucket(const Connection& connection, const std::string& bucket);
// The value of a key; kNotFound when there is none.
Result<std::string> value_of(const Connection& connection, const KeyValue& bucket, const std::string& key);
// All its keys; in one answer of the servers, so that an agent of a large fleet may ask now and then.
Result<std::vector<std::string>> keys_of(const Connection& connection, const std::string& bucket);
// Forgets a key of it; one that is not there is none the more.
Result<void> delete_key(const KeyValue& bucket, const std::string& key);

}  // namespace sla::fleet
