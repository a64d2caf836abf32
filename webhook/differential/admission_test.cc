// The answers to admission reviews, ours and controller-runtime's, compared as values: of webhooks
// that do the same here and in oracle/review.go.
//
// Where ours differ on purpose:
// * The answer to what cannot be read has a kind, and the UID if that can be read. Only the rest is
//   compared.
// * What a decoder says about malformed input is in its own words.
// * A patch has what the function has changed. Go's also writes what Go does not omit, so what
//   becomes of the object is compared, without members that are null or empty.
// * A body is JSON. Go also reads YAML and protobuf, which no API server sends.
// * A defaulter refuses operations that are not known, and an old object that is malformed; a
//   validator refuses the latter in a creation, too. No API server sends them.

#include "webhook/admission.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"
#include "webhook/admission_review.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

namespace field = validation::field;
using api::core::v1::ConfigMap;
using unstructured::Unstructured;
using unstructured::Value;

// ---- the webhooks

absl::Status Wanted(const ConfigMap& object) {
  const String error = object.data.value_or("error", "");
  if (error == "plain") return absl::InternalError("the object says so");
  if (error == "conflict") {
    return errors::Conflict({.resource = "configmaps"}, "m", "it has changed");
  }
  if (error == "busy") {
    return base::Annotate(errors::TooManyRequests("later", absl::Seconds(3)), "ask somebody");
  }
  if (error == "unauthorized") return errors::Unauthorized("who are you?");
  return absl::OkStatus();
}

absl::Status Complete(const AdmissionRequest<ConfigMap>&, ConfigMap& object) {
  KUBE_RETURN_IF_ERROR(Wanted(object));
  if (object.data.value_or("mode", "").empty()) object.data["mode"] = "standard";
  object.data.erase("old");
  object.metadata.labels["defaulted"] = "yes";
  return absl::OkStatus();
}

absl::Status CompleteAny(const AdmissionRequest<Unstructured>&, Unstructured& object) {
  return unstructured::SetNestedField(object.object, "standard", {"data", "mode"});
}

void Warn(const AdmissionRequest<ConfigMap>& request) {
  if (const String* text = request.object->data.find("warn")) request.Warn(std::string(*text));
}

field::ErrorList Validate(const AdmissionRequest<ConfigMap>& request) {
  Warn(request);
  field::ErrorList wrong;
  const field::Path data("data");
  const Map<String>& object = request.object->data;
  if (const String* mode = object.find("mode"); mode != nullptr && *mode != "standard") {
    wrong.push_back(field::Invalid(data.Key("mode"), std::string(*mode), "must be standard"));
  }
  if (object.contains("error")) {
    wrong.push_back(field::Forbidden(data.Key("error"), "nobody wants one"));
  }
  if (request.operation == Operation::kUpdate &&
      request.old_object->data.value_or("old", "") != object.value_or("old", "")) {
    wrong.push_back(field::Required(data.Key("old"), "must stay"));
  }
  return wrong;
}

absl::Status Admit(const AdmissionRequest<ConfigMap>& request) {
  Warn(request);
  return Wanted(*request.object);
}

const std::map<std::string, AdmissionHandler>& Webhooks() {
  static const std::map<std::string, AdmissionHandler> webhooks = {
      {"/default", Defaulter<ConfigMap>(Complete)},
      {"/default-any", Defaulter<Unstructured>(CompleteAny)},
      {"/validate", Validator<ConfigMap>(Validate)},
      {"/admit", Admitter<ConfigMap>(Admit)},
  };
  return webhooks;
}

// ---- questions

constexpr char kPadding[] = "$PADDING";

struct Question {
  std::string path = {};
  std::string content_type = {};
  std::string body = {};  // may have kPadding
  size_t padding = 0;     // the size of what stands for it
};

std::string BodyOf(const Question& question) {
  return absl::StrReplaceAll(question.body, {{kPadding, std::string(question.padding, 'x')}});
}

constexpr const char* kWrongObjects[] = {
    "[]",
    "7",
    "true",
    R"("kind: ConfigMap")",
    R"({"kind":"Pod","apiVersion":"v1"})",
    R"({"kind":"ConfigMap","apiVersion":"apps/v1"})",
    R"({"apiVersion":"a/b/c"})",
    R"({"data":1})",
    R"({"data":{"a":1}})",
    R"({"metadata":{"labels":[]}})",
};

std::string Pick(oracle::Dice& dice, const std::vector<std::string>& texts) {
  return texts[dice.Below(texts.size())];
}

