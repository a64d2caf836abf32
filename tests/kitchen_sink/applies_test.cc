// The apply configurations of the kitchen sink: what is set is written, and nothing else. Their
// headers need no others.

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/apply_of.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/base.applies.kube.h"
#include "tests/kitchen_sink/sink.applies.kube.h"

namespace kube::oracle {
namespace {

namespace base1 = ::kube::kitchen::base::v1;
namespace sink1 = ::kube::kitchen::sink::v1;

template <typename T>
absl::StatusOr<std::string> Again(absl::string_view json) {
  const absl::StatusOr<ApplyOf<T>> configuration = codec::DecodeJson<ApplyOf<T>>(json);
  return configuration.ok() ? codec::EncodeJson(*configuration) : configuration.status();
}

struct Row {
  const char* name;
  absl::StatusOr<std::string> (*again)(absl::string_view);
  const char* json;
};

// In the order of Go's fields.
const Row kRows[] = {
    {"nothing", Again<sink1::Sink>, "{}"},
    {"zeros of plain fields", Again<sink1::Plain>,
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":"",)"
     R"("time":"2026-01-02T03:04:05Z","duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":{},"fieldsV1":{},"rawJson":[],"point":{},"verbs":[]})"},
    {"zeros of fields that omit them", Again<sink1::EmptyOrZero>,
     R"({"text":"","small":0,"quantity":"0","point":{},"texts":[],"textByKey":{}})"},
    {"empty lists, and their elements", Again<sink1::ListsNever>,
     R"({"texts":[],"flags":[false],"points":[{},{"x":0}]})"},
    {"inline structs", Again<sink1::Volume>,
     R"({"name":"","hostPath":{"x":0},"emptyDir":{},"rbd":{},"configMap":[]})"},
    {"other forms of JSON", Again<sink1::Schema>,
     R"({"items":[{"id":""}],"additionalProperties":false,"dependencies":{"a":[""],"b":{}},)"
     R"("additionalItems":true})"},
    {"a kind", Again<sink1::Sink>,
     R"({"kind":"","apiVersion":"","metadata":{"labels":{}},"spec":{"workload":{"replicas":0,)"
     R"("selector":{},"template":{"parts":[{"name":"","limits":{}}],"nothing":{}}}},"status":{}})"},
};

TEST(Applies, WriteWhatIsSet) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(row.again(row.json), kube::base::IsOkAndHolds(row.json));
  }
}

TEST(Applies, DoNotWriteNulls) {
  EXPECT_THAT(Again<sink1::Plain>(R"({"text":null,"flag":null,"data":null,"time":null,)"
                                  R"("quantity":null,"point":null,"verbs":null})"),
              kube::base::IsOkAndHolds("{}"));
  EXPECT_THAT(Again<sink1::ListsNever>(R"({"texts":null,"points":null})"),
              kube::base::IsOkAndHolds("{}"));
}

TEST(Applies, DoNotHaveWhatCannotBeApplied) {
  EXPECT_THAT(Again<base1::ObjectMeta>(
                  R"({"name":"","selfLink":"/x","finalizers":[],"managedFields":[{}]})"),
              kube::base::IsOkAndHolds(R"({"name":"","finalizers":[]})"));
  EXPECT_THAT(Again<sink1::OneFormat>(R"({"both":"","onlyWire":"","onlyJson":""})"),
              kube::base::IsOkAndHolds(R"({"both":"","onlyJson":""})"));
}

TEST(Applies, KnowTheirKinds) {
  EXPECT_STREQ(ApplyConfigurationOf<sink1::Tap>::kApiVersion, "kitchen.example.com/v1");
  EXPECT_STREQ(ApplyConfigurationOf<sink1::Tap>::kKind, "Tap");
}

}  // namespace
}  // namespace kube::oracle
