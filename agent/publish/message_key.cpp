#include "agent/publish/message_key.h"

#include "proto/common/tls/secret.h"

namespace sla::publish {

fleet::MessageId with_key(fleet::MessageId id, const std::string& secret) {
    if (!secret.empty()) id.boot += "-" + tls::hash_of(secret + id.text()).substr(0, kKeyDigits);
    return id;
}

}  // namespace sla::publish
