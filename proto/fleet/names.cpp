#include "proto/fleet/names.h"

#include "proto/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sla::fleet {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"frames", "summary", "index"};
constexpr std::array<std::string_view, 3> kTalks = {"ping", "control", "shot"};

bool is_token_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Exactly `count` words between separators; nothing when there are more or fewer.
std::optional<std::vector<std::string_view>> words_of(std::string_view text, char separator, std::size_t count) {
    std::vector<std::string_view> words;
    while (words.size() <= count) {
        const std::size_t end = text.find(separator);
        words.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    if (words.size() != count) return std::nullopt;
    return words;
}

// Written in the one way that numbers are: no sign, no zero in front.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    return whole_number<Number>(text);
}

}  // namespace

std::string_view word_of(Kind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

std::optional<Kind> parse_kind(std::string_view word) {
    const auto* const found = std::find(kKinds.begin(), kKinds.end(), word);
    if (found == kKinds.end()) return std::nullopt;
    return static_cast<Kind>(found - kKinds.begin());
}

bool is_token(std::string_view text) {
    return !text.empty() && text.size() <= kMaxToken && std::all_of(text.begin(), text.end(), is_token_letter);
}

std::string to_token(std::string_view name) {
    std::string token(name.substr(0, kMaxToken));
    for (char& c : token) {
        if (!is_token_letter(c)) c = '-';
    }
    return token.empty() ? "unnamed" : token;
}

std::string Subject::text() const {
    return fmt::format("sla.v1.{}.{}.{}.{}.{}", fleet, shard, host, capture, word_of(kind));
}

std::optional<Subject> parse_subject(std::string_view text) {
    constexpr std::string_view kPrefix = "sla.v1.";
    if (!text.starts_with(kPrefix)) return std::nullopt;
    const auto words = words_of(text.substr(kPrefix.size()), '.', 5);
    if (!words) return std::nullopt;
    const std::vector<std::string_view>& word = *words;
    const auto shard = parse_number<std::uint32_t>(word[1]);
    const auto kind = parse_kind(word[4]);
    if (!shard || *shard >= kMaxShards || !kind) return std::nullopt;
    if (!is_token(word[0]) || !is_token(word[2]) || !is_token(word[3])) return std::nullopt;
    return Subject{std::string(word[0]), *shard, std::string(word[2]), std::string(word[3]), *kind};
}

std::string MessageId::text() const {
    return fmt::format("{}:{}:{}:{}:{}:{}", host, boot, capture, piece, sequence, word_of(kind));
}

std::optional<MessageId> parse_message_id(std::string_view text) {
    const auto words = words_of(text, ':', 6);
    if (!words) return std::nullopt;
    const std::vector<std::string_view>& word = *words;
    const auto piece = parse_number<std::uint64_t>(word[3]);
    const auto sequence = parse_number<std::uint64_t>(word[4]);
    const auto kind = parse_kind(word[5]);
    if (!piece || !sequence || !kind) return std::nullopt;
    if (!is_token(word[0]) || !is_token(word[1]) || !is_token(word[2])) return std::nullopt;
    return MessageId{std::string(word[0]), std::string(word[1]), std::string(word[2]), *piece, *sequence, *kind};
}

std::string stream_name(std::string_view fleet, std::uint32_t shard) {
    return fmt::format("SLA_{}_{}", fleet, shard);
}

std::string subjects_of_shard(std::string_view fleet, std::uint32_t shard) {
    return fmt::format("sla.v1.{}.{}.>", fleet, shard);
}

std::string subjects_of_capture(std::string_view fleet, std::uint32_t shard, std::string_view host, std::string_view capture,
                                std::optional<Kind> kind) {
    return fmt::format("sla.v1.{}.{}.{}.{}.{}", fleet, shard, host, capture, kind ? word_of(*kind) : "*");
}

std::uint32_t shard_of(std::string_view host, std::uint32_t shards) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : host) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    return shards == 0 ? 0 : static_cast<std::uint32_t>((hash ^ hash >> 32) % shards);
}

std::string hosts_bucket(std::string_view fleet) {
    return fmt::format("SLA_{}_hosts", fleet);
}

std::string captures_bucket(std::string_view fleet) {
    return fmt::format("SLA_{}_captures", fleet);
}

std::string shots_bucket(std::string_view fleet) {
    return fmt::format("SLA_{}_shots", fleet);
}

std::string shot_key(std::string_view shot, std::string_view host) {
    return fmt::format("{}.{}", shot, host);
}

std::string talk_subject(std::string_view fleet, Talk talk, std::string_view host) {
    return fmt::format("sla.v1.{}.{}.{}", fleet, kTalks[static_cast<std::size_t>(talk)], host);
}

std::optional<std::string> host_of_talk(std::string_view subject, std::string_view fleet, Talk talk) {
    const std::string before = talk_subject(fleet, talk, "");
    if (!subject.starts_with(before) || !is_token(subject.substr(before.size()))) return std::nullopt;
    return std::string(subject.substr(before.size()));
}

std::string capture_key(std::string_view host, std::string_view capture) {
    return fmt::format("{}.{}", host, capture);
}

}  // namespace sla::fleet
