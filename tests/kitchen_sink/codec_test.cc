// The codec over every feature of the type system: what it reads and writes is what Go reads and
// writes.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/cases.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/kitchen_sink/sink.kube.h"
#include "tests/kitchen_sink/wire_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

namespace base = ::kube::kitchen::base;
namespace sink = ::kube::kitchen::sink;

// Go's limit.
constexpr codec::DecodeOptions kOptions = {.max_depth = 10000};

// What the codec does with one type.
struct Codec {
  absl::StatusOr<std::string> (*json_to_json)(absl::string_view);
  absl::StatusOr<std::string> (*json_to_wire)(absl::string_view);
  absl::StatusOr<std::string> (*wire_to_json)(absl::string_view);
  absl::StatusOr<std::string> (*wire_to_wire)(absl::string_view);
  absl::StatusOr<std::vector<std::string>> (*strict_errors)(absl::string_view);
};

template <typename T>
absl::StatusOr<std::string> JsonToJson(absl::string_view json) {
  const absl::StatusOr<T> object = codec::DecodeJson<T>(json, kOptions);
  return object.ok() ? codec::EncodeJson(*object) : object.status();
}

template <typename T>
absl::StatusOr<std::string> JsonToWire(absl::string_view json) {
  const absl::StatusOr<T> object = codec::DecodeJson<T>(json, kOptions);
  return object.ok() ? codec::EncodeProtobuf(*object) : object.status();
}

template <typename T>
absl::StatusOr<std::string> WireToJson(absl::string_view wire) {
  const absl::StatusOr<T> object = codec::DecodeProtobuf<T>(wire, kOptions);
  return object.ok() ? codec::EncodeJson(*object) : object.status();
}

template <typename T>
absl::StatusOr<std::string> WireToWire(absl::string_view wire) {
  const absl::StatusOr<T> object = codec::DecodeProtobuf<T>(wire, kOptions);
  return object.ok() ? codec::EncodeProtobuf(*object) : object.status();
}

template <typename T>
absl::StatusOr<std::vector<std::string>> StrictErrors(absl::string_view json) {
  const auto decoded = codec::DecodeJsonAndReport<T>(json, kOptions);
  if (!decoded.ok()) return decoded.status();
  return decoded->strict_errors;
}

template <typename... T>
std::map<std::string, Codec> CodecsOf() {
  return {{std::string(T::kMessage.type_name()),
           Codec{JsonToJson<T>, JsonToWire<T>, WireToJson<T>, WireToWire<T>, StrictErrors<T>}}...};
}

// By the name of the type in the IDL.
const std::map<std::string, Codec>& Codecs() {
  static const std::map<std::string, Codec> kCodecs =
      CodecsOf<base::v1::ObjectMeta, base::v1::OwnerReference, base::v1::ManagedFieldsEntry,
               base::v1::ListMeta, base::v1::Point, base::v1::Pair, base::v1::Empty,
               base::v1::LabelSelectorRequirement, base::v1::LabelSelector, base::v1::Condition,
               base::v1::ExecAction, base::v1::HttpAction, base::v1::Handler, base::v1::Source,
               sink::v1::Plain, sink::v1::Optional, sink::v1::Never, sink::v1::OptionalNever,
               sink::v1::Zero, sink::v1::OptionalZero, sink::v1::EmptyOrZero, sink::v1::Lists,
               sink::v1::ListsNever, sink::v1::ListsZero, sink::v1::Maps, sink::v1::MapsNever,
               sink::v1::MapsZero, sink::v1::Structs, sink::v1::DeepOne, sink::v1::DeepTwo,
               sink::v1::DeepThree, sink::v1::Volume, sink::v1::Probe, sink::v1::Outer,
               sink::v1::Middle, sink::v1::Inner, sink::v1::Inlines, sink::v1::Numbers,
               sink::v1::OneFormat, sink::v1::Keywords, sink::v1::JsonNames, sink::v1::LongNames,
               sink::v1::Wide, sink::v1::Schema, sink::v1::SchemaOrArray, sink::v1::SchemaOrBool,
               sink::v1::SchemaOrStringArray, sink::v1::Merges, sink::v1::Port, sink::v1::Part,
               sink::v1::Restricted, sink::v1::Sink, sink::v1::SinkSpec, sink::v1::SinkStatus,
               sink::v1::SinkList, sink::v1::Tap, sink::v1::TapList, sink::v1::DrainOptions,
               sink::v1::Typed, sink::v1::Workload, sink::v1::Template>();
  return kCodecs;
}

const Codec& CodecOf(absl::string_view type) { return Codecs().at(std::string(type)); }

// As KitchenOracle::Output.
std::string Output(const absl::StatusOr<std::string>& output) {
  return output.ok() ? *output : absl::StrCat("error: ", output.status().message());
}

