// The whole window in memory, with mouse and keys moved by hand.
#include "tests/support/sample_capture.h"
#include "viewer/ui/keys.h"
#include "viewer/ui/picture.h"
#include "viewer/ui/screen.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

namespace sla::ui {
namespace {

// A session that is there already.
class StillFeed final : public Feed {
public:
    explicit StillFeed(const std::function<void(support::CaptureBuilder&)>& fill) {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        fill(capture);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] FeedStatus status() const override { return {FeedState::kLoaded, "test.sla", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}

private:
    store::Session session_;
};

class Window : public ::testing::Test {
protected:
    void open(const std::function<void(support::CaptureBuilder&)>& fill, ThemeName theme = ThemeName::kDark,
              int width = 1280, int height = 720, float scale = 1) {
        screen_.reset();
        ScreenOptions options;
        options.width = width;
        options.height = height;
        options.scale = scale;
        options.headless = true;
        options.settings.motion = false;
        options.settings.theme = theme;
        auto screen = Screen::open(options, std::make_unique<StillFeed>(fill));
        ASSERT_TRUE(screen.ok()) << screen.error().message;
        screen_ = std::move(*screen);
        frames(3);
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) ASSERT_TRUE(screen_->frame());
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

    std::unique_ptr<Screen> screen_;
};

bool has_colour(const Pixels& pixels, const Rect& where, ImU32 colour) {
    for (int y = static_cast<int>(where.y); y < static_cast<int>(where.bottom()); ++y) {
        for (int x = static_cast<int>(where.x); x < static_cast<int>(where.right()); ++x) {
            const std::uint8_t* p = &pixels.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) +
                                                  static_cast<std::size_t>(x)) *
                                                 4];
            if (IM_COL32(p[0], p[1], p[2], 0xFF) == colour) return true;
        }
    }
    return false;
}

TEST_F(Window, shows_lanes_in_their_colours_in_both_themes) {
    for (const ThemeName name : {ThemeName::kDark, ThemeName::kLight}) {
        open(support::add_bench_scene, name);
        const Theme& theme = theme_of(name);
        const Pixels pixels = screen_->pixels();
        EXPECT_TRUE(has_colour(pixels, lanes(), theme.background));
        for (std::size_t hue = 0; hue < 4; ++hue) EXPECT_TRUE(has_colour(pixels, lanes(), theme.lane(hue))) << hue;
        EXPECT_TRUE(has_colour(pixels, app().layout().toolbar, theme.panel));
    }
}

TEST_F(Window, the_wheel_zooms_at_the_pointer) {
    open(support::add_bench_scene);
    const float x = lanes().x + 300;
    const std::uint64_t tick = port().tick_at(300);
    const double before = port().ticks_per_pixel();
    move(x, lanes().y + 40);
    for (int i = 0; i < 12; ++i) wheel(1);
    EXPECT_LT(port().ticks_per_pixel(), before / 8);
    EXPECT_NEAR(static_cast<double>(x_of(tick)), static_cast<double>(x), 2.0);
}

TEST_F(Window, shift_drag_measures_between_edges) {
    open(support::add_few);
    const store::Lane& rx = *app().feed().session().lane_named("net.rx");
    app().view().show({rx.tick(4) - 20'000, rx.tick(9) + 20'000});
    frames(2);
    const float y = lanes().y + 24 + 28 + 14;  // the second lane below the group's head
    ImGui::GetIO().KeyShift = true;
    drag(0, x_of(rx.tick(5)) + 3, y, x_of(rx.tick(8)) - 2, y);
    ImGui::GetIO().KeyShift = false;
    const auto measured = timeline::measure(app().view().cursors, app().feed().session().clock());
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->ticks, static_cast<std::int64_t>(rx.tick(8) - rx.tick(5)));
    EXPECT_TRUE(app().view().cursors.a->snapped);
    const Theme& theme = theme_of(ThemeName::kDark);
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().ruler, theme.cursor_a));
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().ruler, theme.cursor_b));
}

TEST_F(Window, alt_suspends_snapping) {
    open(support::add_few);
    const store::Lane& rx = *app().feed().session().lane_named("net.rx");
    ImGui::GetIO().KeyAlt = true;
    move(x_of(rx.tick(5)) + 3, lanes().y + 60);
    type("1");
    EXPECT_FALSE(app().view().cursors.a->snapped);
    ImGui::GetIO().KeyAlt = false;
    frames(1);
    EXPECT_TRUE(app().view().cursors.a->snapped);
}

