// What the tests of the window's panels share.
#pragma once

#include "tests/unit/viewer/ui/window_fixture.h"

namespace sla::ui {

class Panels : public Window {
protected:
    void open_few() { open(support::add_few); }
    void open_bench(int width = 1280, int height = 720, float scale = 1) {
        open(support::add_bench_scene, ThemeName::kDark, width, height, scale);
    }
    // Undo needs the pause that parts one movement from the next.
    void rest() { frames(60); }
    void add_shots() {
        store::Session& session = app().source().session();
        const store::Lane& post = lane("port.post");
        for (std::uint64_t i = 0; i < 6; ++i) {
            const std::uint64_t tick = post.tick(20 + i * 30);
            session.add_shot({"slow", i + 1, tick, tick - 2'000'000, tick + 6'000'000, "width pipe.compress > 50us"});
        }
        session.touch();
        frames(2);
    }
};

}  // namespace sla::ui
