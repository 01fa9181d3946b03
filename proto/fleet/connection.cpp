#include "proto/fleet/connection.h"

#include "proto/fleet/plain_words.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace sla::fleet {
namespace {

using Options = Handle<natsOptions, natsOptions_Destroy>;

constexpr std::int64_t kReconnectWaitMs = 250;
// A server that reads nothing more (stopped, or its disk is full) holds whoever writes so long, then he goes to the next.
constexpr std::int64_t kWriteDeadlineMs = 3000;
constexpr int kReconnectBufferBytes = 1 << 20;
// Without its signature one proof of a user's key in 256 is sent: libnats 3.4.1 takes a signature that begins with a zero byte for
// none, and servers refuse it. The next try is of another challenge.
constexpr int kTriesWithAKey = 4;

bool is_tls(const Servers& servers, const Credentials& files) {
    return servers.is_tls || !files.authorities.empty() || !files.certificate.empty();
}

natsStatus let_in(natsOptions* options, const Servers& servers, const Credentials& files) {
    natsStatus status = NATS_OK;
    if (servers.has_password) {
        status = natsOptions_SetUserInfo(options, servers.user.c_str(), servers.password.c_str());
    } else if (!servers.user.empty()) {
        status = natsOptions_SetToken(options, servers.user.c_str());
    }
    if (status == NATS_OK && !files.creds.empty())
        status = natsOptions_SetUserCredentialsFromFiles(options, files.creds.c_str(), nullptr);
    if (status == NATS_OK && is_tls(servers, files)) status = natsOptions_SetSecure(options, true);
    if (status == NATS_OK && !files.authorities.empty())
        status = natsOptions_LoadCATrustedCertificates(options, files.authorities.c_str());
    if (status == NATS_OK && !files.certificate.empty())
        status = natsOptions_LoadCertificatesChain(options, files.certificate.c_str(), files.key.c_str());
    return status;
}

natsStatus describe(natsOptions* options, const ConnectOptions& wanted) {
    const std::vector<std::string> urls = wanted.servers.urls();
    std::vector<const char*> list;
    for (const std::string& url : urls) list.push_back(url.c_str());
    natsStatus status = natsOptions_SetServers(options, list.data(), static_cast<int>(list.size()));
    if (status == NATS_OK) status = natsOptions_SetName(options, wanted.client.c_str());
    if (status == NATS_OK) status = natsOptions_SetTimeout(options, wanted.wait.count());
    if (status == NATS_OK) status = natsOptions_SetMaxReconnect(options, -1);
    if (status == NATS_OK) status = natsOptions_SetReconnectWait(options, kReconnectWaitMs);
    if (status == NATS_OK) status = natsOptions_SetPingInterval(options, wanted.ping_every.count());
    if (status == NATS_OK) status = natsOptions_SetMaxPingsOut(options, 2);
    if (status == NATS_OK) status = natsOptions_SetWriteDeadline(options, kWriteDeadlineMs);
    if (status == NATS_OK) status = natsOptions_SetReconnectBufSize(options, kReconnectBufferBytes);
    if (status == NATS_OK) status = natsOptions_SetSendAsap(options, wanted.sends_at_once);
    return status == NATS_OK ? let_in(options, wanted.servers, wanted.credentials) : status;
}

natsStatus connect(natsConnection** made, natsOptions* options, bool has_key) {
    natsStatus status = natsConnection_Connect(made, options);
    for (int tries = 1; status == NATS_CONNECTION_AUTH_FAILED && has_key && tries < kTriesWithAKey; ++tries)
        status = natsConnection_Connect(made, options);
    return status;
}

// What servers said on their own account. libnats reports it on a thread of its own, maybe after the connection is
// gone, and without a handler it would write it to standard error.
class Complaints {
public:
    void begin(natsConnection* connection) {
        std::lock_guard lock(mutex_);
        said_[connection] = "";
    }
    void end(natsConnection* connection) {
        std::lock_guard lock(mutex_);
        said_.erase(connection);
    }
    void add(natsConnection* connection, const char* text) {
        std::lock_guard lock(mutex_);
        if (const auto at = said_.find(connection); at != said_.end()) at->second = text;
    }
    std::string of(natsConnection* connection) {
        std::lock_guard lock(mutex_);
        const auto at = said_.find(connection);
        return at == said_.end() ? "" : at->second;
    }
    // Never destroyed: libnats' threads end with the process.
    static Complaints& all() {
        static Complaints& kAll = *new Complaints;
        return kAll;
    }

private:
    std::mutex mutex_;
    std::map<natsConnection*, std::string> said_;  // under mutex_
};

void on_error(natsConnection* connection, natsSubscription* /*subscription*/, natsStatus status, void* /*closure*/) {
    const char* said = nullptr;
    if (natsConnection_GetLastError(connection, &said) == NATS_OK || said == nullptr || *said == '\0')
        said = natsStatus_GetText(status);
    Complaints::all().add(connection, said);
}

std::string advice(natsStatus status) {
    switch (status) {
        case NATS_CONNECTION_AUTH_FAILED: return "; check user, password, token or the file of credentials";
        case NATS_NO_SERVER: return "; is nats-server running there, and reachable?";
        case NATS_NO_RESPONDERS: return "; is JetStream on there (nats-server -js, or jetstream in its configuration)?";
        case NATS_SECURE_CONNECTION_REQUIRED: return "; write tls:// instead of nats://";
        case NATS_SECURE_CONNECTION_WANTED:
            return "; that server has no TLS: write nats:// instead of tls://, without --nats-ca and --nats-cert ($NATS_CA, "
                   "$NATS_CERT), or set TLS up there";
        default: return "";
    }
}

}  // namespace