TEST_F(Window, a_left_drag_pans_and_a_middle_drag_zooms_to_its_range) {
    open(support::add_bench_scene);
    const std::uint64_t tick = port().tick_at(400);
    drag(0, lanes().x + 400, lanes().y + 50, lanes().x + 300, lanes().y + 50);
    EXPECT_NEAR(port().x_of(tick), 300.0, 1.0);
    const std::uint64_t first = port().tick_at(200);
    const std::uint64_t last = port().tick_at(500);
    drag(2, lanes().x + 200, lanes().y + 50, lanes().x + 500, lanes().y + 50);
    EXPECT_NEAR(port().x_of(first), 0.0, 2.0);
    EXPECT_NEAR(port().x_of(last), port().width(), 2.0);
}

TEST_F(Window, a_click_selects_the_event_and_a_row_goes_back_to_it) {
    open(support::add_few);
    const store::Lane& rx = *app().feed().session().lane_named("net.rx");
    const float y = lanes().y + 24 + 28 + 14;
    move(x_of(rx.tick(20)) + 1, y);
    press(0);
    release(0);
    ASSERT_TRUE(app().view().selection);
    EXPECT_EQ(app().view().selection->index, 20u);
    EXPECT_EQ(app().view().focus, &rx);
    type(".");
    EXPECT_EQ(app().view().selection->index, 21u);

    const Rect& table = app().layout().table;
    move(table.x + 200, table.y + 24 + 10);  // the first row
    frames(30);
    press(0);
    release(0);
    ASSERT_TRUE(app().view().selection);
    EXPECT_TRUE(app().view().selection->lane != &rx || app().view().selection->index != 21u);
    const double x = port().x_of(app().view().selection->tick);
    EXPECT_GE(x, 0.0);
    EXPECT_LE(x, port().width());
}

TEST_F(Window, keys_zoom_fit_and_open_the_help) {
    open(support::add_bench_scene);
    const double all = port().ticks_per_pixel();
    type("www");
    EXPECT_LT(port().ticks_per_pixel(), all / 2);
    type("f");
    EXPECT_NEAR(port().ticks_per_pixel(), all, all * 0.01);
    type("?");
    EXPECT_TRUE(app().help_open());
    key(kKeyEscape);
    EXPECT_FALSE(app().help_open());
    type("2");
    EXPECT_TRUE(app().view().cursors.b);
    key(kKeyEscape);
    EXPECT_FALSE(app().view().cursors.b);
}

TEST_F(Window, every_size_scale_and_number_of_channels_draws) {
    for (const std::size_t channels : {0, 1, 60, 1000}) {
        for (const float scale : {1.0F, 2.0F}) {
            open([&](support::CaptureBuilder& capture) { support::add_mixed(capture, channels, 40); }, ThemeName::kDark,
                 1024, 640, scale);
            move(lanes().x + lanes().width / 2, lanes().y + 20);
            wheel(3);
            frames(4);
            const Pixels pixels = screen_->pixels();
            std::set<std::uint32_t> colours;
            for (std::size_t i = 0; i + 2 < pixels.rgba.size(); i += 4) {
                colours.insert(
                    static_cast<std::uint32_t>(pixels.rgba[i] << 16 | pixels.rgba[i + 1] << 8 | pixels.rgba[i + 2]));
            }
            EXPECT_GT(colours.size(), 20u) << channels << " channels at scale " << scale;
        }
    }
}

TEST_F(Window, errors_stay_until_dismissed) {
    open(support::add_few);
    app().errors().add("something failed; do this");
    frames(2);
    EXPECT_GT(app().layout().error_bar.height, 0.0F);
    const Rect bar = app().layout().error_bar;
    move(bar.right() - 24, bar.y + bar.height / 2);
    press(0);
    release(0);
    EXPECT_FALSE(app().errors().any());
    EXPECT_EQ(app().layout().error_bar.height, 0.0F);
}

TEST(Picture, is_written_and_says_what_went_wrong) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "sla-picture-test";
    std::filesystem::create_directories(folder);
    support::CaptureBuilder capture(1'000'000, 2.7e9);
    support::add_few(capture);
    capture.write((folder / "few.sla").string());
    PictureOptions options;
    options.target = (folder / "few.sla").string();
    options.png = (folder / "few.png").string();
    options.table_file = (folder / "few.csv").string();
    const Result<void> rendered = render_to_png(options);
    ASSERT_TRUE(rendered.ok()) << rendered.error().message;
    EXPECT_GT(std::filesystem::file_size(options.png), 10'000u);
    std::ifstream table(options.table_file);
    std::string head;
    std::getline(table, head);
    EXPECT_EQ(head, "index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns");

    options.target = (folder / "missing.sla").string();
    options.table_file.clear();
    EXPECT_FALSE(render_to_png(options).ok());
    options.target = "tcp:nonsense";
    EXPECT_FALSE(render_to_png(options).ok());
    options.target = (folder / "few.sla").string();
    options.focus = "no.such";
    EXPECT_FALSE(render_to_png(options).ok());
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sla::ui
