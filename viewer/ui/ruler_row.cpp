#include "viewer/ui/ruler_row.h"

#include <algorithm>
#include <cmath>

namespace sla::ui {

float RulerRow::first_free(float from) const {
    for (bool moved = true; moved;) {
        moved = false;
        for (const Piece& piece : taken_) {
            if (piece.from - between_ >= from || piece.until + between_ <= from) continue;
            from = piece.until + between_;
            moved = true;
        }
    }
    return from;
}

float RulerRow::last_free(float until) const {
    for (bool moved = true; moved;) {
        moved = false;
        for (const Piece& piece : taken_) {
            if (piece.from - between_ >= until || piece.until + between_ <= until) continue;
            until = piece.from - between_;
            moved = true;
        }
    }
    return until;
}

float RulerRow::free_until(float from) const {
    float until = whole_.until;
    for (const Piece& piece : taken_) {
        if (piece.until > from) until = std::min(until, piece.from - between_);
    }
    return until;
}

float RulerRow::free_from(float until) const {
    float from = whole_.from;
    for (const Piece& piece : taken_) {
        if (piece.from < until) from = std::max(from, piece.until + between_);
    }
    return from;
}

std::optional<RulerRow::Piece> RulerRow::taken(Piece piece) {
    take(piece);
    return piece;
}

std::optional<RulerRow::Piece> RulerRow::beside(float at, float width, float least, float reach) {
    const float from = first_free(at);
    const float until = last_free(at);
    const float room_right = from - at > reach ? 0 : free_until(from) - from;
    const float room_left = at - until > reach ? 0 : until - free_from(until);
    if (room_right >= width) return taken({from, from + width});
    if (room_left >= width) return taken({until - width, until});
    if (room_right >= least && room_right >= room_left) return taken({from, from + std::floor(room_right)});
    if (room_left >= least) return taken({until - std::floor(room_left), until});
    return std::nullopt;
}

std::optional<RulerRow::Piece> RulerRow::within(Piece stretch, float width) {
    const float middle = std::floor((stretch.from + stretch.until - width) / 2);
    if (stretch.width() >= width && exactly({middle, middle + width})) return Piece{middle, middle + width};
    Piece widest;
    for (float from = first_free(stretch.from); from < stretch.until;) {
        const Piece free{from, std::min(free_until(from), stretch.until)};
        if (free.width() > widest.width()) widest = free;
        from = first_free(std::max(free.until, from) + between_ + 1);
    }
    if (widest.width() < width) return std::nullopt;
    const float from = std::floor((widest.from + widest.until - width) / 2);
    return taken({from, from + width});
}

std::optional<RulerRow::Piece> RulerRow::exactly(Piece piece) {
    if (piece.from < whole_.from || piece.until > whole_.until) return std::nullopt;
    if (first_free(piece.from) > piece.from || free_until(piece.from) < piece.until) return std::nullopt;
    return taken(piece);
}

}  // namespace sla::ui
