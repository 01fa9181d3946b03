#include "viewer/formats/names.h"

#include <algorithm>

namespace sla::formats {

std::string thread_text(const store::Session& session, std::uint32_t id) {
    const store::Thread* thread = session.thread(ThreadId{id});
    if (thread == nullptr) return id == 0 ? "" : std::to_string(id);
    if (thread->tid == 0) return thread->name;  // not a thread of the kernel, as with `sla mark`
    if (thread->name.empty()) return std::to_string(thread->tid);
    return thread->name + "/" + std::to_string(thread->tid);
}

std::string source_text(const store::Session& session, const store::Lane& lane) {
    const store::Source* source = session.source_of(lane);
    if (source == nullptr) return "";
    if (session.hosts().empty()) return source->name;
    const store::Host* host = session.host_of(lane);
    const std::string& of = host == nullptr ? session.origin().host : host->name;
    return of.empty() ? source->name : source->name + " on " + of;
}

std::string source_text_apart(const store::Session& session, const store::Lane& lane) {
    std::string text = source_text(session, lane);
    const store::Source* const own = session.source_of(lane);
    if (own == nullptr || own->pid == 0) return text;
    const bool is_shared = std::ranges::any_of(session.sources(), [&](const auto& entry) {
        const store::Source& other = entry.second;
        return other.name == own->name && other.host == own->host && other.pid != own->pid;
    });
    return is_shared ? text + "/" + std::to_string(own->pid) : text;
}

bool may_have_text(const store::Lane& lane) {
    return lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
}

}  // namespace sla::formats
