#include "agent/publish/run_file.h"

#include "agent/publish/message_key.h"
#include "proto/fleet/names.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace sla::publish {
namespace {

constexpr std::size_t kMaxSecret = 128;
constexpr std::size_t kRunFileBytes = 1024;  // of every one, so that one can be written over another

// Onto the bytes that the file has; 0, or the errno.
int write_over(const std::string& path, const std::string& text) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return errno;
    int failed = 0;
    for (std::size_t done = 0; failed == 0 && done < text.size();) {
        const ssize_t got = ::pwrite(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (got > 0) done += static_cast<std::size_t>(got);
        if (got == 0) failed = ENOSPC;
        if (got < 0 && errno != EINTR) failed = errno;
    }
    if (failed == 0 && ::ftruncate(fd, static_cast<off_t>(text.size())) != 0) failed = errno;
    ::close(fd);
    return failed;
}

}  // namespace

std::string Run::json() const {
    return nlohmann::json{{"capture", capture},
                          {"host", host},
                          {"boot", boot},
                          {"agent", agent},
                          {"pid", pid},
                          {"started_ns", started_ns},
                          {"pieces_done", pieces_done},
                          {"events_done", events_done},
                          {"missed_done", missed_done},
                          {"lost_done", lost_done},
                          {"dropped", dropped},
                          {"lost_at_end", lost_at_end},
                          {"secret", secret},
                          {"ended_ns", ended_ns}}
        .dump();
}

Result<Run> parse_run_file(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    Run run;
    try {
        run.capture = json.at("capture").get<std::string>();
        run.host = json.at("host").get<std::string>();
        run.boot = json.at("boot").get<std::string>();
        run.agent = json.at("agent").get<std::string>();
        run.pid = json.at("pid").get<std::uint32_t>();
        run.started_ns = json.at("started_ns").get<std::int64_t>();
        run.ended_ns = json.at("ended_ns").get<std::int64_t>();
        run.pieces_done = json.at("pieces_done").get<std::uint64_t>();
        run.events_done = json.at("events_done").get<std::uint64_t>();
        run.missed_done = json.at("missed_done").get<std::uint64_t>();
        run.lost_done = json.value("lost_done", std::uint64_t{0});  // older agents say none of these
        run.dropped = json.value("dropped", std::uint64_t{0});
        run.lost_at_end = json.value("lost_at_end", std::uint64_t{0});
        run.secret = json.value("secret", std::string());
    } catch (const nlohmann::json::exception& error) {
        return damaged(std::string("it does not say whose capture it is: ") + error.what());
    }
    if (!fleet::is_token(run.capture) || !fleet::is_token(run.host) || !fleet::is_token(run.boot))
        return damaged("it names a capture that cannot be");
    const bool has_room = run.boot.size() + kKeyDigits < fleet::kMaxToken && run.secret.size() <= kMaxSecret;
    if (!run.secret.empty() && !has_room) return damaged("the secret of its messages' keys cannot be");
    return run;
}

int write_run_file(const std::string& folder, const Run& run) {
    std::string text = run.json();
    text.resize(std::max(text.size(), kRunFileBytes), ' ');
    const std::string spare = folder + "/" + kSpareRunFile;
    const std::string path = folder + "/" + kRunFile;
    if (const int failed = write_over(spare, text); failed != 0) return failed;
    if (::renameat2(AT_FDCWD, spare.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return 0;
    return ::rename(spare.c_str(), path.c_str()) == 0 ? 0 : errno;  // the first, or a file system that cannot exchange
}

}  // namespace sla::publish