// Appends a member with one of the values, or does not.
void MaybeAdd(oracle::Dice& dice, std::vector<std::string>& members, absl::string_view name,
              const std::vector<std::string>& values) {
  if (dice.Below(3) == 0) return;
  members.push_back(absl::StrCat("\"", name, "\":", Pick(dice, values)));
}

std::string RandomMetadata(oracle::Dice& dice) {
  std::vector<std::string> members = {R"("name":"m")"};
  MaybeAdd(dice, members, "labels", {R"({"app":"web"})", "{}", "null", R"({"defaulted":"yes"})"});
  MaybeAdd(dice, members, "future", {R"({"x":[1,{"y":null}]})", "1"});
  MaybeAdd(dice, members, "annotations", {R"({"a/b~c":"d"})"});
  return absl::StrCat("{", absl::StrJoin(members, ","), "}");
}

std::string RandomConfigMap(oracle::Dice& dice) {
  std::vector<std::string> data;
  MaybeAdd(dice, data, "mode", {R"("standard")", R"("")", R"("odd")"});
  MaybeAdd(dice, data, "old", {R"("1")", R"("2")"});
  MaybeAdd(dice, data, "warn", {R"("be careful")", R"("")", R"("<&>\u2028")"});
  if (dice.Below(3) == 0) {
    MaybeAdd(dice, data, "error",
             {R"("plain")", R"("conflict")", R"("busy")", R"("unauthorized")", R"("none")"});
  }
  std::vector<std::string> members;
  MaybeAdd(dice, members, "kind", {R"("ConfigMap")"});
  MaybeAdd(dice, members, "apiVersion", {R"("v1")"});
  MaybeAdd(dice, members, "metadata", {RandomMetadata(dice), RandomMetadata(dice), "null"});
  MaybeAdd(dice, members, "data",
           {absl::StrCat("{", absl::StrJoin(data, ","), "}"),
            absl::StrCat("{", absl::StrJoin(data, ","), "}"), "null"});
  MaybeAdd(dice, members, "immutable", {"true", "false"});
  MaybeAdd(dice, members, "future", {R"({"x":[1,2.5],"y":{}})"});
  return absl::StrCat("{", absl::StrJoin(members, ","), "}");
}

std::string RandomObject(oracle::Dice& dice) {
  switch (dice.Below(8)) {
    case 0:
      return kWrongObjects[dice.Below(std::size(kWrongObjects))];
    case 1:
      return "null";
    default:
      return RandomConfigMap(dice);
  }
}

std::string RandomOperation(oracle::Dice& dice, absl::string_view path) {
  std::vector<std::string> operations = {"CREATE", "CREATE", "UPDATE", "UPDATE", "DELETE"};
  if (path != "/admit") operations.push_back("CONNECT");
  if (!absl::StartsWith(path, "/default")) {
    operations.insert(operations.end(), {"", "PATCH", "create"});
  }
  return Pick(dice, operations);
}

std::string ReviewOf(oracle::Dice& dice, const std::string& request) {
  const std::vector<std::string> types = {
      R"("kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",)",
      R"("apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview",)",
      R"("kind":"Other","apiVersion":"example.com/v7",)",
      R"("kind":"Pod","apiVersion":"v1",)",
      "",
  };
  return absl::StrCat("{", Pick(dice, types), R"("request":)", request, "}");
}

Question RandomQuestion(oracle::Dice& dice, const std::string& path) {
  const std::string operation = RandomOperation(dice, path);
  Question question = {.path = path, .content_type = "application/json"};
  std::vector<std::string> members;
  MaybeAdd(dice, members, "uid", {R"("u-1")", R"("0df28fbd-5f5f-11e8")", R"("")", "null"});
  MaybeAdd(dice, members, "dryRun", {"true", "false", "null"});
  MaybeAdd(dice, members, "subResource", {R"("status")"});
  MaybeAdd(dice, members, "later", {R"({"a":[null]})"});
  members.push_back(R"("kind":{"group":"","version":"v1","kind":"ConfigMap"},"name":"m")");
  members.push_back(R"("namespace":"prod","userInfo":{"username":"eve","extra":{"a":["b"]}})");
  members.push_back(absl::StrCat(R"("operation":")", operation, "\""));
  if (operation != "DELETE") {
    members.push_back(absl::StrCat(R"("object":)", RandomObject(dice)));
  }
  if (operation == "UPDATE" || operation == "DELETE") {
    const bool is_default = absl::StartsWith(path, "/default");
    members.push_back(
        absl::StrCat(R"("oldObject":)", is_default ? RandomConfigMap(dice) : RandomObject(dice)));
  }
  question.body = ReviewOf(dice, absl::StrCat("{", absl::StrJoin(members, ","), "}"));
  return question;
}