// Where the two begin to differ, of long texts.
void ExpectSame(const std::string& ours, const std::string& go, absl::string_view what) {
  if (ours == go) return;
  size_t from = 0;
  while (from < ours.size() && from < go.size() && ours[from] == go[from]) ++from;
  from = from < 50 ? 0 : from - 50;
  ADD_FAILURE() << what << ", from byte " << from
                << ":\n  ours: " << absl::CHexEscape(ours.substr(from, 200))
                << "\n  Go:   " << absl::CHexEscape(go.substr(from, 200));
}

// Where we differ on purpose: Go counts levels from the outermost object on, we from the value that
// is passed over.
bool IsTooDeepForGo(absl::string_view name) {
  return name == "Depth: 10001, in an unknown member" || name == "Depth: 10001, in a raw value";
}

TEST(KitchenCodecTest, JsonCases) {
  for (const KitchenCase& c : KitchenCases()) {
    if (IsTooDeepForGo(c.name)) continue;
    SCOPED_TRACE(std::string(c.name));
    const absl::StatusOr<std::string> json = CodecOf(c.type).json_to_json(c.json);
    if (c.want.empty()) {
      EXPECT_FALSE(json.ok()) << *json;
    } else {
      ExpectSame(Output(json), std::string(c.want), "JSON");
    }
  }
}

TEST(KitchenCodecTest, WireCases) {
  // Go passes over what it would refuse elsewhere.
  const std::set<std::string> refused_by_us = {"Maps: number 0 in an entry"};
  for (const WireCase& c : WireCases()) {
    SCOPED_TRACE(c.name);
    const bool refused = c.result == WireCase::kRefused || refused_by_us.count(c.name) > 0;
    const absl::StatusOr<std::string> json = CodecOf(c.type).wire_to_json(c.wire);
    EXPECT_EQ(CodecOf(c.type).wire_to_wire(c.wire).ok(), !refused);
    if (refused || c.result == WireCase::kNoJson) {
      EXPECT_FALSE(json.ok()) << *json;
    } else {
      ExpectSame(Output(json), c.json, "JSON");
    }
  }
}

// Protobuf that Go makes of the same JSON, and what its strict mode says of it.
TEST(KitchenCodecTest, JsonCasesAgainstGo) {
  // Go's own UnmarshalJSON of these types is not strict.
  const std::set<absl::string_view> stricter = {
      "Recursion and forms: names in other case within a form"};
  const std::vector<KitchenCase> cases = KitchenCases();
  KitchenOracle go;
  for (const KitchenCase& c : cases) {
    go.Ask("json_to_pb", c.type, {std::string(c.json)});
    go.Ask("strict_json", c.type, {std::string(c.json)});
  }
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < cases.size(); ++i) {
    const KitchenCase& c = cases[i];
    SCOPED_TRACE(std::string(c.name));
    if (c.want.empty()) continue;
    ExpectSame(Output(CodecOf(c.type).json_to_wire(c.json)), go.Output(2 * i), "protobuf");
    if (stricter.count(c.name) > 0) continue;
    // After the JSON come the errors.
    const std::vector<std::string>& strict = *go[2 * i + 1];
    const auto ours = CodecOf(c.type).strict_errors(c.json);
    ASSERT_TRUE(ours.ok()) << ours.status();
    EXPECT_EQ(*ours, std::vector<std::string>(strict.begin() + 1, strict.end()));
  }
}

// Random objects of every type, from JSON and from protobuf, to both.
TEST(KitchenCodecTest, RandomObjects) {
  constexpr char kSeed[] = "20", kCount[] = "100";
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  KitchenOracle go;
  std::map<std::string, size_t> asked;
  for (const auto& [type, codec] : Codecs()) asked[type] = go.Ask("random", type, {kSeed, kCount});
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  struct Row {
    absl::string_view what;
    size_t question;
    std::string ours;
  };
  std::vector<Row> rows;
  for (const auto& [type, codec] : Codecs()) {
    SCOPED_TRACE(type);
    ASSERT_TRUE(go[asked[type]].ok()) << go[asked[type]].status();
    const std::vector<std::string> objects = *go[asked[type]];
    for (size_t i = 0; i + 1 < objects.size(); i += 2) {
      const std::string &json = objects[i], &wire = objects[i + 1];
      rows.push_back(
          {type, go.Ask("json_to_json", type, {json}), Output(codec.json_to_json(json))});
      rows.push_back({type, go.Ask("json_to_pb", type, {json}), Output(codec.json_to_wire(json))});
      rows.push_back({type, go.Ask("pb_to_json", type, {wire}), Output(codec.wire_to_json(wire))});
      rows.push_back({type, go.Ask("pb_to_pb", type, {wire}), Output(codec.wire_to_wire(wire))});
    }
  }
  ASSERT_TRUE(go.Run().ok());
  for (const Row& row : rows) ExpectSame(row.ours, go.Output(row.question), row.what);
}

}  // namespace
}  // namespace kube::oracle
