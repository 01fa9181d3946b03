#include "viewer/sql/capture.h"

#include "viewer/formats/names.h"

#include <utility>

namespace sla::sql {

NamedCapture::NamedCapture(Capture capture, std::uint64_t rows_before)
    : capture_(std::move(capture)), clock_(capture_.session->clock()), rows_until_(rows_before) {
    for (const store::Lane* lane : capture_.session->lanes()) {
        lanes_.push_back({lane, lane->channel().name, formats::source_text(*capture_.session, *lane), rows_until_});
        rows_until_ += lane->size();
    }
}

const std::string& NamedCapture::thread_text(std::uint32_t id) const {
    const auto [at, fresh] = threads_.try_emplace(id);
    if (fresh) at->second = formats::thread_text(*capture_.session, id);
    return at->second;
}

}  // namespace sla::sql
