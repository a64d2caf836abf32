// Any answer of a webhook: "$UID" in it stands for the UID of the review. Nothing may crash the
// server, and every request is answered.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

int Post(ApiHandler& handler, absl::string_view target, absl::string_view body) {
  httpserver::Request request{.method = "POST", .target = std::string(target)};
  request.headers.Set("content-type", "application/json");
  request.body = std::string(body);
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  handler.Handle(exchange);
  KUBE_CHECK(exchange->Wait(WithTimeout(Context(), absl::Minutes(1))).ok());
  return exchange->status();
}

void Configure(ApiHandler& handler, absl::string_view kind) {
  const int code =
      Post(handler,
           absl::StrCat("/apis/admissionregistration.k8s.io/v1/", kind, "webhookconfigurations"),
           R"({"metadata":{"name":"a"},"webhooks":[{"name":"a.example.com","sideEffects":"None",)"
           R"("admissionReviewVersions":["v1"],"clientConfig":{"url":"https://h/"},"rules":[)"
           R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}]}]})");
  KUBE_CHECK(code == 201);
}

// Returns the text behind the first "uid" of a review, which is that of the request.
absl::string_view UidOf(absl::string_view review) {
  constexpr absl::string_view kUid = "\"uid\":\"";
  const size_t at = review.find(kUid);
  if (at == absl::string_view::npos) return "";
  const absl::string_view rest = review.substr(at + kUid.size());
  return rest.substr(0, rest.find('"'));
}

std::unique_ptr<ApiHandler> MakeHandler() {
  auto handler = std::make_unique<ApiHandler>(HandlerOptions{
      .anonymous = Anonymous::kAll, .max_logged_requests = 10, .storage = {.max_changes = 100}});
  Configure(*handler, "mutating");
  Configure(*handler, "validating");
  return handler;
}

void Run(absl::string_view input) {
  static const std::unique_ptr<ApiHandler> handler = MakeHandler();
  handler->SetWebhook("https://h/",
                      [answer = std::string(input)](
                          const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
                        return absl::StrReplaceAll(answer, {{"$UID", UidOf(body)}});
                      });
  const int code = Post(*handler, "/api/v1/namespaces/default/configmaps?dryRun=All",
                        R"({"metadata":{"name":"m","labels":{"a":"b"}},"data":{"x":"y"}})");
  KUBE_CHECK(code >= 200 && code < 600);
}

}  // namespace
}  // namespace kube::apiserver

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::apiserver::Run(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
