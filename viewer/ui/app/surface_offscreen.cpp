#include "viewer/ui/app/pixels.h"
#include "viewer/ui/app/surface.h"

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace sla::ui {

namespace {

constexpr float kSteadyFrame = 1.0F / 60.0F;

Error egl_error(const char* step) {
    return unavailable(
        fmt::format("cannot render off-screen: {} failed (EGL error 0x{:x}). Install Mesa's EGL "
                    "(package libegl-mesa0) or try again with LIBGL_ALWAYS_SOFTWARE=1",
                    step, static_cast<unsigned>(eglGetError())));
}

// Mesa's drawing by the processor ends the program where it gets no memory: it loads a compiler and starts threads.
constexpr rlim_t kLeastAddressSpace = rlim_t{512} << 20;

Result<void> check_memory_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kLeastAddressSpace)
        return {};
    return unavailable(
        fmt::format("cannot render off-screen: {} MiB of address space are too few (ulimit -v); {} MiB are needed",
                    limit.rlim_cur >> 20, kLeastAddressSpace >> 20));
}

// Holds a context; it goes in the destructor, in whatever state set-up ended. The display is the process's own, opened again
// by whoever comes next: terminating it would unload the driver with every surface.
struct Egl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;

    Egl() = default;
    Egl(const Egl&) = delete;
    Egl& operator=(const Egl&) = delete;
    ~Egl() {
        if (display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    }

    Result<void> open() {
        if (Result<void> enough = check_memory_limit(); !enough) return enough;
        display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        if (display == EGL_NO_DISPLAY) return egl_error("opening the surfaceless platform");
        if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return egl_error("starting EGL");
        if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return egl_error("choosing OpenGL");
        const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (eglChooseConfig(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) config = EGL_NO_CONFIG_KHR;
        const EGLint version[] = {
            EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        if (context == EGL_NO_CONTEXT) return egl_error("creating an OpenGL 3.3 context");
        if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE) {
            return egl_error("using the OpenGL context");
        }
        return {};
    }
};

class OffscreenSurface final : public Surface {
public:
    OffscreenSurface(int width, int height, Pace pace) : width_(width), height_(height), pace_(pace) {}

    ~OffscreenSurface() override {
        if (backend_) ImGui_ImplOpenGL3_Shutdown();
        if (texture_ != 0) glDeleteTextures(1, &texture_);
        if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
    }

    Result<void> open() {
        if (Result<void> opened = egl_.open(); !opened) return opened;
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            return unavailable(fmt::format("cannot render off-screen: no picture of {}x{} pixels; choose a smaller --size",
                                           width_, height_));
        }
        backend_ = ImGui_ImplOpenGL3_Init("#version 330 core");
        if (!backend_) return unavailable("cannot render off-screen: OpenGL could not be loaded (package libgl1)");
        return {};
    }

    void begin_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
        io.DeltaTime = kSteadyFrame;
        const auto now = std::chrono::steady_clock::now();
        if (pace_ == Pace::kReal && last_frame_) {
            const std::chrono::duration<float> passed = now - *last_frame_;
            io.DeltaTime = std::max(passed.count(), 1e-4F);
        }
        last_frame_ = now;
        ImGui_ImplOpenGL3_NewFrame();
    }

    // Drawing by software is the dear part of a frame, and most frames are never looked at.
    void end_frame() override { is_drawn_ = false; }

    void fonts_changed() override {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }

    Pixels read_pixels() override {
        draw();
        Pixels pixels{width_, height_, {}};
        pixels.rgba.resize(static_cast<std::size_t>(width_) * 4 * static_cast<std::size_t>(height_));
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
        return upright(std::move(pixels));
    }

private:
    void draw() {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        if (std::exchange(is_drawn_, true)) return;
        glViewport(0, 0, width_, height_);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        glFinish();
    }

    Egl egl_;
    int width_;
    int height_;
    Pace pace_;
    std::optional<std::chrono::steady_clock::time_point> last_frame_;
    GLuint texture_ = 0;
    GLuint framebuffer_ = 0;
    bool backend_ = false;
    bool is_drawn_ = true;  // before the first frame there is nothing to draw
};

}  // namespace

Result<std::unique_ptr<Surface>> make_offscreen_surface(int width, int height, Pace pace) {
    auto surface = std::make_unique<OffscreenSurface>(width, height, pace);
    if (Result<void> opened = surface->open(); !opened) return opened.error();
    return std::unique_ptr<Surface>(std::move(surface));
}

}  // namespace sla::ui
