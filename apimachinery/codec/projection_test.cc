// Fields that decoders leave out.
#include "apimachinery/codec/projection.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/message_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

namespace metav1 = kube::kitchen::base::v1;
namespace sink = kube::kitchen::sink::v1;

struct Case {
  absl::string_view name;
  ProjectionOptions options;
  absl::string_view json;
  absl::string_view want;  // the JSON of the result
};

// Decodes JSON and protobuf, by value and with sharing, and expects `want`.
template <typename T>
void Check(const Case& c) {
  SCOPED_TRACE(std::string(c.name));
  const absl::StatusOr<Projection> projection = Projection::Make<T>(c.options);
  ASSERT_TRUE(projection.ok()) << projection.status();
  const DecodeOptions options = {.projection = &*projection};
  const absl::StatusOr<T> want = DecodeJson<T>(c.want);
  ASSERT_TRUE(want.ok()) << want.status();
  const std::string want_json = *EncodeJson(*want);
  const PaddedBuffer json(c.json);
  const PaddedBuffer wire(*EncodeProtobuf(*DecodeJson<T>(c.json)));
  EXPECT_EQ(*EncodeJson(*DecodeJson<T>(json, options)), want_json);
  T without_kind = *want;
  if constexpr (requires { without_kind.kind; }) {
    without_kind.kind = {};
    without_kind.api_version = {};
  }
  const std::string want_wire = *EncodeJson(without_kind);
  EXPECT_EQ(*EncodeJson(*DecodeProtobuf<T>(wire, options)), want_wire);
  SharingStore store;
  SharedDecoder decoder(options, &store);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(*EncodeJson(**decoder.DecodeJson<T>(json)), want_json);
    EXPECT_EQ(*EncodeJson(**decoder.DecodeProtobuf<T>(wire)), want_wire);
  }
}

constexpr absl::string_view kSink =
    R"({"kind":"Sink","apiVersion":"v1","metadata":{"name":"n","namespace":"ns","uid":"u",)"
    R"("resourceVersion":"7","labels":{"app":"a","tier":"t"},"annotations":{"a.b/c":"long","d":"e"},)"
    R"("managedFields":[{"manager":"m"}]},"spec":{"plain":{"text":"t","flag":true},)"
    R"("workload":{"args":["x"],"paused":true,"template":{"parts":[{"name":"p","value":"v"},{"name":"q"}]}}}})";

TEST(ProjectionTest, OfObjects) {
  const std::vector<Case> cases = {
      {"nothing", {}, kSink, kSink},
      {"managedFields",
       {.drop = {"metadata.managedFields"}},
       R"({"metadata":{"name":"n","managedFields":[{"manager":"m"}]}})",
       R"({"metadata":{"name":"n"}})"},
      {"a whole struct, by value and boxed",
       {.drop = {"metadata", "spec.plain"}},
       R"({"metadata":{"name":"n"},"spec":{"plain":{"text":"t"},"numbers":{}}})",
       R"({"spec":{"numbers":{}}})"},
      {"kind and apiVersion",
       {.drop = {"kind", "apiVersion"}},
       R"({"kind":"Sink","apiVersion":"v1","metadata":{"name":"n"}})",
       R"({"metadata":{"name":"n"}})"},
      {"a key of a map",
       {.drop = {"metadata.annotations[a.b/c]", "metadata.annotations[absent]"}},
       R"({"metadata":{"annotations":{"0":"0","a.b/c":"long","d":"e"},"labels":{"a.b/c":"l"}}})",
       R"({"metadata":{"annotations":{"0":"0","d":"e"},"labels":{"a.b/c":"l"}}})"},
      {"keys to keep",
       {.keep = {"metadata.labels[app]", "metadata.labels[x[0]]"}},
       R"({"metadata":{"name":"n","labels":{"app":"a","tier":"t","x[0]":"y"},"annotations":{"d":"e"}}})",
       R"({"metadata":{"name":"n","labels":{"app":"a","x[0]":"y"}}})"},
      {"one key to keep, and to drop",
       {.drop = {"metadata.labels[app]"}, .keep = {"metadata.labels"}},
       R"({"metadata":{"labels":{"app":"a","tier":"t"},"annotations":{"d":"e"}}})",
       R"({"metadata":{"labels":{"tier":"t"}}})"},
      {"keep",
       {.keep = {"spec.plain.flag"}},
       kSink,
       R"({"kind":"Sink","apiVersion":"v1","metadata":{"name":"n","namespace":"ns","uid":"u",)"
       R"("resourceVersion":"7"},"spec":{"plain":{"flag":true}}})"},
      {"keep, and drop of what caches need",
       {.drop = {"metadata.uid", "kind"}, .keep = {"status"}},
       kSink,
       R"({"apiVersion":"v1","metadata":{"name":"n","namespace":"ns","resourceVersion":"7"}})"},
      {"a whole beats its parts",
       {.keep = {"spec.plain.flag", "spec.plain"}},
       R"({"spec":{"plain":{"text":"t","flag":true},"numbers":{}}})",
       R"({"spec":{"plain":{"text":"t","flag":true}}})"},
  };
  for (const Case& c : cases) Check<sink::Sink>(c);
}

