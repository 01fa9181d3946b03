#include "emu/snapshot/kept_state.h"

#include "emu/snapshot/state_reader.h"

#include <algorithm>
#include <cstring>

namespace sla::snapshot {

KeptState::KeptState(const Subject& subject, const KeptState* before) {
    StateWriter writer(true);
    subject.visit(writer);
    sections_ = writer.sections();
    sectors_ = writer.shared();
    for (std::size_t i = 0; i < writer.memory().size(); ++i) {
        const Memory* known = before != nullptr && i < before->memory_.size() ? &before->memory_[i] : nullptr;
        memory_.push_back(keep(writer.memory()[i], known));
    }
}

KeptState::Memory KeptState::keep(const MemoryView& view, const Memory* before) {
    static constexpr Page kZeros{};
    Memory out{view.name, view.bytes.size(), {}};
    for (std::size_t at = 0; at < view.bytes.size(); at += kPageBytes) {
        const auto now = view.bytes.subspan(at, std::min(kPageBytes, view.bytes.size() - at));
        const std::size_t number = at / kPageBytes;
        const auto* known = before != nullptr && number < before->pages.size() ? &before->pages[number] : nullptr;
        const Page& expected = known != nullptr && *known ? **known : kZeros;
        if (std::memcmp(now.data(), expected.data(), now.size()) == 0) {
            out.pages.push_back(known != nullptr ? *known : nullptr);
            continue;
        }
        auto page = std::make_shared<Page>();
        std::copy(now.begin(), now.end(), page->begin());
        out.pages.push_back(std::move(page));
    }
    return out;
}

void KeptState::put_back(const Memory& memory, std::span<std::uint8_t> to) {
    for (std::size_t at = 0; at < to.size(); at += kPageBytes) {
        const std::size_t bytes = std::min(kPageBytes, to.size() - at);
        const auto& page = memory.pages[at / kPageBytes];
        if (page) {
            std::memcpy(to.data() + at, page->data(), bytes);
        } else {
            std::memset(to.data() + at, 0, bytes);
        }
    }
}

Result<void> KeptState::load(const Subject& subject) const {
    StateReader reader(sections_, [this](std::string_view name, std::span<std::uint8_t> to) -> Result<void> {
        const auto found = std::find_if(memory_.begin(), memory_.end(), [&](const Memory& m) { return m.name == name; });
        if (found == memory_.end() || found->bytes != to.size()) return damaged("was not kept");
        put_back(*found, to);
        return {};
    });
    reader.share(sectors_);
    subject.visit(reader);
    return reader.done();
}

std::size_t KeptState::bytes() const {
    std::size_t sum = sizeof(KeptState);
    for (const Section& section : sections_) sum += sizeof section + section.fields.size();
    for (const Memory& memory : memory_) {
        sum += memory.pages.size() * sizeof memory.pages[0];
        for (const auto& page : memory.pages) sum += page.use_count() == 1 ? kPageBytes : 0;
    }
    return sum;
}

std::size_t KeptState::bytes_of_others() const {
    std::size_t sum = 0;
    for (const Sectors& disk : sectors_) sum += disk.written.bytes_elsewhere();
    return sum;
}

}  // namespace sla::snapshot
