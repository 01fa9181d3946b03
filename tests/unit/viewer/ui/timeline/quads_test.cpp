// What is written in bulk is what ImGui would have drawn one by one; what is joined colours the same pixels.
#include "viewer/ui/timeline/quads.h"

#include "tests/unit/viewer/ui/window_fixture.h"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

namespace sla::ui {
namespace {

struct Corner {
    float x;
    float y;
    float u;
    float v;
    ImU32 colour;
    bool operator==(const Corner&) const = default;
};

// The corners of all triangles, as a renderer sees them.
std::vector<Corner> corners_of(const ImDrawList& list) {
    std::vector<Corner> corners;
    for (const ImDrawCmd& command : list.CmdBuffer) {
        for (unsigned i = 0; i < command.ElemCount; ++i) {
            const unsigned index = list.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
            const ImDrawVert& vertex = list.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
            corners.push_back({vertex.pos.x, vertex.pos.y, vertex.uv.x, vertex.uv.y, vertex.col});
        }
    }
    return corners;
}

// Pixels that axis-parallel rectangles of whole pixels leave behind.
class Canvas {
public:
    Canvas(int width, int height) : width_(width), pixels_(static_cast<std::size_t>(width * height)) {}

    void draw(const ImDrawList& list) {
        const std::vector<Corner> corners = corners_of(list);
        for (std::size_t i = 0; i + 6 <= corners.size(); i += 6) fill(corners[i], corners[i + 2]);
    }
    void fill(const Corner& from, const Corner& to) {
        for (int y = static_cast<int>(from.y); y < static_cast<int>(to.y); ++y) {
            for (int x = static_cast<int>(from.x); x < static_cast<int>(to.x); ++x) put(x, y, from.colour);
        }
    }
    [[nodiscard]] const std::vector<ImU32>& pixels() const { return pixels_; }

private:
    void put(int x, int y, ImU32 colour) {
        const int height = static_cast<int>(pixels_.size()) / width_;
        if (x < 0 || y < 0 || x >= width_ || y >= height) return;
        pixels_[static_cast<std::size_t>(y * width_ + x)] = colour;
    }

    int width_;
    std::vector<ImU32> pixels_;
};

class Painting : public Window {
protected:
    void SetUp() override { open(support::add_few); }
    // A list as the window's own, ready to be drawn into.
    static std::unique_ptr<ImDrawList> make_list() {
        auto list = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
        list->_ResetForNewFrame();
        list->Flags |= ImDrawListFlags_AllowVtxOffset;
        list->PushTextureID(ImGui::GetIO().Fonts->TexID);
        list->PushClipRect({0, 0}, {2000, 2000});
        return list;
    }
    float number(unsigned below) { return static_cast<float>(random_() % below); }

    std::mt19937 random_{5};
};

TEST_F(Painting, RectanglesInBulkAreThoseThatImGuiDrawsOneByOne) {
    for (const int count : {0, 1, 1023, 1024, 1025, 40'000}) {  // the last: beyond what 16-bit indices reach
        const auto one_by_one = make_list();
        const auto bulk = make_list();
        one_by_one->AddRectFilled({1, 2}, {3, 4}, 0xff112233);
        bulk->AddRectFilled({1, 2}, {3, 4}, 0xff112233);
        {
            Quads quads(*bulk);
            for (int i = 0; i < count; ++i) {
                const Rect place{number(1000), number(1000), number(9), number(9)};
                const ImU32 colour = random_() % 10 == 0 ? 0x00ffffff : 0xff000000 | (random_() & 0xffffff);
                quads.add(place, colour);
                if (place.width > 0 && place.height > 0) one_by_one->AddRectFilled(place.min(), place.max(), colour);
            }
        }
        one_by_one->AddRectFilled({5, 6}, {7, 8}, 0xff445566);
        bulk->AddRectFilled({5, 6}, {7, 8}, 0xff445566);
        const std::vector<Corner> expected = corners_of(*one_by_one);
        ASSERT_GE(expected.size(), static_cast<std::size_t>(count) * 4) << "the test draws something";
        ASSERT_TRUE(corners_of(*bulk) == expected) << count;
    }
}

TEST_F(Painting, JoinedRectanglesColourTheSamePixels) {
    constexpr ImU32 kColours[] = {0xff0000ff, 0xff00ff00, 0xffff0000};
    for (int round = 0; round < 200; ++round) {
        const auto joined = make_list();
        const auto apart = make_list();
        std::size_t added = 0;
        {
            Quads quads(*joined);
            auto row = join_bands(quads);
            Quads plain(*apart);
            for (float x = number(4); x < 200; x += number(3)) {
                const Rect place{x, number(2), 1 + number(2), 3 + number(2)};
                const ImU32 colour = kColours[random_() % 3];
                row.add(static_cast<int>(x), static_cast<int>(place.width), {place.y, place.height, colour});
                plain.add(place, colour);
                ++added;
            }
        }
        Canvas first(210, 8);
        Canvas second(210, 8);
        first.draw(*joined);
        second.draw(*apart);
        ASSERT_EQ(first.pixels(), second.pixels()) << round;
        ASSERT_LT(joined->VtxBuffer.Size, static_cast<int>(added * 4)) << "some of so many are joined";
    }
}

TEST_F(Painting, PixelIsFloor) {
    for (int i = 0; i < 100'000; ++i) {
        const float x = (static_cast<float>(random_()) / 4.3e9F - 0.5F) * (i % 2 == 0 ? 1.0e6F : 40.0F);
        ASSERT_EQ(pixel(x), std::floor(x)) << x;
    }
    for (const float x : {-2.0F, -1.0F, -0.0F, 0.0F, 1.0F}) EXPECT_EQ(pixel(x), std::floor(x));
    EXPECT_LE(pixel(-1e12F), -1e9F) << "far out of sight to the left it stays";
    EXPECT_GE(pixel(1e12F), 1e9F) << "and to the right";
}

}  // namespace
}  // namespace sla::ui