TEST(ProjectionTest, ThroughListsMapsAndInlineStructs) {
  Check<metav1::ObjectMeta>(
      {"a list",
       {.drop = {"ownerReferences.name"}},
       R"({"ownerReferences":[{"name":"a","kind":"A"},{"name":"b","uid":"u"}]})",
       R"({"ownerReferences":[{"kind":"A"},{"uid":"u"}]})"});
  Check<sink::Schema>(
      {"a map, of itself",
       {.drop = {"properties.id", "properties.properties"}},
       R"({"id":"x","type":"o","properties":{"a":{"id":"y","type":"s","properties":{"b":{}}}}})",
       R"({"id":"x","type":"o","properties":{"a":{"type":"s"}}})"});
  Check<sink::Schema>({"a key of a map of structs, and fields of the others",
                       {.drop = {"properties.id", "properties[b]"}},
                       R"({"properties":{"a":{"id":"y","type":"s"},"b":{"type":"t"}}})",
                       R"({"properties":{"a":{"type":"s"}}})"});
  Check<sink::Schema>({"what is struct or list",
                       {.drop = {"items"}},
                       R"({"id":"x","items":[{"type":"s"}]})",
                       R"({"id":"x"})"});
}

TEST(ProjectionTest, Errors) {
  struct ErrorCase {
    absl::string_view path;
    absl::string_view want;
  };
  const std::vector<ErrorCase> cases = {
      {"metadata.nome", R"(project Sink: "metadata.nome": ObjectMeta has no field "nome")"},
      {"", R"(project Sink: "": Sink has no field "")"},
      {"metadata.", R"(project Sink: "metadata.": ObjectMeta has no field "")"},
      {".metadata", R"(project Sink: ".metadata": Sink has no field "")"},
      {"Metadata", R"(project Sink: "Metadata": Sink has no field "Metadata")"},
      {"metadata.name.x", R"(project Sink: "metadata.name.x": "name" has no fields)"},
      {"metadata.labels.app", R"(project Sink: "metadata.labels.app": "labels" has no fields)"},
      {"metadata[a]", R"(project Sink: "metadata[a]": "metadata" is not a map)"},
      {"metadata.labels[a",
       R"(project Sink: "metadata.labels[a": expected ']' after the key, and nothing after it)"},
      {"metadata.labels[a].b",
       R"(project Sink: "metadata.labels[a].b": expected ']' after the key, and nothing after it)"},
      {"spec.schema.items.type",
       R"(project Sink: "spec.schema.items.type": "items" has no fields)"},
  };
  for (const ErrorCase& c : cases) {
    for (const bool keep : {false, true}) {
      ProjectionOptions options;
      (keep ? options.keep : options.drop).push_back(c.path);
      const absl::Status status = Projection::Make<sink::Sink>(options).status();
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << c.path;
      EXPECT_EQ(status.message(), c.want);
    }
  }
}

// A watch decodes a Status too.
TEST(ProjectionTest, OtherTypesAreDecodedWhole) {
  const Projection projection = *Projection::Make<metav1::Empty>({});
  SharedDecoder decoder({.projection = &projection});
  const PaddedBuffer json(kSink);
  EXPECT_EQ(*EncodeJson(**decoder.DecodeJson<sink::Sink>(json)),
            *EncodeJson(*DecodeJson<sink::Sink>(json)));
}

}  // namespace
}  // namespace kube::codec
