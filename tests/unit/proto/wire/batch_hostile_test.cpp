// Batches that nobody honest would send.
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace sla::wire {
namespace {

using Spoil = std::function<void(Batch&)>;

// Three events (a value, a float, a gap with its story) that decode, before somebody spoils them.
Batch sound_batch() {
    EventBatch batch;
    batch.channel.value = 9;
    batch.add(100, SLA_CODE_TICK_VALUE, 5, 1);
    batch.add(110, SLA_CODE_VALUE_FLOAT, as_bits(1.5), 2);
    batch.add(120, SLA_CODE_GAP, 3, 2);
    batch.extras.push_back({2, {0, 0}, "", LossCause::kOverrun, 125});
    Batch encoded;
    encode_batch(batch, encoded);
    return encoded;
}

std::string complaint(const Spoil& spoil) {
    Batch batch = sound_batch();
    spoil(batch);
    EventBatch out;
    const Result<void> result = decode_batch(batch, out);
    return result.ok() ? "accepted" : result.error().message;
}

struct Case {
    const char* expected;
    Spoil spoil;
};

void expect_complaints(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        const std::string said = complaint(one.spoil);
        EXPECT_NE(said.find(one.expected), std::string::npos) << "expected: " << one.expected << "\nsaid: " << said;
    }
}

std::string bytes(std::initializer_list<int> list) {
    std::string out;
    for (const int byte : list) out += static_cast<char>(byte);
    return out;
}

TEST(HostileBatch, is_sound_before_it_is_spoilt) {
    EXPECT_EQ(complaint([](Batch&) {}), "accepted");
}

TEST(HostileBatch, with_a_count_that_cannot_be_is_refused) {
    expect_complaints({
        {"there are no events", [](Batch& b) { b.set_count(0); }},
        {"65537 events, 65536 are allowed", [](Batch& b) { b.set_count(65537); }},
        {"fewer bytes than events", [](Batch& b) { b.set_count(65536); }},
        {"fewer bytes than events", [](Batch& b) { b.set_count(4); }},
        {"bytes follow", [](Batch& b) { b.set_count(2); }},
        {"first_index", [](Batch& b) { b.set_first_index(std::numeric_limits<std::uint64_t>::max() - 2); }},
    });
}

TEST(HostileBatch, with_bad_ticks_is_refused) {
    expect_complaints({
        {"channel 9", [](Batch& b) { b.clear_ticks(); }},
        {"cut off",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10, 0x8a}));
         }},
        {"too long",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10, 0x8a, 0}));
         }},
        {"beyond 64 bits",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10}) + std::string(9, '\xff') + "\x01");
         }},
        {"bytes follow", [](Batch& b) { b.mutable_ticks()->push_back(0); }},
        {"not first_tick",
         [](Batch& b) {
             b.set_ticks(bytes({1, 9, 10}));
         }},
        {"not last_tick",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10, 11}));
         }},
        {"not last_tick", [](Batch& b) { b.set_first_tick(90); }},
        {"not last_tick", [](Batch& b) { b.set_last_tick(119); }},
    });
}

TEST(HostileBatch, with_bad_codes_is_refused) {
    expect_complaints({
        {"add up", [](Batch& b) { b.clear_codes(); }},
        {"0 is not a code",
         [](Batch& b) {
             b.set_codes(bytes({0, 3}));
         }},
        {"12 is not a code",
         [](Batch& b) {
             b.set_codes(bytes({12, 3}));
         }},
        {"255 is not a code",
         [](Batch& b) {
             b.set_codes(bytes({255, 3}));
         }},
        {"cut off", [](Batch& b) { b.set_codes(bytes({1})); }},
        {"add up",
         [](Batch& b) {
             b.set_codes(bytes({1, 0}));
         }},
        {"add up",
         [](Batch& b) {
             b.set_codes(bytes({1, 4}));
         }},
        {"add up",
         [](Batch& b) {
             b.set_codes(bytes({1, 2}));
         }},
        {"add up", [](Batch& b) { b.set_codes(bytes({1}) + std::string(9, '\xff') + "\x01"); }},
        {"bytes follow",
         [](Batch& b) {
             b.set_codes(bytes({2, 1, 10, 1, 15, 1, 1, 1}));
         }},
        {"bytes follow",
         [](Batch& b) {
             b.set_codes(bytes({1, 3}));
         }},
    });
}

