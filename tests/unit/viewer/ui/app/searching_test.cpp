// Steps from hit to hit while the search is still on its way: nothing is said to be the last before that is known.
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>

namespace sla::ui {
namespace {

using testing::HasSubstr;

// Whoever looks at the session beside the frames waits at a gate: for the pages of a file, of which there are none.
class GatedPages final : public store::PageSource {
public:
    explicit GatedPages(std::shared_future<void> gate) : gate_(std::move(gate)) {}
    std::shared_ptr<const store::Run> load(ChannelId, const store::PageTable&, std::size_t) override { return nullptr; }
    std::shared_ptr<const store::Run> find(ChannelId, const store::PageTable&, std::size_t) override { return nullptr; }
    void let_go(std::shared_ptr<const store::Run>) override {}
    [[nodiscard]] std::uint64_t waits() const override { return 0; }
    [[nodiscard]] Another another() const override {
        return [gate = gate_](store::Session&, std::size_t) {
            gate.wait();
            return std::make_shared<GatedPages>(gate);
        };
    }

private:
    std::shared_future<void> gate_;
};

// As a large capture, whose rows are looked through beside the frames: here only once the test says so.
class GatedSource final : public DataSource {
public:
    GatedSource() {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_few(capture);
        capture.fill(session_);
        session_.hold(std::make_shared<GatedPages>(gate_));
    }
    ~GatedSource() override { open_gate(); }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoaded, "large.sla", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}
    void open_gate() {
        if (!is_open_) opened_.set_value();
        is_open_ = true;
    }

private:
    std::promise<void> opened_;
    std::shared_future<void> gate_ = opened_.get_future().share();
    bool is_open_ = false;
    store::Session session_;
};

class Searching : public Panels {
protected:
    Searching() {
        auto source = std::make_unique<GatedSource>();
        source_ = source.get();
        open(std::move(source));
    }
    void search(const char* text) {
        app().document().search.set(text);
        frames(2);
    }
    void finish() {
        source_->open_gate();
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (app().document().search.busy() && std::chrono::steady_clock::now() < limit) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            frames(1);
        }
        ASSERT_FALSE(app().document().search.busy());
        frames(2);
    }
    const std::string& notice() { return app().errors().notice(); }

    GatedSource* source_ = nullptr;
};

TEST_F(Searching, ALaterHitIsWaitedForUntilItIsKnownWhetherThereIsOne) {
    search("kind == tick");
    ASSERT_TRUE(app().document().search.busy());
    act("next-hit");
    EXPECT_THAT(notice(), HasSubstr("Searching for a later hit"));
    EXPECT_FALSE(app().document().marks.selection);
    keep("searching");
    finish();
    const std::vector<Hit>& hits = app().document().search.hits();
    ASSERT_GT(hits.size(), 1u);
    ASSERT_TRUE(app().document().marks.selection) << "it went to the hit that it waited for";
    EXPECT_EQ(app().document().marks.selection->tick, hits.front().tick);
    EXPECT_EQ(notice(), "");
    app().document().marks.selection = Selection{hits.back().lane, hits.back().index, hits.back().tick};
    act("next-hit");
    EXPECT_EQ(notice(), "No later hit");
}

TEST_F(Searching, WhatIsChosenMeanwhileEndsTheWaiting) {
    search("kind == tick");
    act("next-hit");
    const store::Lane& parse = lane("net.parse");
    app().document().marks.selection = Selection{&parse, 0, parse.tick(0)};
    frames(2);
    EXPECT_EQ(notice(), "");
    finish();
    EXPECT_EQ(app().document().marks.selection->lane, &parse);
}

TEST_F(Searching, ThatNothingIsFoundIsSaidAtTheEndOnly) {
    search("value == 123456789");
    act("next-hit");
    EXPECT_THAT(notice(), HasSubstr("Searching"));
    finish();
    EXPECT_EQ(notice(), "No later hit");
}

}  // namespace
}  // namespace sla::ui