Error nats_error(const std::string& what, natsStatus status, jsErrCode code) {
    natsStatus last = NATS_OK;
    const char* const said = nats_GetLastError(&last);
    std::string why = natsStatus_GetText(status);
    if (last == status && said != nullptr && *said != '\0') why = plain_words(said);
    if (code != 0) why += fmt::format(" (JetStream error {})", static_cast<int>(code));
    const ErrorCode kind = status == NATS_NOT_FOUND || code == JSStreamNotFoundErr || code == JSNoMessageFoundErr
                               ? ErrorCode::kNotFound
                               : ErrorCode::kUnavailable;
    return {kind, what + ": " + why + advice(status)};
}

Result<std::unique_ptr<Connection>> Connection::open(const ConnectOptions& wanted) {
    ConnectOptions options = wanted;
    options.credentials = with_environment(wanted.credentials);
    std::unique_ptr<Connection> connection(new Connection());
    Options described;
    natsStatus status = natsOptions_Create(described.out());
    if (status == NATS_OK) status = describe(described.get(), options);
    if (status == NATS_OK) status = natsOptions_SetErrorHandler(described.get(), on_error, nullptr);
    const auto failed = [&](const char* what) {
        Error error = nats_error(what + options.servers.text(), status);
        if (is_tls(options.servers, options.credentials) || error.message.find("SSL") != std::string::npos)
            error.message += advice_on_tls(error.message, !options.credentials.certificate.empty());
        return error;
    };
    if (status != NATS_OK) return failed("cannot prepare a connection to ");
    status = connect(&connection->connection_, described.get(), !options.credentials.creds.empty());
    if (status != NATS_OK) return failed("cannot connect to ");
    Complaints::all().begin(connection->connection_);
    jsOptions usual;
    jsOptions_Init(&usual);
    usual.Wait = options.api_wait.count();
    Result<JetStream> jetstream = connection->make_jetstream(usual);
    if (!jetstream) return jetstream.error();
    connection->jetstream_ = std::move(*jetstream);
    return connection;
}

Connection::~Connection() {
    jetstream_.reset();
    if (connection_ == nullptr) return;
    Complaints::all().end(connection_);
    natsConnection_Close(connection_);
    inboxes_.reset();
    natsConnection_Destroy(connection_);
}

