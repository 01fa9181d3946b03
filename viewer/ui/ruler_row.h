// The lower row of the ruler, where tags stand: none may hide another. Plain arithmetic in pixels; the most important tag
// asks first.
//
//        │ M1 │          beside(): right of its line when there is room,
//     M2 │               else left of it,
//        ┃A┃ M1 │        else pushed aside a little by what was there before, or shortened
#pragma once

#include <optional>
#include <vector>

namespace sla::ui {

class RulerRow {
public:
    struct Piece {
        float from = 0;
        float until = 0;
        [[nodiscard]] float width() const { return until - from; }
    };

    RulerRow(Piece whole, float between) : whole_(whole), between_(between) {}

    // Whatever stands there already.
    void take(Piece piece) { taken_.push_back(piece); }
    // For a tag whose line is at `at`, not narrower than `least`, pushed at most `reach` away; nothing when there is no room.
    std::optional<Piece> beside(float at, float width, float least, float reach);
    // In the middle of that stretch, else in the middle of its widest free part.
    std::optional<Piece> within(Piece stretch, float width);
    // Just there or nowhere.
    std::optional<Piece> exactly(Piece piece);

private:
    [[nodiscard]] float first_free(float from) const;    // at or right of it
    [[nodiscard]] float last_free(float until) const;    // at or left of it
    [[nodiscard]] float free_until(float from) const;    // of what begins there
    [[nodiscard]] float free_from(float until) const;    // of what ends there
    std::optional<Piece> taken(Piece piece);

    Piece whole_;
    float between_;
    std::vector<Piece> taken_;
};

}  // namespace sla::ui
