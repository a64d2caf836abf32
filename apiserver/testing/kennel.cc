#include "apiserver/testing/kennel.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/webhook_world.h"

namespace kube::apiserver {
namespace {

using unstructured::Value;

// Converts an object as a webhook does, and notes that in an annotation.
Value Converted(Value object, absl::string_view api_version) {
  Map<Value>& members = *object.object();
  members["apiVersion"] = api_version;
  const Value spec = object["spec"];
  Value* const metadata = object.Find("metadata");
  (*metadata->object())["annotations"] = Map<Value>{{"converted", api_version}};
  if (api_version == "example.com/v2") {
    members["spec"] = Map<Value>{{"body", Map<Value>{{"size", spec["size"]}}}};
  } else {
    members["spec"] = Map<Value>{{"size", spec["body"]["size"]}};
  }
  return object;
}

}  // namespace

std::string DogDefinition(absl::string_view stored, absl::string_view client_config) {
  const auto version = [&](absl::string_view name, absl::string_view spec) {
    return absl::StrCat(
        R"({"name":")", name, R"(","served":true,"storage":)", name == stored ? "true" : "false",
        R"(,"subresources":{"status":{}},"schema":{"openAPIV3Schema":)",
        R"({"type":"object","properties":{"spec":{"type":"object","properties":)", spec,
        R"(},"status":{"type":"object","properties":{"seen":)", R"({"type":"boolean"}}}}}}})");
  };
  return absl::StrCat(
      R"({"metadata":{"name":"dogs.example.com"},"spec":{"group":"example.com",)",
      R"("scope":"Namespaced","names":{"plural":"dogs","kind":"Dog"},"versions":[)",
      version("v1", R"({"size":{"type":"integer"}})"), ",",
      version("v2", R"({"body":{"type":"object","properties":{"size":{"type":"integer"}}}})"),
      R"(],"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],)",
      R"("clientConfig":)", client_config, "}}}}");
}

std::string DogJson(absl::string_view version, absl::string_view name, int size) {
  return absl::StrCat(R"({"apiVersion":"example.com/)", version, R"(","kind":"Dog","metadata":)",
                      R"({"name":")", name, R"("},"spec":)",
                      version == "v1" ? absl::StrCat(R"({"size":)", size, "}")
                                      : absl::StrCat(R"({"body":{"size":)", size, "}}"),
                      "}");
}

absl::StatusOr<std::string> DogConverter::Call(absl::string_view body) {
  const Value request = RequestOf(body);
  List<Value> converted;
  for (const Value& each : *request["objects"].list()) {
    converted.push_back(Converted(each, request["desiredAPIVersion"].text().value_or("")));
  }
  {
    base::MutexLock lock(mutex_);
    calls_.push_back(static_cast<int>(converted.size()));
    if (!broken_.empty()) return absl::UnavailableError(broken_);
  }
  return unstructured::EncodeJson(
      Value(Map<Value>{{"kind", "ConversionReview"},
                       {"apiVersion", "apiextensions.k8s.io/v1"},
                       {"response", Map<Value>{{"uid", request["uid"]},
                                               {"convertedObjects", std::move(converted)},
                                               {"result", Map<Value>{{"status", "Success"}}}}}}));
}

void DogConverter::Break(absl::string_view cause) {
  base::MutexLock lock(mutex_);
  broken_ = std::string(cause);
}

std::vector<int> DogConverter::TakeCalls() {
  base::MutexLock lock(mutex_);
  return std::exchange(calls_, {});
}

Kennel::Kennel(absl::string_view stored) {
  world.handler().SetWebhook(
      "default", "hooks", "/convert",
      [this](const Context&, absl::string_view body) { return converter.Call(body); });
  world.Expect(201, "POST", kDefinitions, DogDefinition(stored));
}

}  // namespace kube::apiserver