TEST(HostileBatch, with_bad_threads_is_refused) {
    expect_complaints({
        {"cut off", [](Batch& b) { b.clear_threads(); }},
        {"cut off", [](Batch& b) { b.set_threads(bytes({1})); }},
        {"add up",
         [](Batch& b) {
             b.set_threads(bytes({1, 0}));
         }},
        {"add up",
         [](Batch& b) {
             b.set_threads(bytes({1, 4}));
         }},
        {"bytes follow",
         [](Batch& b) {
             b.set_threads(bytes({1, 3, 1, 1}));
         }},
        {"32 bits",
         [](Batch& b) {
             b.set_threads(bytes({0x80, 0x80, 0x80, 0x80, 0x10, 3}));
         }},
    });
}

TEST(HostileBatch, with_bad_values_is_refused) {
    expect_complaints({
        {"cut off", [](Batch& b) { b.clear_values(); }},
        {"floating-point number is cut off",
         [](Batch& b) {
             b.set_values(bytes({10, 0, 0, 0}));
         }},
        {"cut off", [](Batch& b) { b.mutable_values()->pop_back(); }},
        {"bytes follow", [](Batch& b) { b.mutable_values()->push_back(0); }},
        {"neither 0 nor 1",
         [](Batch& b) {
             b.set_codes(bytes({7, 3}));
             b.set_values(bytes({2, 0, 2}));
             b.clear_extras();
         }},
    });
}

TEST(HostileBatch, with_bad_extras_is_refused) {
    expect_complaints({
        {"beyond the last event", [](Batch& b) { b.mutable_extras(0)->set_position(3); }},
        {"do not rise", [](Batch& b) { b.add_extras()->set_position(1); }},
        {"do not rise", [](Batch& b) { b.add_extras()->set_position(2); }},
        {"more than events",
         [](Batch& b) {
             while (b.extras_size() < 4) b.add_extras();
         }},
        {"no gap", [](Batch& b) { b.mutable_extras(0)->set_position(1); }},
        {"cause", [](Batch& b) { b.mutable_extras(0)->set_cause(static_cast<Batch::LossCause>(Batch::LossCause_MAX + 1)); }},
        {"cause", [](Batch& b) { b.mutable_extras(0)->set_cause(static_cast<Batch::LossCause>(-1)); }},
        {"ends before", [](Batch& b) { b.mutable_extras(0)->set_until_tick(119); }},
        {"too long", [](Batch& b) { b.mutable_extras(0)->set_text(std::string(kMaxTextBytes + 1, 'x')); }},
    });
}

// Bits flipped, bytes put in, taken out or doubled, in the serialized message.
std::string mutated(std::mt19937_64& random, std::string bytes_in) {
    for (int change = 1 + static_cast<int>(random() % 4); change > 0 && !bytes_in.empty(); --change) {
        const std::size_t at = random() % bytes_in.size();
        switch (random() % 5) {
            case 0: bytes_in[at] = static_cast<char>(bytes_in[at] ^ (1 << random() % 8)); break;
            case 1: bytes_in[at] = static_cast<char>(random()); break;
            case 2: bytes_in.insert(at, 1, static_cast<char>(random())); break;
            case 3: bytes_in.erase(at, 1 + random() % 3); break;
            default: bytes_in.insert(at, bytes_in.substr(random() % bytes_in.size(), random() % 16)); break;
        }
    }
    return bytes_in;
}

TEST(HostileBatch, mutated_at_random_is_refused_or_still_a_valid_batch) {
    std::mt19937_64 random(13);
    int accepted = 0;
    int refused = 0;
    EventBatch out;
    for (int round = 0; round < 1500; ++round) {
        Batch encoded;
        encode_batch(random_batch(random, 60), encoded);
        const std::string sound = encoded.SerializeAsString();
        for (int attempt = 0; attempt < 40; ++attempt) {
            Batch spoilt;
            if (!parse_message(mutated(random, sound), spoilt)) continue;
            if (decode_batch(spoilt, out)) {
                ++accepted;
                ASSERT_TRUE(is_valid(out));
            } else {
                ++refused;
            }
        }
    }
    EXPECT_GT(accepted, 1000);
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace sla::wire
