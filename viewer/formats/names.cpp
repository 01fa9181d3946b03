#include "viewer/formats/names.h"

#include "proto/wire/formatter.h"

#include <utility>

namespace sla::formats {

std::string thread_text(const store::Session& session, std::uint32_t id) {
    const store::Thread* thread = session.thread(ThreadId{id});
    if (thread == nullptr) return id == 0 ? "" : std::to_string(id);
    if (thread->tid == 0) return thread->name;  // not a thread of the kernel, as with `sla mark`
    if (thread->name.empty()) return std::to_string(thread->tid);
    return thread->name + "/" + std::to_string(thread->tid);
}

namespace {

std::string on_host(const store::Session& session, const store::Lane& lane, std::string name) {
    if (session.hosts().empty()) return name;
    const store::Host* host = session.host_of(lane);
    const std::string& of = host == nullptr ? session.origin().host : host->name;
    return of.empty() ? name : name + " on " + of;
}

}  // namespace

std::string source_text(const store::Session& session, const store::Lane& lane) {
    const store::Source* source = session.source_of(lane);
    return source == nullptr ? "" : on_host(session, lane, source->name);
}

std::string process_text(const store::Session& session, const store::Lane& lane) {
    const store::Source* source = session.source_of(lane);
    if (source == nullptr || source->pid == 0) return source_text(session, lane);
    return on_host(session, lane, source->name + "/" + std::to_string(source->pid));
}

SourceTexts::SourceTexts(const store::Session& session) : session_(session) {
    for (const auto& [id, source] : session.sources()) shared_.add(source);
}

bool SourceTexts::is_shared(const store::Lane& lane) const {
    const store::Source* source = session_.source_of(lane);
    return source != nullptr && shared_.has(*source);
}

std::string SourceTexts::of(const store::Lane& lane) const {
    return is_shared(lane) ? process_text(session_, lane) : source_text(session_, lane);
}

const std::string& FollowedSourceTexts::of(const store::Session& session, const store::Lane& lane) {
    const std::string process = process_text(session, lane);
    const auto [at, is_new] = names_.try_emplace(process);
    if (is_new) {
        std::string name = source_text(session, lane);
        at->second = taken_.insert(name).second ? std::move(name) : process;
    }
    return at->second;
}

bool may_have_text(const store::Lane& lane) {
    return lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
}

std::string own_text(const store::Lane& lane, std::uint64_t index) {
    if (!lane.has_texts()) return {};
    std::string text = lane.text(index);
    const std::string& format = lane.channel().format;
    if (format.empty() || text.empty()) return text;
    std::string made;
    wire::format_details(format, lane.details(index).data(), made);
    return text == made ? std::string() : text;
}

}  // namespace sla::formats
