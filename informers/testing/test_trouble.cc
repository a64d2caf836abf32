#include "informers/testing/test_trouble.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/object_name.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers {

namespace metav1 = api::meta::v1;

bool Chance(int percent) { return base::UniformInt(0, 100) < percent; }

absl::Duration UpTo(absl::Duration most) {
  return absl::Seconds(base::UniformDouble() * absl::ToDoubleSeconds(most));
}

namespace {

absl::Status TransportFailure(httpclient::TransportErrorKind kind) {
  return httpclient::MakeTransportError({.kind = kind}, "a fault");
}

absl::Status TooLarge() {
  metav1::StatusDetails details;
  details.causes.push_back({.reason = "ResourceVersionTooLarge", .message = "Too large"});
  return errors::FromStatus({.status = "Failure",
                             .message = "Too large resource version",
                             .reason = "Timeout",
                             .details = std::move(details),
                             .code = 504});
}

FaultKind Answering(const char* name, absl::Status error) {
  return {
      .name = name,
      .strike = [](TestCluster& cluster) { cluster.transport().BreakStreams(absl::OkStatus()); },
      .answer = [error = std::move(error)](
                    const httpclient::HttpRequest&) -> absl::StatusOr<httpclient::HttpResponse> {
        if (httpclient::TransportErrorOf(error).has_value()) return error;
        return ErrorResponse(error);
      }};
}

// Answers a watch with an ERROR event, and other requests with the error.
absl::StatusOr<httpclient::HttpResponse> ErrorEvent(const httpclient::HttpRequest& request) {
  const absl::Status expired = errors::ResourceExpired("too old resource version");
  if (!absl::StrContains(request.url, "watch=true")) return ErrorResponse(expired);
  return JsonResponse(
      R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",)"
      R"("message":"too old resource version","reason":"Expired","code":410}})");
}

}  // namespace

std::vector<FaultKind> FaultKinds() {
  return {
      {"none", nullptr, nullptr},
      {"watches end", [](TestCluster& c) { c.transport().BreakStreams(absl::OkStatus()); },
       nullptr},
      {"connections are lost",
       [](TestCluster& c) {
         c.transport().BreakStreams(TransportFailure(httpclient::TransportErrorKind::kReset));
       },
       nullptr},
      {"connections say nothing", [](TestCluster& c) { c.transport().StallStreams(); }, nullptr},
      {"history is lost",
       [](TestCluster& c) {
         c.server().Compact();
         c.transport().BreakStreams(absl::OkStatus());
       },
       nullptr},
      Answering("refused", TransportFailure(httpclient::TransportErrorKind::kConnect)),
      Answering("reset", TransportFailure(httpclient::TransportErrorKind::kReset)),
      Answering("410", errors::ResourceExpired("too old")),
      Answering("410 gone", errors::Gone("gone")),
      Answering("429", errors::TooManyRequestsError("slow")),
      Answering("429 with Retry-After", errors::TooManyRequests("slow", absl::Seconds(20))),
      Answering("422", errors::Invalid({.kind = "ListOptions"}, "", List<metav1::StatusCause>())),
      Answering("500", errors::InternalError("etcd")),
      Answering("504 too large", TooLarge()),
      {"error events", [](TestCluster& c) { c.transport().BreakStreams(absl::OkStatus()); },
       ErrorEvent},
  };
}

absl::Status WriteAtRandom(const Context& ctx, TestCluster& cluster, int writer) {
  std::map<std::string, bool> exists;
  while (true) {
    const bool burst = Chance(20);
    KUBE_RETURN_IF_ERROR(
        base::SleepFor(ctx, UpTo(burst ? absl::Milliseconds(5) : absl::Seconds(20))));
    const std::string key = absl::StrCat(Chance(30) ? "kube-system/" : "default/", "w", writer, "-",
                                         base::UniformInt(0, 6));
    bool& there = exists[key];
    if (!there) {
      cluster.Create(key);
    } else if (Chance(30)) {
      cluster.Delete(key);
    } else {
      cluster.Set(key, absl::StrCat(base::UniformInt(0, 1000)));
      continue;
    }
    there = !there;
  }
}

absl::Status CauseTrouble(const Context& ctx, TestCluster& cluster, const FaultKind& fault) {
  if (fault.answer != nullptr) {
    cluster.transport().SetFault(
        [&fault](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
          if (!Chance(25)) return std::nullopt;
          return fault.answer(request);
        });
  }
  while (fault.strike != nullptr) {
    KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Minutes(4))));
    fault.strike(cluster);
  }
  return base::WaitUntilDone(ctx);
}

std::map<std::string, std::string> VersionsOf(const TestCluster& cluster) {
  std::map<std::string, std::string> versions;
  const auto list = cluster.direct().List(Context());
  for (const ConfigMap& object : list->items) {
    versions[meta::MetaNamespaceKey(object)] = std::string(object.metadata.resource_version.view());
  }
  return versions;
}

}  // namespace kube::informers
