// Who may come over TLS: a file of the owner's alone, a line each.
//
//   look    token        <SHA-256 of the token>        ann
//   control certificate  <fingerprint of the certificate>  bob
//
// Empty lines and what follows # do not count. A file with a line that cannot be read lets nobody in: it may be the line that
// was to keep somebody out.
#pragma once

#include "agent/stream/role.h"
#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::stream {

// Where an agent's certificate, its key and this list are.
struct TlsFiles {
    std::string certificate;
    std::string key;
    std::string access;
};

struct AccessEntry {
    enum class By { kToken, kCertificate };
    Role role = Role::kLooker;  // or kController
    By by = By::kToken;
    std::string hash;  // of the token, or the certificate's fingerprint
    std::string name;  // for people; no two have the same
    bool operator==(const AccessEntry&) const = default;
};

class AccessList {
public:
    static constexpr std::size_t kMaxEntries = 1000;

    // `name` is for messages.
    static Result<AccessList> parse(std::string_view text, const std::string& name);
    // No such file: an empty list.
    static Result<AccessList> read(const std::string& path);
    [[nodiscard]] Result<void> write(const std::string& path) const;
    [[nodiscard]] std::string text() const;

    [[nodiscard]] const AccessEntry* find_token(std::string_view token) const;
    [[nodiscard]] const AccessEntry* find_certificate(std::string_view fingerprint) const;
    [[nodiscard]] const AccessEntry* find_name(std::string_view name) const;
    [[nodiscard]] const std::vector<AccessEntry>& entries() const { return entries_; }

    Result<void> add(AccessEntry entry);
    bool remove(std::string_view name);
    // "look-2": the first that is free.
    [[nodiscard]] std::string free_name(std::string_view role) const;

private:
    std::vector<AccessEntry> entries_;
};

// "look" or "control", as they are typed and kept.
Result<Role> parse_role(std::string_view word);
std::string_view role_word(Role role);

}  // namespace sla::stream
