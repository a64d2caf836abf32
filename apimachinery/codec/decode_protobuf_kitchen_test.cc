// Compares with Go on protobuf that no encoder writes: mutations, pieces, and messages that are
// decoded into existing objects.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/decode_every_way.h"
#include "apimachinery/codec/testing/mutate_wire.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/message.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

namespace kube::codec::internal {
namespace {

using oracle::KitchenOracle;

// Go has no limit.
constexpr DecodeOptions kOptions = {.max_depth = 10000};

struct Question {
  oracle::KitchenType type;
  std::vector<std::string> inputs;
  size_t number;
};

// Returns the protobuf of Go's random objects of every type.
struct RandomObjects {
  explicit RandomObjects(int seed, int count) : seed_text(absl::StrCat(seed)) {
    for (const oracle::KitchenType& type : types) {
      questions.push_back(go.Ask("random", type.name, {seed_text, absl::StrCat(count)}));
    }
    ran = go.Run();
  }

  // Returns the messages of types[i]; the JSON of each stands between them.
  std::vector<std::string> Of(size_t i) const {
    std::vector<std::string> wires;
    const std::vector<std::string>& outputs = *go[questions[i]];
    for (size_t k = 1; k < outputs.size(); k += 2) wires.push_back(outputs[k]);
    return wires;
  }

