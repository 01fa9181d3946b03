// Solid rectangles, many at a time: a lane is thousands of them, and a call into ImGui for each costs more than all else a
// lane's painting does.
#pragma once

#include "viewer/ui/widgets/layout.h"

#include <emmintrin.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sla::ui {

// The column of pixels of a place on the screen, as std::floor, without a call: the compiler's baseline has no instruction
// for it. What lies far out of sight (the value before a deep zoom) stays there, but within what an int can hold.
inline int column(float x) {
    constexpr float kFar = 1e9F;
    const float near = std::clamp(x, -kFar, kFar);
    const int whole = static_cast<int>(near);
    return whole - (static_cast<float>(whole) > near ? 1 : 0);
}
// The same of what is known to lie in sight, or not far to the left of it.
inline int column_in_sight(float x) {
    constexpr int kLeft = 64;
    return static_cast<int>(x + static_cast<float>(kLeft)) - kLeft;
}
inline float pixel(float x) {
    return static_cast<float>(column(x));
}

// Draws into the list like ImDrawList::AddRectFilled, in the order of add(), with one reservation for kAtOnce rectangles.
// While it lives nothing else may draw into the list. Costs some 4 ns a rectangle.
class Quads {
public:
    explicit Quads(ImDrawList& list) : list_(list), white_(white_pixel()) {}
    ~Quads() { give_back(); }
    Quads(const Quads&) = delete;
    Quads& operator=(const Quads&) = delete;

    void add(const Rect& place, ImU32 colour) {
        if (place.width <= 0 || place.height <= 0 || (colour & IM_COL32_A_MASK) == 0) return;
        if (left_ == 0) reserve();
        --left_;
        put_vertices(place, colour);
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
    static_assert(sizeof(ImDrawVert) == 5 * sizeof(float) && offsetof(ImDrawVert, uv) == 2 * sizeof(float));
    static_assert(sizeof(ImDrawIdx) == sizeof(std::uint16_t) && std::endian::native == std::endian::little);
    static constexpr std::uint64_t kFourIndices = 0x0000'0002'0001'0000;
    static constexpr std::uint32_t kTwoIndices = 0x0003'0002;
    static constexpr std::uint64_t kInEachOfFour = 0x0001'0001'0001'0001;
    static constexpr std::uint32_t kInEachOfTwo = 0x0001'0001;

    static __m128 white_pixel() {
        const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
        return _mm_setr_ps(uv.x, uv.y, 0, 0);
    }
    // Four vertices of x, y, u, v and colour are twenty words: five registers, put together without memory in between.
    //
    //   x0 y0 u v │ c x1 y0 u │ v c x1 y1 │ u v c x0 │ y1 u v c
    void put_vertices(const Rect& place, ImU32 colour) {
        // By its members: who fills a rectangle one by one would wait to load it as a whole.
        const __m128 xyxy = _mm_setr_ps(place.x, place.y, place.right(), place.bottom());
        const __m128 uvc = _mm_movelh_ps(white_, _mm_castsi128_ps(_mm_cvtsi32_si128(static_cast<int>(colour))));
        const __m128 cx1 = _mm_shuffle_ps(uvc, xyxy, _MM_SHUFFLE(2, 2, 2, 2));
        const __m128 y0u = _mm_shuffle_ps(xyxy, uvc, _MM_SHUFFLE(0, 0, 1, 1));
        const __m128 cx0 = _mm_shuffle_ps(uvc, xyxy, _MM_SHUFFLE(0, 0, 2, 2));
        const __m128 y1u = _mm_shuffle_ps(xyxy, uvc, _MM_SHUFFLE(0, 0, 3, 3));
        auto* words = reinterpret_cast<float*>(vertex_);
        _mm_storeu_ps(words, _mm_movelh_ps(xyxy, uvc));
        _mm_storeu_ps(words + 4, _mm_shuffle_ps(cx1, y0u, _MM_SHUFFLE(2, 0, 2, 0)));
        _mm_storeu_ps(words + 8, _mm_shuffle_ps(uvc, xyxy, _MM_SHUFFLE(3, 2, 2, 1)));
        _mm_storeu_ps(words + 12, _mm_shuffle_ps(uvc, cx0, _MM_SHUFFLE(2, 0, 1, 0)));
        _mm_storeu_ps(words + 16, _mm_shuffle_ps(y1u, uvc, _MM_SHUFFLE(2, 1, 2, 0)));
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
    const __m128 white_;  // u, v of the font texture's white pixel
    ImDrawVert* vertex_ = nullptr;
    ImDrawIdx* index_ = nullptr;
    unsigned first_ = 0;  // the next rectangle's first vertex
    int left_ = 0;        // of what is reserved
};

// Memory for what a full window draws, taken once: a list that grows copies all of it into fresh memory, page by page from
// the kernel, and the first dense view would stutter.
inline void make_space(ImDrawList& list) {
    constexpr int kQuads = 1 << 16;
    if (list.VtxBuffer.Capacity >= 4 * kQuads) return;
    list.VtxBuffer.reserve(4 * kQuads);
    list.IdxBuffer.reserve(6 * kQuads);
    const auto touch = [](auto& buffer) {
        std::memset(static_cast<void*>(buffer.end()), 0,
                    static_cast<std::size_t>(buffer.Capacity - buffer.Size) * sizeof *buffer.Data);
    };
    touch(list.VtxBuffer);
    touch(list.IdxBuffer);
}

// Columns of pixels [begin, end).
struct PixelRange {
    int begin = 1;  // none yet: nothing touches it
    int end = 0;

    // The columns [x, x + width) become part of it. False: they do not touch it.
    bool take(int x, int width) {
        if (x > end || x < begin) return false;
        end = std::max(end, x + width);
        return true;
    }
    [[nodiscard]] Rect rect(float y, float height) const {
        return {static_cast<float>(begin), y, static_cast<float>(end - begin), height};
    }
};

// Columns that come from left to right; those of one look that touch become one range, which finish(range, look) draws.
// A dense lane costs its changes, not its pixels: some five instructions a column.
template <typename Look, typename Finish>
class Joined {
public:
    Joined(const Look& look, Finish finish) : look_(look), finish_(std::move(finish)) {}
    ~Joined() { give(); }
    Joined(const Joined&) = delete;
    Joined& operator=(const Joined&) = delete;

    // [x, x + width)
    void add(int x, int width, const Look& look = {}) {
        if (look == look_ && range_.take(x, width)) return;
        give();
        range_ = {x, x + width};
        look_ = look;
    }

private:
    void give() {
        if (range_.begin < range_.end) finish_(range_, look_);
    }

    PixelRange range_;
    Look look_;
    Finish finish_;
};

// What one range of columns looks like.
struct Band {
    float y = 0;
    float height = 0;
    ImU32 colour = 0;
    bool operator==(const Band&) const = default;
};

// Rectangles as they are.
inline auto join_bands(Quads& quads) {
    return Joined(Band{},
                  [&quads](const PixelRange& range, const Band& of) { quads.add(range.rect(of.y, of.height), of.colour); });
}

// Rectangles that all look like this.
inline auto join_row(Quads& quads, const Band& band) {
    struct Alike {
        bool operator==(const Alike&) const = default;
    };
    return Joined(Alike{}, [&quads, band](const PixelRange& range, Alike) {
        quads.add(range.rect(band.y, band.height), band.colour);
    });
}

}  // namespace sla::ui
