#include "agent/daemon/options/access_commands.h"

#include "proto/common/tls/certificate.h"
#include "proto/common/tls/private_file.h"
#include "proto/common/tls/secret.h"
#include "proto/wire/address.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace sla::daemon {
namespace {

constexpr const char* kTitle = "Over TLS";
constexpr const char* kReload = "An agent that runs learns of it by: systemctl --user reload sla-agent, or SIGHUP\n";

Result<void> write_certificate(const AccessCommands& commands, const std::string& certificate, const std::string& key) {
    for (const std::string& path : {certificate, key}) {
        std::error_code ignored;
        if (!path.empty() && !std::filesystem::exists(path, ignored)) continue;
        return path.empty() ? invalid_input("there is no HOME: say --certificate FILE and --key FILE")
                            : invalid_input(path + " is there already, and others know it by its fingerprint: remove it " +
                                            "for a new one");
    }
    const std::vector<std::string> names = commands.names.empty() ? tls::own_names() : commands.names;
    const auto made = tls::make_certificate(names, commands.years);
    if (!made) return made.error();
    if (Result<void> written = tls::write_private(key, made->key); !written) return written;
    if (Result<void> written = tls::write_private(certificate, made->certificate); !written) return written;
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    std::printf("certificate  %s\nkey          %s\nfor          %s\nvalid for    %d years\nfingerprint  %s\n",
                certificate.c_str(), key.c_str(), all.c_str(), commands.years, made->fingerprint.c_str());
    return {};
}

Result<void> make_certificate(const AccessCommands& commands, const stream::TlsFiles& files) {
    Result<void> written = write_certificate(commands, files.certificate, files.key);
    if (written) {
        std::fputs(
            "Clients are shown this fingerprint when they come first, or are given it: tls:HOST:PORT#FINGERPRINT\n"
            "Next: sla-agent --make-token look, then sla-agent --listen tls:0.0.0.0:4321\n",
            stderr);
    }
    return written;
}

Result<void> make_client_certificate(const AccessCommands& commands) {
    Result<void> written =
        write_certificate(commands, tls::config_file("client-cert.pem"), tls::config_file("client-key.pem"));
    if (written) {
        std::fputs("Let it in where the agent is: sla-agent --allow-certificate look FINGERPRINT [NAME]\n", stderr);
    }
    return written;
}

Result<tls::PrivateFileLock> lock_access(const stream::TlsFiles& files) {
    return tls::PrivateFileLock::take(files.access, "change");
}

// The name under which it is in the list.
Result<std::string> add(const stream::AccessEntry& entry, const std::string& role, const stream::TlsFiles& files) {
    const Result<tls::PrivateFileLock> lock = lock_access(files);
    if (!lock) return lock.error();
    Result<stream::AccessList> list = stream::AccessList::read(files.access);
    if (!list) return list.error();
    stream::AccessEntry named = entry;
    if (named.name.empty()) named.name = list->free_name(role);
    const std::string name = named.name;
    if (Result<void> added = list->add(std::move(named)); !added) return added.error();
    if (Result<void> written = list->write(files.access); !written) return written.error();
    std::fprintf(stderr, "'%s' may %s now. %s", name.c_str(), role.c_str(), kReload);
    return name;
}

Result<void> remove(const std::string& name, const stream::TlsFiles& files) {
    const Result<tls::PrivateFileLock> lock = lock_access(files);
    if (!lock) return lock.error();
    Result<stream::AccessList> list = stream::AccessList::read(files.access);
    if (!list) return list.error();
    if (!list->remove(name)) return not_found("there is no '" + name + "' in " + files.access + ": see --list-access");
    return list->write(files.access);
}

Result<void> make_token(const std::vector<std::string>& words, const stream::TlsFiles& files) {
    const Result<stream::Role> role = stream::parse_role(words[0]);
    if (!role) return invalid_input("--make-token: " + role.error().message);
    const std::string token = tls::make_token();
    stream::AccessEntry entry{*role, stream::AccessEntry::By::kToken, tls::hash_of(token), words.size() > 1 ? words[1] : ""};
    const Result<std::string> name = add(entry, words[0], files);
    if (!name) return name.error();
    std::fputs(
        "This is the token; it is kept nowhere here. Clients have it in SLA_TOKEN, or in a file of mode 0600 for "
        "--token-file:\n",
        stderr);
    std::printf("%s\n", token.c_str());
    if (std::fflush(stdout) == 0) return {};
    const int failed = errno;
    (void)remove(*name, files);  // nobody has seen it
    return system_error("no token was made, since it cannot be written to standard output", failed);
}

Result<void> allow_certificate(const std::vector<std::string>& words, const stream::TlsFiles& files) {
    const Result<stream::Role> role = stream::parse_role(words[0]);
    if (!role) return invalid_input("--allow-certificate: " + role.error().message);
    const std::string fingerprint = wire::parse_fingerprint(words[1]);
    if (fingerprint.empty()) {
        return invalid_input("--allow-certificate: '" + words[1] + "' is no fingerprint, which has 64 hex digits");
    }
    const Result<std::string> name =
        add({*role, stream::AccessEntry::By::kCertificate, fingerprint, words.size() > 2 ? words[2] : ""}, words[0], files);
    return name ? Result<void>() : name.error();
}

Result<void> revoke(const std::string& name, const stream::TlsFiles& files) {
    if (Result<void> removed = remove(name, files); !removed) return removed;
    std::fprintf(stderr, "'%s' may come no more. %s", name.c_str(), kReload);
    return {};
}

Result<void> print_list(const stream::TlsFiles& files) {
    const Result<stream::AccessList> list = stream::AccessList::read(files.access);
    if (!list) return list.error();
    for (const stream::AccessEntry& entry : list->entries()) {
        const bool is_token = entry.by == stream::AccessEntry::By::kToken;
        std::printf("%-7s  %-11s  %s%s%s\n", std::string(stream::role_word(entry.role)).c_str(),
                    is_token ? "token" : "certificate", entry.name.c_str(), is_token ? "" : "  ",
                    is_token ? "" : entry.hash.c_str());
    }
    return {};
}

}  // namespace

