// A connection to a fleet's servers, and JetStream over it: libnats with its errors as Result and its objects owned.
//
// libnats reconnects by itself, to any of the servers, for as long as the connection lives; what is asked meanwhile fails or
// waits. Only a connection that the servers refuse (wrong password) is closed for good: is_closed(). Its own threads read and
// flush; everything here may be called from any thread.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/inboxes.h"
#include "proto/fleet/servers.h"

#include <nats/nats.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sla::fleet {

// Owns what libnats gives: Handle<natsMsg, natsMsg_Destroy> message;  natsMsg_Create(message.out(), ...)
template <typename Object, void (*Destroy)(Object*)>
class Handle {
public:
    Handle() = default;
    explicit Handle(Object* object) : object_(object) {}
    Handle(Handle&& other) noexcept : object_(other.release()) {}
    Handle& operator=(Handle&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~Handle() { reset(); }

    [[nodiscard]] Object* get() const { return object_; }
    Object* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }
    Object* release() {
        Object* const object = object_;
        object_ = nullptr;
        return object;
    }
    void reset(Object* object = nullptr) {
        Object* const old = object_;
        object_ = object;
        if (old != nullptr) Destroy(old);
    }
    // For calls that put an object there.
    Object** out() {
        reset();
        return &object_;
    }
    // For calls that may take it away.
    Object** address() { return &object_; }

private:
    Object* object_ = nullptr;
};

using Message = Handle<natsMsg, natsMsg_Destroy>;
using JetStream = Handle<jsCtx, jsCtx_Destroy>;
using StreamInfo = Handle<jsStreamInfo, jsStreamInfo_Destroy>;

// "WHAT: why", by what libnats says of this thread's last call. `code` is JetStream's own, 0 when there is none.
Error nats_error(const std::string& what, natsStatus status, jsErrCode code = static_cast<jsErrCode>(0));

struct ConnectOptions {
    Servers servers;
    Credentials credentials;                     // and with_environment
    std::string client = "sla";                  // how the servers show us
    std::chrono::milliseconds wait{2000};        // for each server
    std::chrono::milliseconds api_wait{5000};    // for answers of JetStream
    std::chrono::milliseconds ping_every{2000};  // a server that is gone without a word is left when the third is due
    bool sends_at_once = false;                  // by the thread that says it: soonest on the wire, dearest a message
};

class Connection {
public:
    // Tries every server once.
    static Result<std::unique_ptr<Connection>> open(const ConnectOptions& wanted);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] natsConnection* get() const { return connection_; }
    // For calls with the usual options; lives as long as the connection.
    [[nodiscard]] jsCtx* jetstream() const { return jetstream_.get(); }
    // Another one, with options of its own; it must not outlive the connection.
    Result<JetStream> make_jetstream(jsOptions& options) const;

    [[nodiscard]] bool is_connected() const;
    [[nodiscard]] bool is_closed() const;
    // What a server said of us last, on its own account (a permission that we lack); empty: nothing.
    [[nodiscard]] std::string last_complaint() const;
    // What it said since so many complaints of what was sent there, or of all answers; empty: nothing.
    [[nodiscard]] std::string complaint_about(const std::string& subject, std::uint64_t complaints_before) const;
    // How often servers did that so far: to be taken before a question is asked, for the next two.
    [[nodiscard]] std::uint64_t complaints() const;
    // That we lack a permission was said last since the question: it is not answered, however long one waits.
    [[nodiscard]] bool lacks_permission(std::uint64_t complaints_before) const;
    // As nats_error; of a question that was not answered, with what the server said of it. `about`: what is in its subject, where
    // other questions were on their way.
    [[nodiscard]] Error error(const std::string& what, natsStatus status, std::uint64_t complaints_before,
                              jsErrCode code = static_cast<jsErrCode>(0), std::string_view about = {}) const;
    // Of a message's body with its headers.
    [[nodiscard]] std::uint64_t max_payload() const;
    [[nodiscard]] Inboxes& inboxes() const { return *inboxes_; }

private:
    Connection() = default;

    natsConnection* connection_ = nullptr;
    JetStream jetstream_;
    std::unique_ptr<Inboxes> inboxes_ = std::make_unique<Inboxes>();
};

// Publishes without a stream in mind: nobody acknowledges it. With `reply` whoever answers does it there.
Result<void> publish(const Connection& connection, const std::string& subject, std::string_view body,
                     const std::string& reply = "");
// Into a bucket's key, where nobody has said anything yet: what stands there stays.
Result<void> publish_first(const Connection& connection, const std::string& subject, std::string_view body);
// A subject of our own for answers, which nobody can guess.
std::string new_inbox();

}  // namespace sla::fleet
