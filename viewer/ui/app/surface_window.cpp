#include "viewer/ui/app/input_queue.h"
#include "viewer/ui/app/pixels.h"
#include "viewer/ui/app/surface.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

namespace sla::ui {

namespace {

// As fast as the display shows frames, and a little: it sets the pace where it can, this where it does not.
std::chrono::microseconds least_frame() {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* const mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
    const int hertz = mode == nullptr || mode->refreshRate <= 0 ? 60 : mode->refreshRate;
    return std::chrono::microseconds(900'000 / hertz);
}

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text == nullptr ? "no reason given" : text;
}

// Mesa's renderers without a graphics processor.
bool is_software(const char* renderer) {
    const std::string_view name = renderer == nullptr ? "" : renderer;
    return name.find("llvmpipe") != name.npos || name.find("softpipe") != name.npos || name.find("SWR") != name.npos;
}

class WindowSurface final : public Surface {
public:
    ~WindowSurface() override {
        if (backends_) {
            ImGui_ImplOpenGL3_Shutdown();
            ImGui_ImplGlfw_Shutdown();
        }
        if (window_ != nullptr) glfwDestroyWindow(window_);
        if (started_) glfwTerminate();
    }

    Result<void> open(int width, int height, const std::string& title) {
        started_ = glfwInit() == GLFW_TRUE;
        if (!started_) return no_window();
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        glfwWindowHintString(GLFW_X11_CLASS_NAME, "sla-viewer");
        glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "sla-viewer");  // GLFW takes the two together or neither
        window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
        if (window_ == nullptr) return no_window();
        glfwSetWindowSizeLimits(window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
        glfwSetWindowUserPointer(window_, this);
        glfwSetDropCallback(window_, &WindowSurface::dropped);
        glfwSetWindowCloseCallback(window_, &WindowSurface::asked_to_close);
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(1);
        least_frame_ = least_frame();
        ImGui_ImplGlfw_InitForOpenGL(window_, true);
        glfwSetKeyCallback(window_, &WindowSurface::key_changed);
        glfwSetCharCallback(window_, &WindowSurface::character_typed);
        glfwSetCursorPosCallback(window_, &WindowSurface::mouse_moved);
        glfwSetCursorEnterCallback(window_, &WindowSurface::mouse_entered);
        glfwSetMouseButtonCallback(window_, &WindowSurface::button_changed);
        glfwSetScrollCallback(window_, &WindowSurface::wheel_turned);
        ImGui_ImplOpenGL3_Init("#version 330 core");
        backends_ = true;
        is_drawn_by_software_ = is_software(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
        return {};
    }

    void set_activity(Activity activity) override { activity_ = activity; }

    void begin_frame() override {
        take_input();
        input_.take_frame(ImGui::GetIO().WantTextInput, [this](const Input& input) { give(input); });
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        // In place of where the mouse is by now.
        ImGui::GetIO().MousePos = mouse_;
        std::copy(buttons_.begin(), buttons_.end(), ImGui::GetIO().MouseDown);
    }

    void end_frame() override {
        int width = 0;
        int height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        glViewport(0, 0, width, height);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        glfwSwapBuffers(window_);
    }

    Pixels read_pixels() override {
        Pixels pixels;
        glfwGetFramebufferSize(window_, &pixels.width, &pixels.height);
        pixels.rgba.resize(static_cast<std::size_t>(pixels.width) * 4 * static_cast<std::size_t>(pixels.height));
        glReadBuffer(GL_FRONT);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, pixels.width, pixels.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
        return upright(std::move(pixels));
    }

    void fonts_changed() override {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }

    [[nodiscard]] float content_scale() const override {
        float x = 1.0F;
        float y = 1.0F;
        glfwGetWindowContentScale(window_, &x, &y);
        return x;
    }

private:
    using Clock = std::chrono::steady_clock;

    // A window that shows the same picture over and over takes the processor from what is measured beside it, and one that is
    // drawn by the processor itself takes much of it. Whatever a person does wakes it, for as long as motion and fetched rows
    // may take.
    void take_input() {
        constexpr std::chrono::seconds kAwake{1};
        const auto begin = Clock::now();
        const auto next = last_frame_ + nap();
        if (activity_ == Activity::kWork || !input_.empty()) awake_until_ = begin + kAwake;
        if (begin >= awake_until_ && next > last_frame_ + least_frame_) {
            if (next > begin) glfwWaitEventsTimeout(std::chrono::duration<double>(next - begin).count());
            if (Clock::now() < next) awake_until_ = Clock::now() + kAwake;
            glfwPollEvents();
        } else {
            std::this_thread::sleep_until(last_frame_ + least_frame_);
            glfwPollEvents();
        }
        last_frame_ = Clock::now();
    }

    // Of nobody who does anything.
    [[nodiscard]] std::chrono::milliseconds nap() const {
        switch (activity_) {
            case Activity::kNone:
            case Activity::kNumbers: return std::chrono::milliseconds(250);
            case Activity::kFollowing: return std::chrono::milliseconds(is_drawn_by_software_ ? 125 : 0);
            case Activity::kWork: break;
        }
        return std::chrono::milliseconds(0);
    }

    void give(const Input& input) {
        using What = Input::What;
        switch (input.what) {
            case What::kMove: mouse_ = ImVec2(static_cast<float>(input.x), static_cast<float>(input.y)); return;
            case What::kWheel: ImGui_ImplGlfw_ScrollCallback(window_, input.x, input.y); return;
            case What::kButtonUp:
            case What::kButtonDown:
                buttons_.at(static_cast<std::size_t>(input.key)) = input.what == What::kButtonDown;
                return;
            case What::kCharacter: ImGui_ImplGlfw_CharCallback(window_, input.character); return;
            default: break;
        }
        const int action = input.what == What::kUp ? GLFW_RELEASE : GLFW_PRESS;
        ImGui_ImplGlfw_KeyCallback(window_, input.key, input.scancode, action, input.mods);
    }

    static Error no_window() {
        return unavailable(
            fmt::format("cannot open a window: {}. Without a display, use: "
                        "sla-viewer --headless --screenshot F.png",
                        last_glfw_error()));
    }

    static WindowSurface& of(GLFWwindow* window) { return *static_cast<WindowSurface*>(glfwGetWindowUserPointer(window)); }

    static void key_changed(GLFWwindow* window, int key, int scancode, int action, int mods) {
        if (action == GLFW_REPEAT) return;  // ImGui repeats by itself
        const bool is_modifier = key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
        const auto down = is_modifier ? Input::What::kModifierDown : Input::What::kDown;
        const auto what = action == GLFW_RELEASE ? Input::What::kUp : down;
        of(window).input_.add({.what = what, .key = key, .scancode = scancode, .mods = mods});
    }
    static void character_typed(GLFWwindow* window, unsigned character) {
        of(window).input_.add({.what = Input::What::kCharacter, .character = character});
    }
    static void mouse_moved(GLFWwindow* window, double x, double y) {
        of(window).input_.add({.what = Input::What::kMove, .x = x, .y = y});
    }
    static void mouse_entered(GLFWwindow* window, int entered) {
        if (entered == GLFW_TRUE) return;  // it moves there, too
        for (int button = 0; button < static_cast<int>(kButtons); ++button) {
            if (glfwGetMouseButton(window, button) == GLFW_PRESS) return;  // what is dragged goes with it
        }
        mouse_moved(window, -FLT_MAX, -FLT_MAX);
    }
    static void button_changed(GLFWwindow* window, int button, int action, int) {
        if (button < 0 || button >= static_cast<int>(kButtons)) return;
        of(window).input_.add(
            {.what = action == GLFW_PRESS ? Input::What::kButtonDown : Input::What::kButtonUp, .key = button});
    }
    static void wheel_turned(GLFWwindow* window, double x, double y) {
        of(window).input_.add({.what = Input::What::kWheel, .x = x, .y = y});
    }

    static void dropped(GLFWwindow* window, int count, const char** paths) {
        for (int i = 0; i < count && of(window).on_drop; ++i) of(window).on_drop(paths[i]);
    }

    static void asked_to_close(GLFWwindow* window) {
        glfwSetWindowShouldClose(window, GLFW_FALSE);
        if (of(window).on_close) of(window).on_close();
    }

    GLFWwindow* window_ = nullptr;
    bool started_ = false;
    bool backends_ = false;
    Activity activity_ = Activity::kWork;
    bool is_drawn_by_software_ = false;
    std::chrono::microseconds least_frame_{0};
    Clock::time_point awake_until_;
    Clock::time_point last_frame_;
    static constexpr std::size_t kButtons = 5;  // as many as ImGui knows
    InputQueue input_;
    ImVec2 mouse_{-FLT_MAX, -FLT_MAX};
    std::array<bool, kButtons> buttons_{};
};

}  // namespace

Result<std::unique_ptr<Surface>> make_window_surface(int width, int height, const std::string& title) {
    auto surface = std::make_unique<WindowSurface>();
    if (Result<void> opened = surface->open(width, height, title); !opened) return opened.error();
    return std::unique_ptr<Surface>(std::move(surface));
}

}  // namespace sla::ui