std::string Repeated(absl::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) absl::StrAppend(&all, text);
  return all;
}

// Returns the review of a creation. `object` is JSON without its first brace.
std::string Creation(absl::string_view object) {
  return absl::StrCat(
      R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",)",
      R"("kind":{"version":"v1","kind":"ConfigMap"},"name":"m","operation":"CREATE","object":{)",
      object, "}}");
}

std::string Deep(int depth) {
  return absl::StrCat(R"("future":)", Repeated(R"({"a":)", depth), "1", Repeated("}", depth), "}");
}

// Bodies that are no reviews, or odd ones. `good` is a review.
std::vector<std::string> OddBodies(const std::string& good) {
  return {
      "",
      "null",
      "[]",
      "7",
      "\"text\"",
      "{",
      "{}",
      "{} x",
      "\t\n {} \r\n",
      good.substr(0, good.size() - 1),
      absl::StrCat(good, "}"),
      R"({"request":null})",
      R"({"request":[]})",
      R"({"request":"text"})",
      R"({"request":{"uid":7}})",
      R"({"request":{"uid":"u","dryRun":"yes"}})",
      R"({"request":{"uid":"u","operation":5}})",
      R"({"request":{"uid":"u","kind":"Pod"}})",
      R"({"request":{"uid":"u"},"kind":5})",
      R"({"request":{"uid":"u"},"apiVersion":"a/b/c"})",
      R"({"request":{"uid":"u"},"apiVersion":{}})",
      R"({"request":{"uid":"u","userInfo":{"groups":"text"}}})",
      R"({"response":{"uid":"r","allowed":true},"request":{"uid":"u"}})",
      R"({"request":{"uid":"t","uid":"u","operation":"CREATE","object":{"data":{"mode":"a"}}}})",
      R"({"request":{"uid":"u","operation":"CREATE"},"request":{"object":{"data":{}}}})",
  };
}

// Questions that are hostile or odd, for any webhook.
std::vector<Question> OddQuestions(const std::string& path) {
  const std::string json = "application/json";
  const std::string good = Creation(R"("data":{"mode":"standard"}})");
  std::vector<Question> questions;
  for (const char* type : {"", "application/json; charset=utf-8", "application/yaml",
                           "APPLICATION/JSON", "application/vnd.kubernetes.protobuf"}) {
    questions.push_back({.path = path, .content_type = type, .body = good});
  }
  for (const std::string& body : OddBodies(good)) {
    questions.push_back({.path = path, .content_type = json, .body = body});
  }
  const std::string large = Creation(absl::StrCat(R"("data":{"a":")", kPadding, "\"}}"));
  for (const size_t padding : {size_t{3} << 20, size_t{7} << 20}) {
    questions.push_back({.path = path, .content_type = json, .body = large, .padding = padding});
  }
  for (const int depth : {500, 20000}) {
    questions.push_back({.path = path, .content_type = json, .body = Creation(Deep(depth))});
  }
  if (!absl::StartsWith(path, "/default")) {
    questions.push_back({.path = path,
                         .content_type = json,
                         .body = Creation(R"("data":{"mode":"odd"},"data":{"warn":"w"}})")});
  }
  return questions;
}

// ---- answers

std::string JsonOf(const Question& question) {
  const absl::StatusOr<std::string> json =
      unstructured::EncodeJson(Map<Value>{{"path", question.path},
                                          {"type", question.content_type},
                                          {"body", question.body},
                                          {"padding", static_cast<int64_t>(question.padding)}});
  EXPECT_THAT(json, base::IsOk());
  return json.value_or("");
}

std::string OurAnswer(const Question& question) {
  const HttpAnswer answer = AnswerAdmissionReview(Context(), Webhooks().at(question.path),
                                                  question.content_type, BodyOf(question));
  return absl::StrCat(answer.code, " ", answer.body);
}

// Returns the value without members that are null or empty objects, at any depth.
Value Simplified(const Value& value) {
  if (const List<Value>* list = value.list()) {
    List<Value> simple = List<Value>::Empty();
    for (const Value& element : *list) simple.push_back(Simplified(element));
    return simple;
  }
  const Map<Value>* object = value.object();
  if (object == nullptr) return value;
  Map<Value> simple = Map<Value>::Empty();
  for (const auto& [key, member] : *object) {
    Value simplified = Simplified(member);
    const bool is_empty = simplified.is_object() && simplified.object()->empty();
    if (!simplified.is_null() && !is_empty) simple[key] = std::move(simplified);
  }
  return simple;
}

