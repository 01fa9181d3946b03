// One capture or agent in the window, and all that a person does with it. Several may be open; one is shown, all receive.
// Owner: the window's thread. What points into the source's session lives and dies with the document.
#pragma once

#include "viewer/store/names.h"
#include "viewer/timeline/lanes/lane_tree.h"
#include "viewer/workspace/counters/counter_watch.h"
#include "viewer/workspace/counters/register_watch.h"
#include "viewer/workspace/jobs/export_job.h"
#include "viewer/workspace/jobs/statistics_options.h"
#include "viewer/workspace/panel_state.h"
#include "viewer/workspace/search/search.h"
#include "viewer/workspace/source/agent_link.h"
#include "viewer/workspace/source/catching_up.h"
#include "viewer/workspace/source/data_source.h"
#include "viewer/workspace/source/gone_programs.h"
#include "viewer/workspace/source/lane_rates.h"
#include "viewer/workspace/source/told_notes.h"
#include "viewer/workspace/sql/kept_answers.h"
#include "viewer/workspace/sql/question.h"
#include "viewer/workspace/table/table_rows.h"
#include "viewer/workspace/view/history.h"
#include "viewer/workspace/view/marks.h"
#include "viewer/workspace/view/view.h"
#include "viewer/workspace/view/view_file.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

struct Document {
    explicit Document(std::unique_ptr<DataSource> from);
    ~Document();
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    // Takes data for at most `budget`.
    void take_data(std::chrono::milliseconds budget, double seconds);
    // Data comes, or something is being looked for or written.
    [[nodiscard]] bool is_busy() const;
    // The same, and not only at the pace at which an agent's events happen.
    [[nodiscard]] bool is_working() const;
    // The same document on the source that has older history too (DataSource::take_longer); this one is left behind empty.
    [[nodiscard]] std::unique_ptr<Document> go_on_with(std::unique_ptr<DataSource> longer);
    // Once a frame: what changed since the last one can be undone, unless a gesture is under way.
    void observe(double seconds, bool gesture);
    // The state that is undone, redone and kept beside the capture.
    [[nodiscard]] ViewState state() const;
    void set_state(const ViewState& state);
    // Looks for the file of an earlier look at this capture, where undo begins; what goes wrong is for people.
    [[nodiscard]] Result<void> restore();
    // Writes it when it changed since; what could not be written is tried again by the next call.
    [[nodiscard]] Result<void> keep();
    // Where that file is: beside the capture, or among the settings where that folder takes none; "" when there is no place for it,
    // or nothing to keep.
    [[nodiscard]] std::string view_path() const;

    View& view() { return views[0]; }
    // Axis breaks, of all panes.
    void set_folds(const std::vector<timeline::TickRange>& folds);
    // Questions whose answers are lanes and columns.
    void set_questions(const std::vector<KeptQuestion>& questions);
    [[nodiscard]] bool has_unseen_losses() const {
        return source->session().lost() > losses_seen || source->session().uncounted_losses() > uncounted_seen;
    }
    // The banner is dismissed.
    void see_losses() {
        losses_seen = source->session().lost();
        uncounted_seen = source->session().uncounted_losses();
    }
    // The next export, or none, takes the place of the last one.
    void set_job(std::unique_ptr<ExportJob> next);
    // One export or another has all of the session's first so many events in a file (gap rows aside).
    [[nodiscard]] std::uint64_t saved_until() const;
    // Which of the session's shots is looked at.
    [[nodiscard]] std::optional<std::size_t> shown_shot() const;

    std::unique_ptr<DataSource> source;
    std::array<View, 2> views;  // of the panes: two show the same data at two places
    Marks marks;                // and the same marks
    bool two_panes = false;
    std::size_t active = 0;  // the pane that has the mouse, or had it last
    timeline::LaneTree tree;
    LaneRates rates;
    GonePrograms gone;
    CatchingUp catching_up;
    History history;
    TableRows rows;
    PanelState panels;
    Search search;
    std::unique_ptr<AgentLink> agent;  // never null; goes on in the document that has older rows
    std::unique_ptr<CounterWatch> counters = std::make_unique<CounterWatch>();     // likewise
    std::unique_ptr<RegisterWatch> registers = std::make_unique<RegisterWatch>();  // likewise
    std::unique_ptr<SqlQuestion> question = std::make_unique<SqlQuestion>();       // likewise
    std::unique_ptr<KeptAnswers> kept_answers = std::make_unique<KeptAnswers>();   // asked anew there
    StatisticsOptions statistics_options;
    std::unique_ptr<ExportJob> job;    // the last export, whose words are shown
    bool overlay = false;              // shots of the same trigger are drawn over each other at t = 0
    std::optional<store::Shot> shot;   // the one that is looked at: its place may change when an earlier one comes late
    std::uint64_t losses_seen = 0;     // up to which the banner was dismissed,
    std::uint64_t uncounted_seen = 0;  // and of those of unknown number
    std::string reported;              // the source's message that is in the errors already
    std::string reported_keeping;      // why it could not be kept, likewise
    ToldNotes told_notes;              // of the session's
    bool restored = false;
    bool on_trial = false;        // opened by the person, and its agent has not answered yet
    std::size_t opened_from = 0;  // the document that was shown before
    bool is_temporary = false;    // of the demo: nothing of it is kept

private:
    void fetch_what_is_seen();
    // Lanes of answers come and go: nothing points at one that is gone.
    void take_answers();
    // An agent or a fleet: there is no folder that it lies in.
    [[nodiscard]] bool is_remote() const;

    ViewState kept_;
    KeptView file_;
    std::uint64_t answers_taken_ = 0;
    std::uint64_t saved_until_ = 0;  // by exports before the last one
    bool could_run_;                 // at the last look
};

}  // namespace sla::workspace
