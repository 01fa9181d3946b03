#include "viewer/ui/timeline/ruler_row.h"

#include <algorithm>
#include <cmath>

namespace sla::ui {

void RulerRow::take(Piece piece) {
    const Piece gone{piece.from - between_, piece.until + between_};
    std::vector<Piece> left;
    for (const Piece& free : free_) {
        const Piece before{free.from, std::min(free.until, gone.from)};
        const Piece behind{std::max(free.from, gone.until), free.until};
        if (before.width() > 0) left.push_back(before);
        if (behind.width() > 0) left.push_back(behind);
    }
    free_ = std::move(left);
}

std::optional<RulerRow::Piece> RulerRow::taken(Piece piece) {
    take(piece);
    return piece;
}

std::optional<RulerRow::Piece> RulerRow::beside(float at, float width, float least, float reach) {
    Piece right;
    Piece left;
    for (const Piece& free : free_) {
        if (free.from <= at) left = {free.from, std::min(free.until, at)};
        if (free.until > at && right.width() == 0) right = {std::max(free.from, at), free.until};
    }
    const float space_right = right.from - at > reach ? 0 : right.width();
    const float space_left = at - left.until > reach ? 0 : left.width();
    if (space_right >= width) return taken({right.from, right.from + width});
    if (space_left >= width) return taken({left.until - width, left.until});
    if (space_right >= least && space_right >= space_left) return taken({right.from, right.from + std::floor(space_right)});
    if (space_left >= least) return taken({left.until - std::floor(space_left), left.until});
    return std::nullopt;
}

std::optional<RulerRow::Piece> RulerRow::within(Piece range, float width) {
    const auto in_the_middle_of = [&](Piece place) {
        const float from = std::floor((place.from + place.until - width) / 2);
        return Piece{from, from + width};
    };
    if (range.width() < width) return std::nullopt;
    if (const auto piece = exactly(in_the_middle_of(range))) return piece;
    Piece widest;
    for (const Piece& free : free_) {
        const Piece part{std::max(free.from, range.from), std::min(free.until, range.until)};
        if (part.width() > widest.width()) widest = part;
    }
    if (widest.width() < width) return std::nullopt;
    return taken(in_the_middle_of(widest));
}

std::optional<RulerRow::Piece> RulerRow::exactly(Piece piece) {
    const bool is_free = std::any_of(
        free_.begin(), free_.end(), [&](const Piece& free) { return free.from <= piece.from && piece.until <= free.until; });
    if (!is_free) return std::nullopt;
    return taken(piece);
}

}  // namespace sla::ui