stream::TlsFiles complete(stream::TlsFiles typed) {
    if (typed.certificate.empty()) typed.certificate = tls::config_file("agent-cert.pem");
    if (typed.key.empty()) typed.key = tls::config_file("agent-key.pem");
    if (typed.access.empty()) typed.access = tls::config_file("access");
    return typed;
}

void describe_access(common::Command& app, AccessCommands& commands) {
    app.add_option("--certificate", commands.files.certificate,
                   "What tls: addresses show; default: $XDG_CONFIG_HOME/sla/agent-cert.pem")
        .value_name("FILE")
        .group(kTitle);
    app.add_option("--key", commands.files.key, "Its key; default: $XDG_CONFIG_HOME/sla/agent-key.pem")
        .value_name("FILE")
        .group(kTitle);
    app.add_option("--access", commands.files.access, "Who may come there; default: $XDG_CONFIG_HOME/sla/access")
        .value_name("FILE")
        .group(kTitle);
    app.add_flag("--make-certificate", commands.make_certificate, "Make these two files, say the fingerprint, and end")
        .group(kTitle);
    app.add_flag("--make-client-certificate", commands.make_client_certificate,
                 "Make a certificate for this user's clients to show, say its fingerprint, and end")
        .group(kTitle);
    app.add_option("--name", commands.names, "Of this machine, in the certificate (repeatable); default: all that it has")
        .value_name("HOST")
        .one_each()
        .group(kTitle);
    app.add_option("--years", commands.years, "How long the certificate says that it holds").range(1, 100).group(kTitle);
    app.add_option("--make-token", commands.make_token,
                   "Make a token with which clients may look or control, say it once, and end")
        .suggest({"look", "control"})
        .value_name("ROLE [NAME]")
        .count(1, 2)
        .group(kTitle);
    app.add_option("--allow-certificate", commands.allow_certificate, "Let clients come that have this certificate, and end")
        .suggest({"look", "control"})
        .value_name("ROLE FINGERPRINT [NAME]")
        .count(2, 3)
        .group(kTitle);
    app.add_flag("--list-access", commands.list, "Say who may come over TLS, and end").group(kTitle);
    app.add_option("--revoke", commands.revoke, "Let the token or certificate of this name come no more, and end")
        .value_name("NAME")
        .group(kTitle);
}

Result<void> run_access_command(const AccessCommands& commands, const stream::TlsFiles& files) {
    if (!commands.make_token.empty() || !commands.allow_certificate.empty() || commands.list || !commands.revoke.empty()) {
        if (files.access.empty()) return invalid_input("there is no HOME: say --access FILE");
    }
    if (commands.make_certificate) return make_certificate(commands, files);
    if (commands.make_client_certificate) return make_client_certificate(commands);
    if (!commands.make_token.empty()) return make_token(commands.make_token, files);
    if (!commands.allow_certificate.empty()) return allow_certificate(commands.allow_certificate, files);
    if (!commands.revoke.empty()) return revoke(commands.revoke, files);
    return print_list(files);
}

}  // namespace sla::daemon
