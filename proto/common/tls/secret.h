// Tokens: who knows one is let in. Made by chance, kept as hashes only.
#pragma once

#include <string>
#include <string_view>

namespace sla::tls {

// 256 bits that nobody can guess, as "sla-" and 64 hex digits.
std::string make_token();

// SHA-256 as hex digits. A token is no password: with 256 bits by chance there is nothing to try, so neither salt nor a slow
// hash would make the hash harder to turn round.
std::string hash_of(std::string_view token);

// Takes as long for equal texts as for others of the same length.
bool is_same_secret(std::string_view one, std::string_view other);

}  // namespace sla::tls
