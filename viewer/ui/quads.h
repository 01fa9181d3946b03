// Solid rectangles, many at a time: a lane is thousands of them, and a call into ImGui for each costs more than all else a
// lane's painting does.
#pragma once

#include "viewer/ui/layout.h"

#include <imgui.h>

#include <algorithm>
#include <cstddef>

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
    explicit Quads(ImDrawList& list) : list_(list), uv_(ImGui::GetFontTexUvWhitePixel()) {}
    ~Quads() { give_back(); }
    Quads(const Quads&) = delete;
    Quads& operator=(const Quads&) = delete;

    void add(const Rect& place, ImU32 colour) {
        if (place.width <= 0 || place.height <= 0 || (colour & IM_COL32_A_MASK) == 0) return;
        if (left_ == 0) reserve();
        --left_;
        const float right = place.right();
        const float bottom = place.bottom();
        vertex_[0] = {{place.x, place.y}, uv_, colour};
        vertex_[1] = {{right, place.y}, uv_, colour};
        vertex_[2] = {{right, bottom}, uv_, colour};
        vertex_[3] = {{place.x, bottom}, uv_, colour};
        vertex_ += 4;
        const auto at = [&](unsigned corner) { return static_cast<ImDrawIdx>(first_ + corner); };
        index_[0] = at(0);
        index_[1] = at(1);
        index_[2] = at(2);
        index_[3] = at(0);
        index_[4] = at(2);
        index_[5] = at(3);
        index_ += 6;
        first_ += 4;
    }

private:
    static constexpr int kAtOnce = 1024;  // 4096 vertices of the 65536 that 16-bit indices reach

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
    ImVec2 uv_;
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