Result<JetStream> Connection::make_jetstream(jsOptions& options) const {
    JetStream made;
    const natsStatus status = natsConnection_JetStream(made.out(), connection_, &options);
    if (status != NATS_OK) return nats_error("cannot use JetStream", status);
    return made;
}

bool Connection::is_connected() const {
    return natsConnection_Status(connection_) == NATS_CONN_STATUS_CONNECTED;
}

bool Connection::is_closed() const {
    return natsConnection_IsClosed(connection_);
}

std::string Connection::last_complaint() const {
    return Complaints::all().of(connection_);
}

bool Connection::lacks_permission() const {
    return last_complaint().find("Permissions Violation") != std::string::npos;
}

Error Connection::error(const std::string& what, natsStatus status, jsErrCode code) const {
    Error failed = nats_error(what, status, code);
    if (status == NATS_TIMEOUT && lacks_permission())
        failed.message =
            what + ": " + last_complaint() + "; `sla fleet setup` prints the permissions that agents and readers need";
    return failed;
}

std::uint64_t Connection::max_payload() const {
    const std::int64_t bytes = natsConnection_GetMaxPayload(connection_);
    return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

Result<void> publish(const Connection& connection, const std::string& subject, std::string_view body,
                     const std::string& reply) {
    const auto bytes = static_cast<int>(body.size());
    const natsStatus status =
        reply.empty() ? natsConnection_Publish(connection.get(), subject.c_str(), body.data(), bytes)
                      : natsConnection_PublishRequest(connection.get(), subject.c_str(), reply.c_str(), body.data(), bytes);
    return status == NATS_OK ? Result<void>() : nats_error("cannot publish " + subject, status);
}

std::string new_inbox() {
    natsInbox* inbox = nullptr;
    if (natsInbox_Create(&inbox) != NATS_OK) throw std::bad_alloc();
    std::string name = inbox;
    natsInbox_Destroy(inbox);
    return name;
}

Result<KeyValue> open_bucket(const Connection& connection, const std::string& bucket) {
    KeyValue made;
    const natsStatus status = js_KeyValue(made.out(), connection.jetstream(), bucket.c_str());
    if (status == NATS_OK) return made;
    return connection.error("cannot open the bucket " + bucket, status);
}

Result<std::string> value_of(const Connection& connection, const KeyValue& bucket, const std::string& key) {
    KeyValueEntry entry;
    const natsStatus status = kvStore_Get(entry.out(), bucket.get(), key.c_str());
    if (status != NATS_OK) return connection.error("cannot read the key " + key, status);
    const char* const bytes = static_cast<const char*>(kvEntry_Value(entry.get()));
    return std::string(bytes, static_cast<std::size_t>(kvEntry_ValueLen(entry.get())));
}

Result<std::vector<std::string>> keys_of(const Connection& connection, const std::string& bucket) {
    const std::string before = "$KV." + bucket + ".";
    const std::string all = before + ">";
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Info.SubjectsFilter = all.c_str();
    StreamInfo info;
    jsErrCode code = static_cast<jsErrCode>(0);
    const natsStatus status =
        js_GetStreamInfo(info.out(), connection.jetstream(), ("KV_" + bucket).c_str(), &options, &code);
    if (status != NATS_OK) return connection.error("cannot list the bucket " + bucket, status, code);
    std::vector<std::string> keys;
    const jsStreamStateSubjects* const subjects = info->State.Subjects;
    for (int i = 0; subjects != nullptr && i < subjects->Count; ++i) {
        const std::string_view subject = subjects->List[i].Subject;
        if (subject.starts_with(before)) keys.emplace_back(subject.substr(before.size()));
    }
    return keys;
}

Result<void> delete_key(const KeyValue& bucket, const std::string& key) {
    const natsStatus status = kvStore_Purge(bucket.get(), key.c_str(), nullptr);
    return status == NATS_OK ? Result<void>() : nats_error("cannot delete the key " + key, status);
}

}  // namespace sla::fleet
