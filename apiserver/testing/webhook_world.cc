#include "apiserver/testing/webhook_world.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/webhook.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {

using unstructured::Value;

std::string MessageOf(const Value& status) {
  return std::string(status["message"].text().value_or(""));
}

Value RequestOf(absl::string_view body) {
  const absl::StatusOr<Value> review = unstructured::ParseJson(body);
  if (!review.ok()) return Value();
  return (*review)["request"];
}

std::string AnswerReview(absl::string_view body, absl::string_view members) {
  const Value request = RequestOf(body);
  return absl::StrCat(R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",)",
                      R"("response":{"uid":")", request["uid"].text().value_or(""), "\",", members,
                      "}}");
}

std::string AllowReview(absl::string_view body) { return AnswerReview(body, R"("allowed":true)"); }

std::string PatchReview(absl::string_view body, absl::string_view patch) {
  return AnswerReview(body, absl::StrCat(R"("allowed":true,"patchType":"JSONPatch","patch":")",
                                         absl::Base64Escape(patch), "\""));
}

std::string DenyReview(absl::string_view body, absl::string_view status) {
  return AnswerReview(body, absl::StrCat(R"("allowed":false,"status":)", status));
}

WebhookWorld::WebhookWorld(HandlerOptions options) {
  options.cluster_objects = false;
  options.tokens["t"] = {.name = "tester", .uid = "u", .groups = {"testers"}};
  handler_ = std::make_unique<ApiHandler>(std::move(options));
}

std::shared_ptr<FakeExchange> WebhookWorld::Begin(absl::string_view method,
                                                  absl::string_view target, absl::string_view body,
                                                  absl::string_view content_type) {
  httpserver::Request request{.method = std::string(method), .target = std::string(target)};
  request.headers.Set("authorization", "Bearer t");
  request.headers.Set("content-type", content_type);
  request.body = std::string(body);
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  handler_->Handle(exchange);
  return exchange;
}

std::shared_ptr<FakeExchange> WebhookWorld::Send(absl::string_view method, absl::string_view target,
                                                 absl::string_view body,
                                                 absl::string_view content_type) {
  auto exchange = Begin(method, target, body, content_type);
  exchange->Wait(WithTimeout(Context(), absl::Minutes(1))).IgnoreError();
  return exchange;
}

Value WebhookWorld::Expect(int code, absl::string_view method, absl::string_view target,
                           absl::string_view body, absl::string_view content_type) {
  const auto exchange = Send(method, target, body, content_type);
  EXPECT_EQ(exchange->status(), code) << method << " " << target << "\n" << exchange->body();
  if (exchange->status() != code) return Value();
  const absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
  return value.ok() ? *value : Value();
}

void WebhookWorld::Configure(absl::string_view kind, absl::string_view name,
                             WebhookFunction function, const Hook& hook) {
  handler_->SetWebhook("default", "hooks", absl::StrCat("/", name), std::move(function));
  Expect(201, "POST",
         absl::StrCat("/apis/admissionregistration.k8s.io/v1/",
                      kind == "Mutating" ? "mutating" : "validating", "webhookconfigurations"),
         absl::StrCat(R"({"metadata":{"name":")", name, R"("},"webhooks":[{"name":")", name,
                      R"(.example.com","sideEffects":"None","admissionReviewVersions":["v1"],)",
                      R"("clientConfig":{"service":{"namespace":"default","name":"hooks",)",
                      R"("path":"/)", name, R"("}},"rules":[)", hook.rules, "]", hook.more, "}]}"));
}

}  // namespace kube::apiserver
