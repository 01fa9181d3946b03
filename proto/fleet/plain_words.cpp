#include "proto/fleet/plain_words.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace sla::fleet {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_digit(char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

}  // namespace

std::string plain_words(std::string_view said) {
    const std::size_t end = said.find("): ");
    const std::size_t colon = said.substr(0, end).rfind(".c:");
    if (said.starts_with('(') && end != std::string_view::npos && colon != std::string_view::npos &&
        std::all_of(said.begin() + static_cast<std::ptrdiff_t>(colon) + 3, said.begin() + static_cast<std::ptrdiff_t>(end),
                    is_digit))
        said.remove_prefix(end + 3);
    constexpr std::string_view kNothing = ": (null)";  // OpenSSL had no words for it
    if (said.ends_with(kNothing)) said.remove_suffix(kNothing.size());
    return std::string(said);
}

std::string advice_on_tls(std::string_view said, bool shows_certificate) {
    if (has_any(said, {"Error loading trusted certificates", "Error loading certificate", "Error loading private key"}))
        return "; is that file there, may you read it, is it PEM, and does the key belong to the certificate?";
    if (has_any(said, {"issuer certificate", "self signed certificate", "self-signed certificate", "first certificate"}))
        return "; the server's certificate is of no authority that is known here: name its authority's file with --nats-ca "
               "or "
               "$NATS_CA";
    if (has_any(said, {"certificate has expired"}))
        return "; the server's certificate must be renewed there (or this machine's clock is wrong)";
    if (has_any(said, {"certificate is not yet valid"})) return "; is this machine's clock right?";
    if (has_any(said, {"address mismatch", "ostname mismatch"}))
        return "; the server's certificate is not for that name: write the name that it is for, or give the server one that "
               "lists this one";
    if (!has_any(said,
                 {"Expected 'PONG'", "SSL_write error", "SSL_read error", "onnection closed", "onnection reset", "alert"}))
        return "";
    return shows_certificate ? "; the server broke it off: is the certificate of --nats-cert ($NATS_CERT) of an authority "
                               "that it trusts, and "
                               "not expired?"
                             : "; the server broke it off: it may want a certificate of you (--nats-cert and --nats-key, or "
                               "$NATS_CERT and "
                               "$NATS_KEY)";
}

}  // namespace sla::fleet
