// Compares with Go's apimachinery on what the unstructured package makes of JSON texts.

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::unstructured {
namespace {

constexpr uint64_t kSeed = 20'26;

const std::vector<std::string> kSamples = {
    R"({"apiVersion":"v1","kind":"A","metadata":{"name":"a","generateName":"b","namespace":"c",)"
    R"("uid":"d","resourceVersion":"7","selfLink":"/x","generation":3,"labels":{"a":"b","c":null},)"
    R"("annotations":{},"finalizers":["x","y"],"creationTimestamp":"2026-01-02T03:04:05Z",)"
    R"("deletionTimestamp":"2026-01-02T03:04:06+01:00","deletionGracePeriodSeconds":30}})",
    R"({"kind":"A","metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"N","name":"n",)"
    R"("uid":"u","controller":true,"blockOwnerDeletion":false},{"name":1}],"managedFields":)"
    R"([{"manager":"m","operation":"Apply","fieldsV1":{"f:a":{}},"time":"2026-01-02T03:04:05Z"}]}})",
    R"({"kind":"A","n":[0,-0,1,1.0,1.5,1e3,1e21,1E-7,9223372036854775807,9223372036854775808,)"
    R"(-9223372036854775808,-9223372036854775809,123456789012345678901234567890,1e400,0.1]})",
    R"({"kind":"A","s":["","\u0041\n\/\"\\","\ud83d\ude00","\ud83d","\ude00\ud83d","<&>","é"]})",
    "{\"kind\":\"A\",\"s\":\"\xff\xe2\x82\",\"\xff\":1}",
    R"({"kind":"A","a":{"x":1},"a":{"y":2},"\u0061":[{},[],null,true,false]})",
    R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{},)"
    R"({"kind":"B"},{"apiVersion":"b","metadata":{}},null]})",
    R"({"kind":"L","items":null})",
    R"({"kind":"L","items":{}})",
    R"({"kind":"A","apiVersion":"a/b/c"})",
    R"({"kind":"L","apiVersion":"a/b/c","items":[]})",
    "{}",
    "null",
    " [1] ",
    R"({"items":[]})",
};
const std::vector<std::string> kPieces = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"kind\":\"A\"",
    "null",
    "true",
    "1",
    "-",
    "0",
    ".5",
    "e9",
    "E400",
    "\\u",
    "\\ud83d",
    "\\",
    " ",
    "\n",
    "\xff",
    "\x01",
    "\"a\":",
    "{}",
    "[]",
    "\"items\":",
    "\"metadata\":{",
    "9223372036854775808",
    "\"\"",
    "1.0",
    "{\"kind\":\"A\",\"x\":[",
};

std::string HexOf(const absl::StatusOr<std::string>& json) {
  return json.ok() ? oracle::Hex(*json) : oracle::GoCases::kError;
}

std::string Recode(absl::string_view text) {
  const absl::StatusOr<UnstructuredOrList> object = DecodeUnstructuredOrList(text);
  if (!object.ok()) return oracle::GoCases::kError;
  return HexOf(std::visit(
      [](const auto& each) { return codec::EncodeJson(each, {.final_newline = true}); }, *object));
}

std::string RecodeObject(absl::string_view text) {
  const absl::StatusOr<Unstructured> object = DecodeUnstructured(text);
  if (!object.ok()) return oracle::GoCases::kError;
  return HexOf(codec::EncodeJson(*object, {.final_newline = true}));
}

// A list has four members with fixed types here; Go keeps other members too.
bool IsPlainList(absl::string_view text) {
  const absl::StatusOr<Value> value = ParseJson(text);
  if (!value.ok() || value->Find("items") == nullptr) return true;
  for (const auto& [key, member] : *value->object()) {
    const bool is_plain =
        key == "items" || (key == "metadata" && member.is_object()) ||
        ((key == "kind" || key == "apiVersion") && member.is_string() && !member.text()->empty());
    if (!is_plain) return false;
  }
  return true;
}

