#include "viewer/workspace/sql/kept_answers.h"

#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

// Of a source that grows a question is asked again so rarely that asking takes no more than this part of the time.
constexpr double kMinPause = 2;
constexpr double kPauseOfCost = 20;
// Ids that no agent gives.
constexpr std::uint32_t kFirstLaneId = 0xFFFF'0000U;
constexpr std::uint32_t kLaneIds = 0xFFFF;

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void KeptAnswers::set(const std::vector<KeptQuestion>& questions) {
    if (questions == questions_) return;
    if (made_ != nullptr) states_[asked_].is_due = true;
    asking_.cancel();
    made_.reset();
    std::vector<State> states(questions.size());
    gone_.clear();
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        const auto same = std::find(questions.begin(), questions.end(), questions_[i]);
        if (same != questions.end()) {
            states[static_cast<std::size_t>(same - questions.begin())] = std::move(states_[i]);
        } else {
            for (auto* made : {&states_[i].answer, &states_[i].retired}) {
                if (*made != nullptr) gone_.push_back(std::move(*made));
            }
        }
    }
    questions_ = questions;
    states_ = std::move(states);
    ++revision_;
}

void KeptAnswers::ask_again(std::size_t question) {
    states_[question].is_due = true;
}

void KeptAnswers::note_growth(DataSource& source) {
    if (!source.can_run()) return;
    for (State& state : states_) {
        const double pause = std::max(kMinPause, state.seconds * kPauseOfCost);
        const bool has_grown = state.revision != source.session().revision();
        if (!state.is_due && has_grown && seconds_since(state.asked_at) > pause) state.is_due = true;
    }
}

void KeptAnswers::step(DataSource& source) {
    if (asking_.is_busy()) {
        if (const auto ended = asking_.poll()) end(*ended);
        if (asking_.is_busy()) return;
    }
    const SourceState state = source.status().state;
    const bool comes = state == SourceState::kLoading || state == SourceState::kConnecting;
    if (questions_.empty() || comes || source.session().lanes().empty()) return;
    note_growth(source);
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        if (questions_[i].form != QuestionForm::kAnswer && states_[i].is_due) return begin(source, i);
    }
}

Result<void> KeptAnswers::make(const KeptQuestion& question, std::uint32_t number, sql::Engine& engine,
                               const store::Session& session, Made& made) {
    if (question.form == QuestionForm::kColumn) {
        auto asked = engine.ask(sql::column_question(question.text), made.column);
        made.column.finish();
        made.rows = made.column.rows();
        if (made.column.is_cut()) made.words = ", the first ones only";
        return asked;
    }
    sql::LaneAnswer answer;
    if (auto asked = engine.ask(question.text, answer); !asked.ok()) return asked;
    made.session = std::make_unique<store::Session>();
    made.session->set_origin(session.origin());
    store::Channel channel;
    channel.id = ChannelId{kFirstLaneId + number % kLaneIds};
    channel.name = question.name;
    store::Lane& lane = made.session->add_channel(std::move(channel));
    made.lane = &lane;
    made.rows = answer.rows();
    if (const std::string words = answer.words(); !words.empty()) made.words = ", " + words;
    return answer.fill(lane);
}

void KeptAnswers::begin(DataSource& source, std::size_t question) {
    State& state = states_[question];
    state.is_due = false;
    state.asked_at = Clock::now();
    state.revision = source.session().revision();
    asked_ = question;
    made_ = std::make_shared<Made>();
    asking_.begin(source, [to = made_, asked = questions_[question], number = ++lanes_made_](sql::Engine& engine,
                                                                                             const store::Session& session) {
        return make(asked, number, engine, session, *to);
    });
}

void KeptAnswers::end(const Result<void>& outcome) {
    State& state = states_[asked_];
    state.seconds = seconds_since(state.asked_at);
    const auto made = std::exchange(made_, nullptr);
    state.problem = outcome.ok() ? "" : outcome.error().message;
    if (!outcome.ok()) return;
    state.retired = std::move(state.answer);
    state.answer = std::make_unique<Made>(std::move(*made));
    ++revision_;
}

std::vector<const store::Lane*> KeptAnswers::lanes() const {
    std::vector<const store::Lane*> lanes;
    for (const State& state : states_) {
        if (state.answer != nullptr && state.answer->lane != nullptr) lanes.push_back(state.answer->lane);
    }
    return lanes;
}

const store::Lane* KeptAnswers::successor_of(const store::Lane& lane) const {
    for (const State& state : states_) {
        if (state.answer == nullptr) continue;
        const bool was_it = state.retired != nullptr && state.retired->lane == &lane;
        if (was_it || state.answer->lane == &lane) return state.answer->lane;
    }
    return nullptr;
}

std::optional<std::size_t> KeptAnswers::column_at(std::size_t at) const {
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        if (questions_[i].form == QuestionForm::kColumn && at-- == 0) return i;
    }
    return std::nullopt;
}

const KeptQuestion* KeptAnswers::column(std::size_t at) const {
    const auto question = column_at(at);
    return question ? &questions_[*question] : nullptr;
}

std::string KeptAnswers::cell(std::size_t column, const store::Lane& lane, std::uint64_t row, std::uint64_t tick) const {
    const auto question = column_at(column);
    if (!question) return {};
    const State& state = states_[*question];
    const std::string unknown = "\xE2\x80\xA6";
    if (state.answer == nullptr) return state.problem.empty() ? unknown : "";
    const store::Channel& channel = lane.channel();
    const auto value = state.answer->column.find({channel.id.value, channel.name, row, tick});
    if (!value) return state.answer->column.is_cut() ? unknown : "";
    switch (value->type) {
        case sql::ColumnAnswer::Type::kInteger: return fmt::format("{}", value->integer);
        case sql::ColumnAnswer::Type::kReal: return fmt::format("{:.10g}", value->real);
        case sql::ColumnAnswer::Type::kText: break;
    }
    return std::string(value->text);
}

std::string KeptAnswers::words(std::size_t question) const {
    const State& state = states_[question];
    if (!state.problem.empty()) return state.problem.substr(0, state.problem.find('\n'));
    if (questions_[question].form == QuestionForm::kAnswer) return {};
    if (asking_.is_busy() && asked_ == question) return asking_.words();
    if (state.answer == nullptr) return "waits for its turn";
    return fmt::format("{} row{} in {:.3g} s{}", timeline::grouped(state.answer->rows), state.answer->rows == 1 ? "" : "s",
                       state.seconds, state.answer->words);
}

}  // namespace sla::workspace
