#include "viewer/counters/guest_control.h"

#include "proto/base/guest_socket.h"
#include "proto/base/runtime_dir.h"
#include "proto/base/text.h"

#include <sys/un.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sla::counters {

namespace {

Error no_answer() {
    return unavailable("what listens there does not answer as sla-emu does: is another version installed beside this one?");
}

Error no_counts() {
    return unavailable("what listens there answers no counts: is another version of sla-emu installed beside this one?");
}

template <typename Number>
bool take_number(std::string_view& text, Number& number, int base, char behind) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length == text.size() || *end != behind) return false;
    text.remove_prefix(length + 1);
    return true;
}

}  // namespace

Result<GuestCounts> parse_guest_counts(std::string_view text) {
    constexpr std::uint32_t kEvents = 0x40;
    GuestCounts out;
    while (!text.empty()) {
        std::uint32_t select = 0;
        std::uint64_t count = 0;
        if (!take_number(text, select, 16, ' ') || select >= kEvents) return no_counts();
        const std::size_t how = text.find(' ');
        if (how == std::string_view::npos) return no_counts();
        text.remove_prefix(how + 1);
        if (!take_number(text, count, 10, '\n')) return no_counts();
        out[select] = count;
    }
    return out;
}

Result<GuestControl> GuestControl::connect(pid_t process) {
    std::array<char, sizeof(sockaddr_un::sun_path)> path{};
    if (common::is_stopped(process)) return common::stopped_error(process);
    const std::string leaf = guest_socket_leaf(std::to_string(process));
    if (sla_runtime_path(path.data(), path.size(), leaf.c_str()) < 0)
        return unavailable("the runtime directory's path is too long for a socket; set SLA_RUNTIME_DIR to a shorter one");
    auto client = common::GuestClient::connect(path.data());
    if (client.ok()) return GuestControl(std::move(*client));
    if (client.error().code != ErrorCode::kNotFound) return client.error();
    return not_found("process " + std::to_string(process) + " is no emulated PC that can be asked: nobody listens at " +
                     path.data());
}

Result<GuestCounts> GuestControl::counts(bool models) {
    const auto text = ask(models ? "counts all" : "counts");
    if (!text.ok()) return text.error();
    return parse_guest_counts(*text);
}

Result<std::string> GuestControl::ask(std::string_view command) {
    using Clock = std::chrono::steady_clock;
    const auto last = Clock::now() + kLongestWait;
    client_.wait_unless(cancelled_ ? cancelled_ : [last] { return Clock::now() >= last; });
    auto answer = client_.ask(command);
    return !answer.ok() && answer.error().code == ErrorCode::kDamaged ? no_answer() : answer;
}

std::vector<pid_t> running_guests() {
    std::vector<pid_t> found;
    sockaddr_un address{};
    if (sla_runtime_path(address.sun_path, sizeof address.sun_path, nullptr) < 0) return found;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(address.sun_path, failed)) {
        const std::string name = entry.path().filename().string();
        const std::string_view number = guest_of_socket_leaf(name).value_or("");
        const auto process = whole_number<pid_t>(number);
        if (!process) continue;
        const auto guest = GuestControl::connect(*process);
        if (guest.ok() || guest.error().code != ErrorCode::kNotFound) found.push_back(*process);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace sla::counters
