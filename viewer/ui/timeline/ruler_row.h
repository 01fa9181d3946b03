// The lower row of the ruler, where tags stand: none may hide another. Plain arithmetic in pixels; the most important tag
// asks first.
//
//        │ M1 │          beside(): right of its line when there is space,
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

    RulerRow(Piece whole, float between) : between_(between), free_{whole} {}

    // Whatever stands there already.
    void take(Piece piece);
    // For a tag whose line is at `at`, not narrower than `least`, pushed at most `reach` away; nothing when there is no
    // space.
    std::optional<Piece> beside(float at, float width, float least, float reach);
    // In the middle of that range, else in the middle of its widest free part.
    std::optional<Piece> within(Piece range, float width);
    // Just there or nowhere.
    std::optional<Piece> exactly(Piece piece);

private:
    std::optional<Piece> taken(Piece piece);

    float between_;
    std::vector<Piece> free_;  // from left to right
};

}  // namespace sla::ui
