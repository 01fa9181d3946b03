// How many events of a whole lane are in pages that cannot be read.
#pragma once

#include "viewer/store/unreadable_pages.h"

#include <cstdint>

namespace sla::support {

struct Unreadable {
    std::uint64_t pages = 0;
    std::uint64_t events = 0;
};
inline Unreadable unreadable_of(const store::Lane& lane, store::PageSource::Look look) {
    Unreadable all;
    store::each_page_looked_at(lane, 0, store::kNever, look, [&](const store::Page&, const auto& gap) {
        all.pages += gap ? 1 : 0;
        all.events += gap ? gap->lost : 0;
        return true;
    });
    return all;
}

}  // namespace sla::support
