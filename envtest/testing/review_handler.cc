#include "envtest/testing/review_handler.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest {
namespace {

using unstructured::Value;

void Reply(httpserver::Exchange& exchange, absl::string_view kind, absl::string_view api_version,
           Map<Value> response) {
  Map<Value> review;
  review["kind"] = Value(kind);
  review["apiVersion"] = Value(api_version);
  review["response"] = Value(std::move(response));
  const absl::StatusOr<std::string> text = unstructured::EncodeJson(Value(std::move(review)));
  exchange.Respond(
      {.headers = {{"content-type", "application/json"}}, .body = text.ok() ? *text : ""});
}

// Answers an admission review. `response` has all but the uid.
void Admit(httpserver::Exchange& exchange, const Value& request, Map<Value> response) {
  response["uid"] = request["uid"];
  Reply(exchange, "AdmissionReview", "admission.k8s.io/v1", std::move(response));
}

void Mutate(httpserver::Exchange& exchange, const Value& request) {
  const bool has_labels = request["object"]["metadata"]["labels"].is_object();
  const std::string patch =
      has_labels ? R"([{"op":"add","path":"/metadata/labels/mutated","value":"yes"}])"
                 : R"([{"op":"add","path":"/metadata/labels","value":{"mutated":"yes"}}])";
  Map<Value> response;
  response["allowed"] = Value(true);
  response["patchType"] = Value("JSONPatch");
  response["patch"] = Value(absl::Base64Escape(patch));
  Admit(exchange, request, std::move(response));
}

void Validate(httpserver::Exchange& exchange, const Value& request) {
  Map<Value> response;
  const bool is_bad = request["name"].text() == absl::string_view("bad");
  response["allowed"] = Value(!is_bad);
  if (is_bad) response["status"] = Value(Map<Value>{{"message", "this one is bad"}});
  Admit(exchange, request, std::move(response));
}

void Convert(httpserver::Exchange& exchange, const Value& request) {
  List<Value> converted;
  if (request["objects"].is_list()) {
    for (Value each : *request["objects"].list()) {
      if (!each.is_object()) continue;
      (*each.object())["apiVersion"] = request["desiredAPIVersion"];
      converted.push_back(std::move(each));
    }
  }
  Map<Value> response;
  response["uid"] = request["uid"];
  response["convertedObjects"] = Value(std::move(converted));
  response["result"] = Value(Map<Value>{{"status", "Success"}});
  Reply(exchange, "ConversionReview", "apiextensions.k8s.io/v1", std::move(response));
}

}  // namespace

void ReviewHandler::Handle(std::shared_ptr<httpserver::Exchange> exchange) {
  const std::string path(exchange->request().path());
  {
    base::MutexLock lock(mutex_);
    paths_.push_back(path);
  }
  const absl::StatusOr<Value> review = unstructured::ParseJson(exchange->request().body);
  if (!review.ok()) return exchange->Respond({.status = 400, .body = "no review"});
  const Value request = (*review)["request"];
  if (path == "/mutate") return Mutate(*exchange, request);
  if (path == "/validate") return Validate(*exchange, request);
  if (path == "/convert") return Convert(*exchange, request);
  if (path == "/hang") base::WaitUntilDone(exchange->context()).IgnoreError();
  exchange->Respond({.status = 404, .body = "no such webhook"});
}

std::vector<std::string> ReviewHandler::Paths() const {
  base::MutexLock lock(mutex_);
  return paths_;
}

bool ReviewHandler::WasAsked(const std::string& path) const {
  base::MutexLock lock(mutex_);
  return std::find(paths_.begin(), paths_.end(), path) != paths_.end();
}

}  // namespace kube::envtest
