// Solid rectangles, many at a time: a lane is thousands of them, and a call into ImGui for each costs more than all else a
// lane's painting does.
#pragma once

#include "viewer/ui/layout.h"

#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sla::ui {

// The same as std::floor of a place on the screen, without a call: the compiler's baseline has no instruction for it. What
// lies far out of sight (the value before a deep zoom) stays there, but within what an int can hold.
inline float pixel(float x) {
    constexpr float kFar = 1e9F;
    const float near = std::clamp(x, -kFar, kFar);
    const auto whole = static_cast<float>(static_cast<int>(near));
    return whole > near ? whole - 1 : whole;
}

// Draws into the list like ImDrawList::AddRectFilled, in the order of add(), with one reservation for kAtOnce rectangles.
// While it lives nothing else may draw into the list. Costs some 4 ns a rectangle.
class Quads {
public:
    explicit Quads(ImDrawList& list) : list_(list) {
        for (ImDrawVert& corner : corners_) corner.uv = ImGui::GetFontTexUvWhitePixel();
    }
    ~Quads() { give_back(); }
    Quads(const Quads&) = delete;
    Quads& operator=(const Quads&) = delete;

    void add(const Rect& place, ImU32 colour) {
        if (place.width <= 0 || place.height <= 0 || (colour & IM_COL32_A_MASK) == 0) return;
        if (left_ == 0) reserve();
        --left_;
        if (colour != colour_) take_colour(colour);
        const float right = place.right();
        const float bottom = place.bottom();
        std::memcpy(vertex_, corners_, sizeof corners_);  // what is the same for all, in a few moves
        vertex_[0].pos = {place.x, place.y};
        vertex_[1].pos = {right, place.y};
        vertex_[2].pos = {right, bottom};
        vertex_[3].pos = {place.x, bottom};
        vertex_ += 4;
        // Two triangles, 0 1 2 and 0 2 3: four indices in one word and two in another.
        const std::uint64_t four = kFourIndices + first_ * kInEachOfFour;
        const std::uint32_t two = kTwoIndices + first_ * kInEachOfTwo;
        std::memcpy(index_, &four, sizeof four);
        std::memcpy(index_ + 4, &two, sizeof two);
        index_ += 6;
        first_ += 4;
    }

private:
    static constexpr int kAtOnce = 1024;  // 4096 vertices of the 65536 that 16-bit indices reach
    static_assert(sizeof(ImDrawIdx) == sizeof(std::uint16_t) && std::endian::native == std::endian::little);
    static constexpr std::uint64_t kFourIndices = 0x0000'0002'0001'0000;
    static constexpr std::uint32_t kTwoIndices = 0x0003'0002;
    static constexpr std::uint64_t kInEachOfFour = 0x0001'0001'0001'0001;
    static constexpr std::uint32_t kInEachOfTwo = 0x0001'0001;

    void take_colour(ImU32 colour) {
        colour_ = colour;
        for (ImDrawVert& corner : corners_) corner.col = colour;
    }

    void reserve() {
        give_back();
        list_.PrimReserve(6 * kAtOnce, 4 * kAtOnce);
        vertex_ = list_._VtxWritePtr;
        index_ = list_._IdxWritePtr;
        first_ = list_._VtxCurrentIdx;
        left_ = kAtOnce;
    }
    // The list goes on behind what was written; what was not used goes back.
    void give_back() {
        if (vertex_ == nullptr) return;
        list_._VtxWritePtr = vertex_;
        list_._IdxWritePtr = index_;
        list_._VtxCurrentIdx = first_;
        list_.PrimUnreserve(6 * left_, 4 * left_);
        vertex_ = nullptr;
        left_ = 0;
    }

    ImDrawList& list_;
    ImDrawVert corners_[4] = {};
    ImU32 colour_ = 0;
    ImDrawVert* vertex_ = nullptr;
    ImDrawIdx* index_ = nullptr;
    unsigned first_ = 0;  // the next rectangle's first vertex
    int left_ = 0;        // of what is reserved
};

// Rectangles that come from left to right; those of one height and colour that touch become one. A dense lane costs its
// changes, not its pixels.
class Joined {
public:
    explicit Joined(Quads& quads) : quads_(quads) {}
    ~Joined() { finish(); }
    Joined(const Joined&) = delete;
    Joined& operator=(const Joined&) = delete;

    void add(const Rect& place, ImU32 colour) {
        const bool goes_on = colour == colour_ && place.y == open_.y && place.height == open_.height && place.x >= open_.x &&
                             place.x <= open_.right();
        if (goes_on) {
            open_.width = std::max(open_.width, place.right() - open_.x);
            return;
        }
        finish();
        open_ = place;
        colour_ = colour;
    }

private:
    void finish() { quads_.add(open_, colour_); }

    Quads& quads_;
    Rect open_;
    ImU32 colour_ = 0;
};

// The same for rectangles that stand on one line, all of one height: what most of a dense lane is.
class JoinedRow {
public:
    JoinedRow(Quads& quads, float y, float height) : quads_(quads), open_{0, y, 0, height} {}
    ~JoinedRow() { finish(); }
    JoinedRow(const JoinedRow&) = delete;
    JoinedRow& operator=(const JoinedRow&) = delete;

    void add(float x, float width, ImU32 colour) {
        const float right = x + width;
        if (colour == colour_ && x >= open_.x && x <= right_) {
            right_ = std::max(right_, right);
            return;
        }
        finish();
        open_.x = x;
        right_ = right;
        colour_ = colour;
    }

private:
    void finish() {
        open_.width = right_ - open_.x;
        quads_.add(open_, colour_);
    }

    Quads& quads_;
    Rect open_;
    float right_ = 0;
    ImU32 colour_ = 0;
};

}  // namespace sla::ui