TEST(UnstructuredGoTest, DecodeThenEncode_RandomTexts_AgreesWithGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::GoCases cases("unstructured_oracle");
  oracle::TextMaker texts(kSeed, kSamples, kPieces);
  for (const std::string& text : texts.Make(20'000)) {
    if (IsPlainList(text)) cases.Add("decode", text, Recode(text));
    cases.Add("object", text, RecodeObject(text));
  }
  cases.Check();
}

std::string SecondsOf(std::optional<Time> time) {
  return time.has_value() && !time->IsZero() ? absl::StrCat(time->ToUnixSeconds()) : "none";
}

template <typename T>
std::string JsonOf(const T& value) {
  std::string json;
  const absl::Status status = codec::AppendJsonValue(json, &value, kube::table::TypeOf<T>());
  return status.ok() ? json : std::string(status.message());
}

// Prints lists and maps as Go writes fields without omitempty.
template <typename T>
std::string ListJson(const List<T>& list) {
  if (list.is_null()) return "null";
  return absl::StrCat(
      "[",
      absl::StrJoin(list, ",", [](std::string* out, const T& each) { out->append(JsonOf(each)); }),
      "]");
}
std::string MapJson(const Map<String>& map) {
  if (map.is_null()) return "null";
  return absl::StrCat("{",
                      absl::StrJoin(map, ",",
                                    [](std::string* out, const auto& entry) {
                                      absl::StrAppend(out, JsonOf(entry.key), ":",
                                                      JsonOf(entry.value));
                                    }),
                      "}");
}

std::string Accessors(absl::string_view text) {
  const absl::StatusOr<Unstructured> object = DecodeUnstructured(text);
  if (!object.ok()) return oracle::GoCases::kError;
  const Unstructured& o = *object;
  const std::optional<int64_t> grace = o.deletion_grace_period_seconds();
  return oracle::Hex(absl::StrCat(
      absl::StrJoin(
          {std::string(o.name()), std::string(o.generate_name()), std::string(o.namespace_name()),
           std::string(o.uid()), std::string(o.resource_version()), std::string(o.self_link()),
           o.gvk().ToString(), absl::StrCat(o.generation()), SecondsOf(o.creation_timestamp()),
           SecondsOf(o.deletion_timestamp()), grace.has_value() ? absl::StrCat(*grace) : "none",
           std::string(o.IsList() ? "true" : "false")},
          "|"),
      "|[", MapJson(o.labels()), ",", MapJson(o.annotations()), ",", ListJson(o.finalizers()), ",",
      ListJson(o.owner_references()), ",", ListJson(o.managed_fields()), "]"));
}

TEST(UnstructuredGoTest, Accessors_RandomObjects_AgreeWithGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::GoCases cases("unstructured_oracle");
  oracle::TextMaker texts(kSeed + 1, {kSamples[0], kSamples[1]},
                          {"null", "1", "\"\"", "[]", "{}", "true", "1.5", "\"x\""});
  for (const std::string& text : texts.Make(5'000)) {
    cases.Add("accessors", text, Accessors(text));
  }
  cases.Check();
}

template <typename T>
std::string Answer(const absl::StatusOr<T>& value) {
  if (!value.ok()) return oracle::Hex(absl::StrCat("says: ", value.status().message()));
  if constexpr (std::is_pointer_v<T>) {
    return *value == nullptr ? "absent" : oracle::Hex(EncodeJson(**value).value());
  } else {
    if (!value->has_value()) return "absent";
    using U = std::decay_t<decltype(**value)>;
    if constexpr (std::is_same_v<U, absl::string_view>)
      return oracle::Hex(JsonOf(String(**value)));
    else if constexpr (std::is_same_v<U, List<String>>)
      return oracle::Hex(ListJson(**value));
    else if constexpr (std::is_same_v<U, Map<String>>)
      return oracle::Hex(MapJson(**value));
    else
      return oracle::Hex(JsonOf(**value));
  }
}

TEST(UnstructuredGoTest, NestedFields_EachPath_AgreeWithGo) {
  constexpr absl::string_view kObject =
      R"({"a":{"s":"x","t":"","i":3,"d":1.5,"e":1e21,"f":1e6,"m":0.00001,"n":null,"b":true,)"
      R"("h":9007199254740993,"l":["p","q"],"k":["p",1,null,{"z":[1.5,"w"]}],"o":{"u":"v","w":"x"},)"
      R"("g":{"u":null,"w":"x"},"j":{"w\n":[]},"q":[],"r":{}},"s":"top"})";
  const absl::StatusOr<Value> value = ParseJson(kObject);
  ASSERT_TRUE(value.ok());
  const Map<Value>& object = *value->object();
  oracle::GoCases cases("unstructured_oracle");
  for (const char* path :
       {"a",   "s",   "x",   "s/x", "x/y",   "a/s",   "a/t",     "a/i",   "a/d",
        "a/e", "a/f", "a/m", "a/n", "a/b",   "a/h",   "a/l",     "a/k",   "a/o",
        "a/g", "a/j", "a/q", "a/r", "a/n/x", "a/l/x", "a/s/x/y", "a/o/u", "a/o/u/v/w"}) {
    const std::vector<std::string> parts = absl::StrSplit(path, '/');
    const std::vector<absl::string_view> names(parts.begin(), parts.end());
    const std::string text = absl::StrCat(path, absl::string_view("\0", 1), kObject);
    cases.Add("string", text, Answer(NestedString(object, names)));
    cases.Add("bool", text, Answer(NestedBool(object, names)));
    cases.Add("int64", text, Answer(NestedInt64(object, names)));
    cases.Add("float64", text, Answer(NestedFloat64(object, names)));
    cases.Add("number", text, Answer(NestedNumberAsFloat64(object, names)));
    cases.Add("strings", text, Answer(NestedStringSlice(object, names)));
    cases.Add("map", text, Answer(NestedMap(object, names)));
    cases.Add("slice", text, Answer(NestedSlice(object, names)));
    // If several members are not strings, Go names any of them.
    if (names == std::vector<absl::string_view>{"a"}) continue;
    cases.Add("texts", text, Answer(NestedStringMap(object, names)));
    cases.Add("null_texts", text, Answer(NestedNullCoercingStringMap(object, names)));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::unstructured
