// Properties of all objects, checked on random objects of every type of the kitchen sink.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/table/message.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"
#include "simdjson.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace {

// Counts what the program requests from malloc; its target is linked with --wrap.
size_t g_malloc_calls = 0;
size_t g_malloc_bytes = 0;

}  // namespace

extern "C" {
void* __real_malloc(size_t bytes);   // NOLINT(bugprone-reserved-identifier)
void* __wrap_malloc(size_t bytes);   // NOLINT(bugprone-reserved-identifier)
void* __wrap_malloc(size_t bytes) {  // NOLINT(bugprone-reserved-identifier)
  ++g_malloc_calls;
  g_malloc_bytes += bytes;
  return __real_malloc(bytes);
}
}

namespace kube::codec::internal {
namespace {

constexpr int kObjectsOfEachType = 40;
constexpr uint64_t kSeed = 20261;

SampleObject RandomObject(oracle::Dice& dice, const kube::table::Message& message,
                          const RandomValueOptions& options = {}) {
  SampleObject object(message);
  FillRandomly(dice, object.get(), message, options);
  return object;
}

// Calls `check` with random objects. Failures name the object.
template <typename Check>
void ForRandomObjects(const RandomValueOptions& options, const Check& check) {
  for (const auto& [type, message] : oracle::KitchenTypes()) {
    oracle::Dice dice(kSeed);
    for (int i = 0; i < kObjectsOfEachType; ++i) {
      SCOPED_TRACE(absl::StrCat(type, " ", i, ", seed ", kSeed));
      const SampleObject object = RandomObject(dice, *message, options);
      check(object, dice);
      if (testing::Test::HasFailure()) return;
    }
  }
}

std::string Json(const SampleObject& object) {
  std::string json;
  const absl::Status status = AppendJson(json, object.get(), object.message());
  EXPECT_TRUE(status.ok()) << status;
  return json;
}

std::string Protobuf(const SampleObject& object) {
  std::string bytes;
  const absl::Status status = AppendProtobuf(bytes, object.get(), object.message());
  EXPECT_TRUE(status.ok()) << status;
  return bytes;
}

SampleObject Decoded(const kube::table::Message& message, codec::Encoding encoding,
                     absl::string_view bytes) {
  SampleObject object(message);
  const PaddedBuffer buffer(bytes);
  const absl::Status status =
      codec::DecodeInto(object.get(), message, encoding, buffer.view(), DecodeOptions{});
  EXPECT_TRUE(status.ok()) << status << "\n" << bytes;
  return object;
}

std::vector<Change> Changes(const SampleObject& a, const SampleObject& b,
                            const DiffOptions& options = {}) {
  return Diff(a.get(), b.get(), a.message(), options);
}

TEST(Properties, CopiesAreEqualAndAsLarge) {
  ForRandomObjects({}, [](const SampleObject& object, oracle::Dice&) {
    const size_t calls = g_malloc_calls;
    const size_t bytes = g_malloc_bytes;
    const SampleObject copy = object;
    const size_t made_calls = g_malloc_calls - calls;
    const size_t made_bytes = g_malloc_bytes - bytes;
    EXPECT_EQ(copy, object);
    EXPECT_EQ(Json(copy), Json(object));
    const ObjectSize size = DeepSize(copy.get(), copy.message());
    EXPECT_EQ(size.owned_pieces + 1, made_calls);
    EXPECT_EQ(size.owned + size.object, made_bytes);
    EXPECT_EQ(size.block + size.shared, 0);
  });
}

TEST(Properties, DiffIsEmptyWhereEqual) {
  ForRandomObjects({.max_depth = 1}, [](const SampleObject& a, oracle::Dice& dice) {
    const SampleObject b = RandomObject(dice, a.message(), {.max_depth = 1});
    EXPECT_EQ(Changes(a, b).empty(), a == b) << Json(a) << "\n" << Json(b);
    EXPECT_TRUE(Changes(a, a).empty()) << ToString(Changes(a, a));
  });
}

TEST(Properties, PathsOfDiffLeadToItsValues) {
  ForRandomObjects({}, [](const SampleObject& a, oracle::Dice& dice) {
    const SampleObject b = RandomObject(dice, a.message());
    const ValueView root(b.get(), b.type(), kube::table::Shape::kValue);
    for (const Change& change : Changes(a, b, {.max_value_size = 0})) {
      const absl::StatusOr<ValueView> found = FindPath(root, change.path);
      if (!change.after.has_value()) {
        EXPECT_TRUE(absl::IsNotFound(found.status()) || found->form() == ValueForm::kAbsent)
            << change;
        continue;
      }
      ASSERT_TRUE(found.ok()) << found.status();
      const bool hidden = (*change.after)[0] == '<' || *change.after == "{...}";
      if (hidden) continue;
      EXPECT_EQ(*found->Json(), *change.after) << change;
    }
  });
}

TEST(Properties, JsonReadsBack) {
  ForRandomObjects({.survives = true}, [](const SampleObject& object, oracle::Dice&) {
    const std::string json = Json(object);
    const SampleObject again = Decoded(object.message(), codec::Encoding::kJson, json);
    EXPECT_EQ(again, object) << json << "\n" << ToString(Changes(object, again));
  });
}

// An object that is converted to YAML and back equals the one that is converted to JSON and back,
// except for the spelling of numbers within raw JSON, which is compared as YAML.
TEST(Properties, YamlReadsBack) {
  ForRandomObjects({.survives = true}, [](const SampleObject& object, oracle::Dice&) {
    const std::string json = Json(object);
    // Go writes the key << without quotes too, and then reads it as a merge.
    if (json.find(R"("\u003c\u003c":)") != std::string::npos) return;
    const absl::StatusOr<std::string> yaml = JsonToYaml(json);
    ASSERT_TRUE(yaml.ok()) << yaml.status();
    SampleObject again(object.message());
    const absl::Status status =
        DecodeYamlInto(again.get(), object.message(), *yaml, DecodeOptions{}, 1);
    ASSERT_TRUE(status.ok()) << status << "\n" << *yaml;
    const auto as_yaml = [](const SampleObject& of) { return *JsonToYaml(Json(of)); };
    EXPECT_EQ(as_yaml(again), as_yaml(Decoded(object.message(), codec::Encoding::kJson, json)));
  });
}

TEST(Properties, ProtobufReadsBack) {
  ForRandomObjects({.survives = true}, [](const SampleObject& object, oracle::Dice&) {
    const std::string bytes = Protobuf(object);
    EXPECT_EQ(Protobuf(Decoded(object.message(), codec::Encoding::kProtobuf, bytes)), bytes);
  });
}

TEST(Properties, OthersReadIt) {
  simdjson::dom::parser parser;
  int read = 0;
  int refused = 0;
  ForRandomObjects({}, [&](const SampleObject& object, oracle::Dice&) {
    const std::string json = Json(object);
    // It reads no integers beyond 64 bits, and a double may look like one.
    const simdjson::error_code error = parser.parse(json).error();
    EXPECT_TRUE(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR) << json;
    refused += error == simdjson::SUCCESS ? 0 : 1;
    ++read;
    google::protobuf::UnknownFieldSet fields;
    EXPECT_TRUE(fields.ParseFromString(Protobuf(object)));
  });
  EXPECT_LT(refused, read / 4);
}

}  // namespace
}  // namespace kube::codec::internal
