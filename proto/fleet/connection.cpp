#include "proto/fleet/connection.h"

#include "proto/fleet/complaints.h"
#include "proto/fleet/plain_words.h"

#include <fmt/format.h>

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
    if (status == NATS_OK) status = natsOptions_SetErrorHandler(described.get(), Complaints::note, nullptr);
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

std::string Connection::complaint_about(const std::string& subject, std::uint64_t complaints_before) const {
    return Complaints::all().about(connection_, subject, complaints_before);
}

std::uint64_t Connection::complaints() const {
    return Complaints::all().count(connection_);
}

bool Connection::lacks_permission(std::uint64_t complaints_before) const {
    return Complaints::all().of(connection_, {}, complaints_before).find("Permissions Violation") != std::string::npos;
}

Error Connection::error(const std::string& what, natsStatus status, std::uint64_t complaints_before, jsErrCode code,
                        std::string_view about) const {
    Error failed = nats_error(what, status, code);
    if (status == NATS_TIMEOUT && lacks_permission(complaints_before))
        failed.message = what + ": " + Complaints::all().of(connection_, about, complaints_before) +
                         "; `sla fleet setup` prints the permissions that agents and readers need";
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

Result<void> publish_first(const Connection& connection, const std::string& subject, std::string_view body) {
    Message message;
    natsStatus status = natsMsg_Create(message.out(), subject.c_str(), nullptr, body.data(), static_cast<int>(body.size()));
    if (status == NATS_OK) status = natsMsgHeader_Set(message.get(), "Nats-Expected-Last-Subject-Sequence", "0");
    if (status == NATS_OK) status = natsConnection_PublishMsg(connection.get(), message.get());
    return status == NATS_OK ? Result<void>() : nats_error("cannot publish " + subject, status);
}

std::string new_inbox() {
    natsInbox* inbox = nullptr;
    if (natsInbox_Create(&inbox) != NATS_OK) throw std::bad_alloc();
    std::string name = inbox;
    natsInbox_Destroy(inbox);
    return name;
}

}  // namespace sla::fleet