// Puts what becomes of the object in the place of the patch.
void ApplyPatch(Map<Value>& response, Value object) {
  const Value* encoded = response.find("patch");
  EXPECT_EQ(encoded != nullptr, response.contains("patchType"));
  if (encoded != nullptr) {
    std::string json;
    EXPECT_TRUE(absl::Base64Unescape(encoded->text().value_or(""), &json));
    const absl::StatusOr<patch::JsonPatch> operations = patch::ParseJsonPatch(json);
    ASSERT_THAT(operations, base::IsOk()) << json;
    const absl::StatusOr<Value> changed = patch::ApplyJsonPatch(std::move(object), *operations);
    ASSERT_THAT(changed, base::IsOk()) << json;
    object = *changed;
  }
  response.erase("patch");
  response.erase("patchType");
  response["object"] = Simplified(object);
}

// Whether the text is one that both use.
bool IsSharedText(absl::string_view message) {
  for (const absl::string_view begin :
       {"request body is empty", "contentType=", "there is no content to decode",
        "unknown operation", "unexpected GroupVersion string"}) {
    if (absl::StartsWith(message, begin)) return true;
  }
  return false;
}

// What is compared of two answers.
struct Pair {
  std::string ours;
  std::string theirs;
};

Pair Comparable(const Question& question, const std::string& ours, const std::string& theirs) {
  absl::StatusOr<Value> our_review = unstructured::ParseJson(ours.substr(ours.find(' ')));
  absl::StatusOr<Value> their_review = unstructured::ParseJson(theirs.substr(theirs.find(' ')));
  if (!our_review.ok() || !their_review.ok()) return {ours, theirs};
  const bool is_read = their_review->Find("kind") != nullptr;
  const Value& status = (*their_review)["response"]["status"];
  const int64_t code = status["code"].integer().value_or(0);
  const bool is_own_text =
      (code == 400 || code == 500) && !IsSharedText(status["message"].text().value_or(""));
  const absl::StatusOr<Value> body = unstructured::ParseJson(BodyOf(question));
  const Value object = body.ok() ? (*body)["request"]["object"] : Value();
  const auto comparable = [&](Value& review) {
    Value* response = review.Find("response");
    if (response == nullptr || !response->is_object()) return;
    if (!is_read) {
      review.object()->erase("kind");
      review.object()->erase("apiVersion");
      response->object()->erase("uid");
    }
    Value* result = response->Find("status");
    if (is_own_text && result != nullptr && result->is_object()) result->object()->erase("message");
    ApplyPatch(*response->object(), object);
  };
  comparable(*our_review);
  comparable(*their_review);
  return {absl::StrCat(ours.substr(0, ours.find(' ')), " ",
                       unstructured::EncodeJson(*our_review).value_or("")),
          absl::StrCat(theirs.substr(0, theirs.find(' ')), " ",
                       unstructured::EncodeJson(*their_review).value_or(""))};
}

// behaviour.md: WH-20, WH-21, WH-22, WH-24, WH-29, WH-30, WH-31, WH-32
TEST(AdmissionDifferentialTest, Reviews_AreAnsweredAsByControllerRuntime) {
  oracle::Dice dice(2026);
  std::vector<Question> questions;
  for (const auto& [path, handler] : Webhooks()) {
    for (Question& question : OddQuestions(path)) questions.push_back(std::move(question));
    for (int i = 0; i < 250; ++i) questions.push_back(RandomQuestion(dice, path));
  }
  std::vector<oracle::GoQuestion> asked;
  for (const Question& question : questions) {
    asked.push_back({.function = "review", .text = JsonOf(question)});
  }
  const absl::StatusOr<std::vector<std::string>> answers =
      oracle::AskGo("@controller_oracles//:webhook_oracle", asked);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_THAT(answers, base::IsOk());
  ASSERT_EQ(answers->size(), questions.size());
  int allowed = 0, refused = 0, patched = 0;
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string ours = OurAnswer(questions[i]);
    patched += absl::StrContains(ours, R"("patch":)");
    ++(absl::StrContains(ours, R"("allowed":true)") ? allowed : refused);
    const Pair pair = Comparable(questions[i], ours, (*answers)[i]);
    EXPECT_EQ(pair.ours, pair.theirs) << questions[i].path << " " << questions[i].content_type
                                      << " " << questions[i].body.substr(0, 2000);
  }
  EXPECT_GT(allowed, 200);
  EXPECT_GT(refused, 200);
  EXPECT_GT(patched, 100);
}

}  // namespace
}  // namespace kube::webhook