  std::string seed_text;
  absl::Span<const oracle::KitchenType> types = oracle::KitchenTypes();
  KitchenOracle go;
  std::vector<size_t> questions;
  absl::Status ran;
};

// Messages that Go reads and this decoder refuses on purpose: see decode_protobuf.h.
bool IsStricter(const absl::Status& ours) {
  return absl::StrContains(ours.message(), "wrong wire type in a map") ||
         absl::StrContains(ours.message(), "truncated entry of a map") ||
         absl::StrContains(ours.message(), "expected a field number greater than zero");
}

struct Counts {
  int read = 0;
  int refused = 0;
  int stricter = 0;
  // If a map entry has two values, Go reads both and may refuse the first one.
  static constexpr int kMostLooser = 3;
  int looser = 0;
  // Go keeps 64 bits of IntOrString.type; this decoder keeps 32.
  int narrower = 0;
};

void Compare(const Question& question, const absl::StatusOr<std::string>& ours,
             const KitchenOracle& go, Counts& counts) {
  const KitchenOracle::Answer& theirs = go[question.number];
  ++(ours.ok() ? counts.read : counts.refused);
  if (!ours.ok() && theirs.ok() && IsStricter(ours.status())) {
    ++counts.stricter;
    return;
  }
  if (ours.ok() && !theirs.ok() && counts.looser < Counts::kMostLooser) {
    ++counts.looser;
    return;
  }
  SCOPED_TRACE(absl::StrCat(question.type.name, " ", absl::CHexEscape(question.inputs.back())));
  EXPECT_EQ(ours.ok(), theirs.ok()) << ours.status() << " / " << theirs.status();
  if (!ours.ok() || !theirs.ok()) return;
  const std::string& their_wire = theirs->at(0);
  if (*ours != their_wire && DecodeEveryWay(*question.type.message, their_wire).value() == *ours) {
    ++counts.narrower;
  } else {
    EXPECT_EQ(absl::BytesToHexString(*ours), absl::BytesToHexString(their_wire));
  }
}

TEST(DecodeProtobufKitchen, MutationsAgainstGo) {
  constexpr int kSeed = 1, kObjects = 10, kMutations = 10;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  RandomObjects objects(kSeed, kObjects);
  if (oracle::PrintSkipped(objects.ran)) GTEST_SKIP();
  ASSERT_TRUE(objects.ran.ok()) << objects.ran;
  oracle::Dice dice(kSeed);
  std::vector<Question> questions;
  KitchenOracle go;
  for (size_t i = 0; i < objects.types.size(); ++i) {
    const oracle::KitchenType& type = objects.types[i];
    for (const std::string& wire : objects.Of(i)) {
      for (int mutation = 0; mutation < kMutations; ++mutation) {
        std::string mutated = MutateWire(dice, wire);
        for (size_t more = dice.Below(3); more > 0; --more) mutated = MutateWire(dice, mutated);
        questions.push_back({type, {mutated}, go.Ask("pb_to_pb", type.name, {mutated})});
      }
    }
  }
  ASSERT_TRUE(go.Run().ok());
  Counts counts;
  for (const Question& question : questions) {
    Compare(question, DecodeEveryWay(*question.type.message, question.inputs[0], kOptions), go,
            counts);
    if (testing::Test::HasFailure()) return;
  }
  // Otherwise this would test nothing.
  EXPECT_GT(counts.read, 1500);
  EXPECT_GT(counts.refused, 500);
  EXPECT_LT(counts.stricter, 150);
  EXPECT_LT(counts.narrower, 50);
}

TEST(DecodeProtobufKitchen, EveryPrefixAgainstGo) {
  constexpr int kSeed = 2;
  constexpr size_t kMaxSize = 600;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  RandomObjects objects(kSeed, 3);
  if (oracle::PrintSkipped(objects.ran)) GTEST_SKIP();
  ASSERT_TRUE(objects.ran.ok()) << objects.ran;
  std::vector<Question> questions;
  KitchenOracle go;
  for (size_t i = 0; i < objects.types.size(); ++i) {
    const oracle::KitchenType& type = objects.types[i];
    std::vector<std::string> wires = objects.Of(i);
    const auto larger = [](const std::string& a, const std::string& b) {
      return a.size() < b.size();
    };
    const std::string wire = *std::max_element(wires.begin(), wires.end(), larger);
    for (size_t size = 0; size <= std::min(wire.size(), kMaxSize); ++size) {
      const std::string prefix = wire.substr(0, size);
      questions.push_back({type, {prefix}, go.Ask("pb_to_pb", type.name, {prefix})});
    }
  }
  ASSERT_TRUE(go.Run().ok());
  Counts counts;
  for (const Question& question : questions) {
    Compare(question, DecodeEveryWay(*question.type.message, question.inputs[0], kOptions), go,
            counts);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(counts.read, 300);
  EXPECT_GT(counts.refused, 3000);
  EXPECT_EQ(counts.stricter + counts.looser, 0);
}

absl::StatusOr<std::string> DecodeBoth(const oracle::KitchenType& type,
                                       const std::vector<std::string>& wires) {
  SampleObject object(*type.message);
  for (const std::string& wire : wires) {
    const PaddedBuffer buffer(wire);
    const absl::Status status = codec::DecodeInto(
        object.get(), object.message(), codec::Encoding::kProtobuf, buffer.view(), kOptions);
    if (!status.ok()) return status;
  }
  std::string bytes;
  const absl::Status status = AppendProtobuf(bytes, object.get(), object.message());
  if (!status.ok()) return status;
  return bytes;
}

TEST(DecodeProtobufKitchen, OneIntoTheOtherAgainstGo) {
  constexpr int kSeed = 3, kObjects = 20;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  RandomObjects objects(kSeed, kObjects);
  if (oracle::PrintSkipped(objects.ran)) GTEST_SKIP();
  ASSERT_TRUE(objects.ran.ok()) << objects.ran;
  std::vector<Question> questions;
  KitchenOracle go;
  for (size_t i = 0; i < objects.types.size(); ++i) {
    const oracle::KitchenType& type = objects.types[i];
    const std::vector<std::string> wires = objects.Of(i);
    for (size_t k = 0; k + 1 < wires.size(); ++k) {
      const std::vector<std::string> inputs = {wires[k], wires[k + 1]};
      questions.push_back({type, inputs, go.Ask("pb_into_pb", type.name, inputs)});
    }
  }
  ASSERT_TRUE(go.Run().ok());
  Counts counts;
  for (const Question& question : questions) {
    const absl::StatusOr<std::string> both = DecodeBoth(question.type, question.inputs);
    Compare(question, both, go, counts);
    // Decoding two messages one after another is the same as decoding their concatenation.
    const absl::StatusOr<std::string> joined = DecodeEveryWay(
        *question.type.message, absl::StrCat(question.inputs[0], question.inputs[1]), kOptions);
    EXPECT_TRUE(joined.ok() && *joined == *both) << joined.status();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace kube::codec::internal
