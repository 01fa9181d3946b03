/* What the agent wants of a channel's markers: on, off, or only those that pass a filter.
 *
 * The agent writes an sla_channel_control into the channel's descriptor, between two steps of its sequence, and says so. The
 * attach thread then sets every channel's `armed`; a marker of a filtered channel comes through sla_mark_asking to here and
 * reads the control where it lies. A marker that runs into a change in progress keeps its event: in doubt nothing is hidden.
 */
#include "agent/marker/internal.h"

struct filter_config {
    uint32_t compare;
    uint32_t real;
    uint64_t low;
    uint64_t high;
    uint64_t every;
    uint32_t sequence;
};

/* False: it is being changed right now. Each acquire pairs with a release of SegmentView::set_control or of clear: who sees
 * one changed field sees the odd sequence that came before it. */
static bool read_config(const struct sla_channel_control* control, struct filter_config* config) {
    config->sequence = __atomic_load_n(&control->sequence, __ATOMIC_ACQUIRE);
    config->compare = __atomic_load_n(&control->compare, __ATOMIC_ACQUIRE);
    config->real = __atomic_load_n(&control->real, __ATOMIC_ACQUIRE);
    config->low = __atomic_load_n(&control->low, __ATOMIC_ACQUIRE);
    config->high = __atomic_load_n(&control->high, __ATOMIC_ACQUIRE);
    config->every = __atomic_load_n(&control->every, __ATOMIC_ACQUIRE);
    return config->sequence % 2 == 0 && __atomic_load_n(&control->sequence, __ATOMIC_RELAXED) == config->sequence;
}

static bool judge(const struct filter_config* config, bool below_low, bool equals_low, bool above_high, bool comparable) {
    switch (config->compare) {
        case SLA_COMPARE_LESS: return below_low;
        case SLA_COMPARE_LESS_EQUAL: return below_low || equals_low;
        case SLA_COMPARE_GREATER: return comparable && !below_low && !equals_low;
        case SLA_COMPARE_GREATER_EQUAL: return comparable && !below_low;
        case SLA_COMPARE_EQUAL: return equals_low;
        case SLA_COMPARE_NOT_EQUAL: return !equals_low;
        case SLA_COMPARE_INSIDE: return comparable && !below_low && !above_high;
        default: return true;
    }
}

static double as_double(uint64_t bits) {
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

static bool judge_real(const struct filter_config* config, double value) {
    double low = config->real ? as_double(config->low) : (double)(int64_t)config->low;
    double high = config->real ? as_double(config->high) : (double)(int64_t)config->high;
    return judge(config, value<low, value == low, value> high, value == value);
}

/* Markers without a value pass. Numbers compare as what they are: an unsigned one above INT64_MAX is more than any bound. */
static bool passes_compare(const struct filter_config* config, enum sla_code code, uint64_t value) {
    switch (code) {
        case SLA_CODE_VALUE_FLOAT: return judge_real(config, as_double(value));
        case SLA_CODE_VALUE_UNSIGNED:
            if (config->real) return judge_real(config, (double)value);
            if ((int64_t)value < 0) return judge(config, false, false, true, true);
            break;
        case SLA_CODE_TICK_VALUE:
        case SLA_CODE_BEGIN_VALUE:
        case SLA_CODE_VALUE_SIGNED:
        case SLA_CODE_LEVEL:
            if (config->real) return judge_real(config, (double)(int64_t)value);
            break;
        default: return true;
    }
    int64_t low = (int64_t)config->low;
    int64_t number = (int64_t)value;
    return judge(config, number<low, number == low, number>(int64_t) config->high, true);
}

/* One instruction each, so that a signal handler's marker in between costs no count. */
static uint64_t count_and_get(uint64_t* counter) {
    uint64_t one = 1;
    __asm__ volatile("xaddq %0, %1" : "+r"(one), "+m"(*counter));
    return one;
}

static void count_one(uint64_t* counter) {
    __asm__ volatile("incq %0" : "+m"(*counter));
}

/* A span is kept or turned away whole: the ends ask what became of their begins, which stand as a stack of bits, 1 for
 * turned away. Below the deepest 64, and before the filter came, all were kept. */
static bool keeps(const struct filter_config* config, struct sla_filter_state* state, enum sla_code code, uint64_t value) {
    if (state->sequence != config->sequence) *state = (struct sla_filter_state){.sequence = config->sequence};
    if (code == SLA_CODE_END || code == SLA_CODE_END_VALUE) {
        bool kept = !(state->turned_away & 1);
        state->turned_away >>= 1;
        return kept;
    }
    bool kept =
        passes_compare(config, code, value) && (config->every <= 1 || count_and_get(&state->passed) % config->every == 0);
    if (code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE) state->turned_away = state->turned_away << 1 | !kept;
    return kept;
}

bool sla_filter_keeps(const sla_channel* channel, struct sla_filter_state* states, enum sla_code code, uint64_t value) {
    uint32_t index = __atomic_load_n(&channel->index, __ATOMIC_RELAXED);
    if (!index) return true; /* no descriptor was left for it: the writer's lack of a ring says the rest */
    struct filter_config config;
    return !read_config(&sla_descriptor(index)->control, &config) || keeps(&config, states + index, code, value);
}

void sla_filter_count(const sla_channel* channel, const struct sla_writer* writer) {
    if (writer) {
        count_one(&writer->ring->filtered);
    } else {
        __atomic_fetch_add(&sla_descriptor(channel->index)->control.filtered, 1, __ATOMIC_RELAXED);
    }
}

enum sla_armed sla_filter_armed(const sla_channel* channel) {
    if (!channel->index) return sla_clock_armed();
    const struct sla_channel_control* control = &sla_descriptor(channel->index)->control;
    if (__atomic_load_n(&control->off, __ATOMIC_RELAXED)) return SLA_ARMED_OFF;
    bool filtered = __atomic_load_n(&control->compare, __ATOMIC_RELAXED) != SLA_COMPARE_ANY ||
                    __atomic_load_n(&control->every, __ATOMIC_RELAXED) > 1;
    return filtered ? SLA_ARMED_FILTERED : sla_clock_armed();
}

enum sla_policy sla_filter_policy(const sla_channel* channel) {
    uint32_t wanted = __atomic_load_n(&sla_descriptor(channel->index)->control.policy, __ATOMIC_RELAXED);
    if (wanted == 0) return channel->policy == SLA_OVERWRITE ? SLA_OVERWRITE : SLA_DROP_NEWEST;
    return wanted == 1 + SLA_OVERWRITE ? SLA_OVERWRITE : SLA_DROP_NEWEST;
}

static void clear(struct sla_channel_control* control) {
    uint32_t sequence = __atomic_load_n(&control->sequence, __ATOMIC_RELAXED) | 1;
    __atomic_store_n(&control->sequence, sequence, __ATOMIC_RELAXED);
    /* Every release pairs with an acquire of read_config. */
    __atomic_store_n(&control->off, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&control->policy, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&control->compare, SLA_COMPARE_ANY, __ATOMIC_RELEASE);
    __atomic_store_n(&control->real, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&control->low, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&control->high, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&control->every, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&control->sequence, sequence + 1, __ATOMIC_RELEASE);
}

void sla_filter_clear_all(void) {
    struct sla_segment_header* segment = sla_segment();
    uint32_t count = segment ? segment->channel_count : 0;
    for (uint32_t index = 1; index <= count; index++) clear(&sla_descriptor(index)->control);
}
