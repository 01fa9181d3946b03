// The whole window in memory, with mouse and keys moved by hand.
#pragma once

#include "tests/support/sample_capture.h"
#include "viewer/ui/app/screen.h"
#include "viewer/ui/commands/chord.h"
#include "viewer/ui/widgets/item_rects.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

namespace sla::ui {

// A session that is there already.
class StillSource final : public DataSource {
public:
    explicit StillSource(const std::function<void(support::CaptureBuilder&)>& fill) {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        fill(capture);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoaded, "test.sla", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
};

inline ImU32 colour_at(const Pixels& pixels, int x, int y) {
    const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x);
    const std::uint8_t* p = &pixels.rgba[pixel * 4];
    return IM_COL32(p[0], p[1], p[2], 0xFF);
}

inline bool has_colour(const Pixels& pixels, const Rect& where, ImU32 colour) {
    for (int y = static_cast<int>(where.y); y < static_cast<int>(where.bottom()); ++y) {
        for (int x = static_cast<int>(where.x); x < static_cast<int>(where.right()); ++x) {
            if (colour_at(pixels, x, y) == colour) return true;
        }
    }
    return false;
}

class Window : public ::testing::Test {
protected:
    ~Window() override { note_items(nullptr); }
    void open(const std::function<void(support::CaptureBuilder&)>& fill, ThemeName theme = ThemeName::kDark,
              int width = 1280, int height = 720, float scale = 1) {
        open(std::make_unique<StillSource>(fill), theme, width, height, scale);
    }
    void open(std::unique_ptr<DataSource> source, ThemeName theme = ThemeName::kDark, int width = 1280, int height = 720,
              float scale = 1) {
        screen_.reset();
        ScreenOptions options;
        options.width = width;
        options.height = height;
        options.scale = scale;
        options.headless = true;
        options.fonts = FontChoice::kOnlyDejavu;
        options.pace = Pace::kSteady;
        options.settings = settings_;
        options.settings.motion = false;
        options.settings.theme = theme;
        auto screen = Screen::open(options, std::move(source));
        ASSERT_TRUE(screen.ok()) << screen.error().message;
        screen_ = std::move(*screen);
        note_items(&items_);
        frames(3);
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) ASSERT_TRUE(screen_->frame());
    }
    // Frames go on while a job works beside them; the caller asks whether it came to an end.
    template <typename Condition>
    void frames_until(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!condition() && std::chrono::steady_clock::now() < deadline) frames(1);
    }
    App& app() { return screen_->app(); }
    const Rect& lanes() { return app().layout().lanes; }
    const timeline::Viewport& port() { return app().view().port(); }
    float x_of(std::uint64_t tick) { return lanes().x + static_cast<float>(port().x_of(tick)); }

    void move(float x, float y) {
        ImGui::GetIO().MousePos = {x, y};
        frames(1);
    }
    void press(int button) {
        ImGui::GetIO().MouseDown[button] = true;
        frames(1);
    }
    void release(int button) {
        ImGui::GetIO().MouseDown[button] = false;
        frames(2);
    }
    void drag(int button, float x0, float y0, float x1, float y1) {
        move(x0, y0);
        frames(30);  // two presses are no double click
        press(button);
        move((x0 + x1) / 2, (y0 + y1) / 2);
        move(x1, y1);
        release(button);
    }
    void drag_item(const std::string& name, float across) {
        const Rect at = item(name);
        const float y = at.y + at.height / 2;
        drag(0, at.x + at.width / 2, y, at.x + at.width / 2 + across, y);
    }
    void wheel(float steps) {
        ImGui::GetIO().MouseWheel = steps;
        frames(2);
    }
    void type(const char* characters) {
        for (const char* c = characters; *c != '\0'; ++c) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*c));
            frames(2);
        }
    }
    void key(int number) {
        ImGui::GetIO().KeysDown[number] = true;
        frames(1);
        ImGui::GetIO().KeysDown[number] = false;
        frames(1);
    }

    void ctrl(int number) {
        ImGui::GetIO().KeyCtrl = true;
        key(number);
        ImGui::GetIO().KeyCtrl = false;
        frames(1);
    }
    // Where something stood in the last frame, by its name.
    Rect item(const std::string& name) {
        const auto found = items_.find(name);
        const bool there = found != items_.end() && found->second.frame >= ImGui::GetFrameCount() - 1;
        EXPECT_TRUE(there) << "there is no \"" << name << "\" in this frame";
        return there ? found->second.place : Rect();
    }
    void click_item(const std::string& name, int button = 0) {
        const Rect at = item(name);
        click(at.x + at.width / 2, at.y + at.height / 2, button);
    }
    void click(float x, float y, int button = 0) {
        move(x, y);
        frames(30);  // no double click with the one before
        press(button);
        release(button);
    }
    // The height of a lane's middle on the screen.
    float y_of(const char* channel) {
        const timeline::TreeRow* row = app().document().tree.row_of(app().source().session().lane_named(channel));
        if (row == nullptr) return -1;
        return lanes().y + (row->y + row->height / 2) * app().layout().scale - app().view().lane_scroll;
    }
    const store::Lane& lane(const char* channel) { return *app().source().session().lane_named(channel); }
    // An action by its id, as the palette runs it.
    void act(const char* id) {
        app().run(id);
        frames(2);
    }

    // For people to look at: kept when $SLA_PICTURES names a folder.
    void keep(const std::string& name) {
        const char* folder = std::getenv("SLA_PICTURES");
        if (folder == nullptr) return;
        const Result<void> written = write_png(screen_->pixels(), std::string(folder) + "/" + name + ".png");
        EXPECT_TRUE(written.ok());
    }

    Settings settings_;  // that the next window opens with
    ItemRects items_;
    std::unique_ptr<Screen> screen_;
};

}  // namespace sla::ui
