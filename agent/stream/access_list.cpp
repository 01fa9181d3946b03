#include "agent/stream/access_list.h"

#include "proto/base/text.h"
#include "proto/common/tls/private_file.h"
#include "proto/common/tls/secret.h"
#include "proto/wire/address.h"

#include <algorithm>

namespace sla::stream {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kWords = 4;

bool is_name(std::string_view name) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-";
    return !name.empty() && name.size() <= kMaxName && name.front() != '-' &&
           name.find_first_not_of(kAllowed) == std::string_view::npos;
}

Result<AccessEntry> parse_entry(const std::vector<std::string_view>& words) {
    if (words.size() != kWords) return invalid_input("it is not ROLE token|certificate HASH NAME");
    const Result<Role> role = parse_role(words[0]);
    if (!role) return role.error();
    if (words[1] != "token" && words[1] != "certificate")
        return invalid_input("'" + std::string(words[1]) + "' is neither token nor certificate");
    AccessEntry entry;
    entry.role = *role;
    entry.by = words[1] == "token" ? AccessEntry::By::kToken : AccessEntry::By::kCertificate;
    entry.hash = wire::parse_fingerprint(words[2]);
    if (entry.hash.empty()) return invalid_input("the hash has not 64 hex digits");
    entry.name = words[3];
    return entry;
}

}  // namespace

Result<Role> parse_role(std::string_view word) {
    if (word == "look") return Role::kLooker;
    if (word == "control") return Role::kController;
    return invalid_input("'" + std::string(word) + "' is no role: there are look and control");
}

std::string_view role_word(Role role) {
    return role == Role::kController ? "control" : "look";
}

Result<AccessList> AccessList::parse(std::string_view text, const std::string& name) {
    AccessList list;
    for (std::size_t number = 1; !text.empty(); number++) {
        const std::string_view line = take_line(text);
        const auto words = split_words(line.substr(0, line.find('#')));
        if (words.empty()) continue;
        Result<AccessEntry> entry = parse_entry(words);
        const Result<void> added = entry ? list.add(std::move(*entry)) : Result<void>(entry.error());
        if (!added) {
            return unavailable("line " + std::to_string(number) + " of " + name + ": " + added.error().message +
                               "; mend it or take it out");
        }
    }
    return list;
}

Result<AccessList> AccessList::read(const std::string& path) {
    Result<std::string> text = tls::read_private(path, tls::Others::kMayNotRead);
    if (text) return parse(*text, path);
    return text.error().code == ErrorCode::kNotFound ? Result<AccessList>(AccessList()) : text.error();
}

Result<void> AccessList::write(const std::string& path) const {
    return tls::write_private(path, text());
}

std::string AccessList::text() const {
    std::string text = "# Who may come to sla-agent over TLS: sla-agent --make-token, --allow-certificate, --revoke\n";
    for (const AccessEntry& entry : entries_) {
        text += std::string(role_word(entry.role)) + " " +
                (entry.by == AccessEntry::By::kToken ? "token " : "certificate ") + entry.hash + " " + entry.name + "\n";
    }
    return text;
}

// Every entry is looked at, whichever it is.
const AccessEntry* AccessList::find_token(std::string_view token) const {
    const std::string hash = tls::hash_of(token);
    const AccessEntry* found = nullptr;
    for (const AccessEntry& entry : entries_) {
        if (entry.by == AccessEntry::By::kToken && tls::is_same_secret(entry.hash, hash)) found = &entry;
    }
    return found;
}

const AccessEntry* AccessList::find_certificate(std::string_view fingerprint) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const AccessEntry& entry) {
        return entry.by == AccessEntry::By::kCertificate && entry.hash == fingerprint;
    });
    return found == entries_.end() ? nullptr : &*found;
}

const AccessEntry* AccessList::find_name(std::string_view name) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const AccessEntry& entry) { return entry.name == name; });
    return found == entries_.end() ? nullptr : &*found;
}

Result<void> AccessList::add(AccessEntry entry) {
    if (!is_name(entry.name)) {
        return invalid_input("'" + entry.name + "' is no name: up to 64 letters, digits and . _ @ -");
    }
    if (find_name(entry.name) != nullptr) return invalid_input("there is a '" + entry.name + "' already");
    if (entry.by == AccessEntry::By::kCertificate && find_certificate(entry.hash) != nullptr) {
        return invalid_input("that certificate is '" + find_certificate(entry.hash)->name + "' already");
    }
    if (entries_.size() >= kMaxEntries) return invalid_input("more than 1000 may not come");
    entries_.push_back(std::move(entry));
    return {};
}

bool AccessList::remove(std::string_view name) {
    return std::erase_if(entries_, [&](const AccessEntry& entry) { return entry.name == name; }) > 0;
}

std::string AccessList::free_name(std::string_view role) const {
    for (std::size_t number = 1;; number++) {
        std::string name = std::string(role) + "-" + std::to_string(number);
        if (find_name(name) == nullptr) return name;
    }
}

}  // namespace sla::stream
