#include "proto/wire/columns/presence.h"

#include <algorithm>
#include <numeric>

namespace sla::wire {
namespace {

enum class PresenceForm : std::uint8_t { kAll = 0, kOfCodes = 1, kBits = 2 };

constexpr std::size_t kMaskBytes = 2;

std::size_t count_of_codes(const std::vector<std::uint8_t>& codes, std::uint32_t mask) {
    std::size_t count = 0;
    for (const std::uint8_t code : codes) count += mask >> code & 1;
    return count;
}

char* put_bits(const std::vector<std::uint8_t>& has, char* out) {
    const std::size_t bytes = (has.size() + 7) / 8;
    std::fill_n(out, bytes, '\0');
    for (std::size_t i = 0; i < has.size(); ++i) out[i / 8] = static_cast<char>(out[i / 8] | has[i] << i % 8);
    return out + bytes;
}

const char* get_bits(const char* at, std::vector<std::uint8_t>& has) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
    for (std::size_t i = 0; i < has.size(); ++i) has[i] = bytes[i / 8] >> i % 8 & 1;
    const std::size_t rest = has.size() % 8;
    return rest != 0 && bytes[has.size() / 8] >> rest != 0 ? "a bit stands behind the last event" : nullptr;
}

}  // namespace

char* put_presence(const std::vector<std::uint8_t>& has, std::size_t count, const std::vector<std::uint8_t>& codes,
                   char* out) {
    if (count == codes.size()) {
        *out++ = static_cast<char>(PresenceForm::kAll);
        return out;
    }
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < has.size(); ++i) mask |= static_cast<std::uint32_t>(has[i]) << codes[i];
    if (count_of_codes(codes, mask) != count) {
        *out++ = static_cast<char>(PresenceForm::kBits);
        return put_bits(has, out);
    }
    *out++ = static_cast<char>(PresenceForm::kOfCodes);
    *out++ = static_cast<char>(mask);
    *out++ = static_cast<char>(mask >> 8);
    return out;
}

const char* get_presence(const char*& at, const char* end, const std::vector<std::uint8_t>& codes,
                         std::vector<std::uint8_t>& has, std::size_t& count) {
    const auto form = static_cast<PresenceForm>(*at++);
    const auto left = static_cast<std::size_t>(end - at);
    has.resize(codes.size());
    count = codes.size();
    switch (form) {
        case PresenceForm::kAll: std::fill(has.begin(), has.end(), 1); return nullptr;
        case PresenceForm::kOfCodes: {
            if (left < kMaskBytes) return "its codes are cut off";
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
            const std::uint32_t mask = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
            for (std::size_t i = 0; i < has.size(); ++i) has[i] = mask >> codes[i] & 1;
            at += kMaskBytes;
            break;
        }
        case PresenceForm::kBits: {
            const std::size_t needed = (codes.size() + 7) / 8;
            if (left < needed) return "its bits are cut off";
            if (const char* wrong = get_bits(at, has)) return wrong;
            at += needed;
            break;
        }
        default: return "of a form that there is not";
    }
    count = std::accumulate(has.begin(), has.end(), std::size_t{0});
    return count == 0 ? "no event has one" : nullptr;
}

}  // namespace sla::wire
