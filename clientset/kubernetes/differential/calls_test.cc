// Compares the requests of all clients of the clientset, for all their verbs and other functions,
// with those of client-go and its siblings.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/authentication/v1/types.kube.h"
#include "api/certificates/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/testing/any_client.h"
#include "clientset/kubernetes/testing/every_kind.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::kubernetes {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using oracle::GoCases;

// Returns the request; all of them if there are several.
std::string SentBy(absl::string_view content_type,
                   const std::function<absl::Status(const Clientset&)>& call) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply("{}"));
  call(Clientset(rest::MakeScriptedClient(transport, {.content_type = std::string(content_type)})))
      .IgnoreError();
  std::vector<std::string> lines;
  for (const rest::RecordedRequest& request : transport->requests()) {
    lines.push_back(absl::StrJoin({request.method, request.url, request.Header("accept"),
                                   request.Header("content-type"), oracle::Hex(request.body)},
                                  " | "));
  }
  return absl::StrJoin(lines, " then ");
}

// client-go does not have these: clientset_test.cc.
bool IsOursAlone(const std::string& client, absl::string_view verb) {
  return client == "CoreV1 Bindings" || (client == "CoreV1 Services" && verb == "deletecollection");
}

TEST(Calls, OfEveryVerbAreThoseOfClientGo) {
  constexpr char kObject[] =
      R"({"metadata":{"name":"web","labels":{"app<&>":"web"},"resourceVersion":"7"}})";
  GoCases cases("calls_oracle");
  int count = 0;
  for (const KindCase& kind : EveryKind()) {
    const std::string client = absl::StrCat(kind.group, " ", kind.accessor);
    for (const absl::string_view verb :
         kind.make(Clientset(rest::MakeScriptedClient(std::make_shared<rest::ScriptedTransport>())))
             ->verbs()) {
      if (IsOursAlone(client, verb)) continue;
      for (const char* const content_type : {"", "application/json"}) {
        cases.Add("verb", absl::StrCat(client, "\n", verb, "\n", content_type, "\n", kObject),
                  SentBy(content_type, [&](const Clientset& clientset) {
                    const std::unique_ptr<AnyClient> made = kind.make(clientset);
                    const absl::Status set = made->SetObject(kObject);
                    return set.ok() ? made->Call(Context(), verb) : set;
                  }));
        ++count;
      }
    }
  }
  EXPECT_GT(count, 2000);
  cases.Check();
}

metav1::ObjectMeta Meta(const char* name) { return {.name = name, .namespace_ = "prod"}; }

struct Call {
  const char* name;
  std::function<absl::Status(const Context&, const corev1::CoreV1Client&)> call;
};

const Call kCalls[] = {
    {"Bind",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Pods("prod").Bind(
           ctx, {.metadata = Meta("web-0"), .target = {.kind = "Node", .name = "n1"}});
     }},
    {"EvictV1",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Pods("prod").EvictV1(
           ctx, {.metadata = Meta("web-0"),
                 .delete_options = metav1::DeleteOptions{.grace_period_seconds = 5}});
     }},
    {"GetLogs",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Pods("prod")
           .GetLogs(ctx, "web-0",
                    {.container = "app",
                     .previous = true,
                     .timestamps = true,
                     .tail_lines = 10,
                     .limit_bytes = 1000})
           .status();
     }},
    {"GetLogs, no options",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Pods("prod").GetLogs(ctx, "web-0").status();
     }},
    {"pods ProxyGet",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Pods("prod")
           .ProxyGet(ctx, {.name = "web-0", .port = "8443", .scheme = "https"}, "a/b",
                     {{"q", {"1 2"}}})
           .status();
     }},
    {"services ProxyGet",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Services("prod").ProxyGet(ctx, {.name = "web"}, "healthz").status();
     }},
    {"CreateToken",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.ServiceAccounts("prod")
           .CreateToken(ctx, "app", {.spec = {.audiences = {"a"}, .expiration_seconds = 600}})
           .status();
     }},
    {"UpdateEphemeralContainers",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       corev1::Pod pod = {.metadata = Meta("web-0")};
       pod.spec.ephemeral_containers.push_back({.name = "shell", .image = "sh"});
       return core.Pods("prod")
           .UpdateEphemeralContainers(ctx, "web-0", pod, {.field_manager = "me"})
           .status();
     }},
    {"UpdateResize",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Pods("prod")
           .UpdateResize(ctx, "web-0", {.metadata = Meta("web-0")}, {.dry_run = {"All"}})
           .status();
     }},
    {"UpdateApproval",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return Clientset(core.client())
           .CertificatesV1()
           .CertificateSigningRequests()
           .UpdateApproval(ctx, "web", {.metadata = {.name = "web"}})
           .status();
     }},
    {"Finalize",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Namespaces()
           .Finalize(ctx, {.metadata = {.name = "prod"}}, {.field_manager = "me"})
           .status();
     }},
    {"PatchStatus",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Nodes().PatchStatus(ctx, "n1", R"({"status":{"phase":"Running"}})").status();
     }},
    {"CreateWithEventNamespace",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Events("")
           .CreateWithEventNamespace(ctx, {.metadata = Meta("e"), .reason = "R"})
           .status();
     }},
    {"UpdateWithEventNamespace",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Events("prod")
           .UpdateWithEventNamespace(ctx, {.metadata = Meta("e"), .count = 2})
           .status();
     }},
    {"PatchWithEventNamespace",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Events("")
           .PatchWithEventNamespace(ctx, {.metadata = Meta("e")}, R"({"count":3})")
           .status();
     }},
    {"Search",
     [](const Context& ctx, const corev1::CoreV1Client& core) {
       return core.Events("prod")
           .Search(ctx, {.kind = "Pod", .namespace_ = "prod", .name = "web-0", .uid = "u1"})
           .status();
     }},
};

// In JSON, because client-go's hand-written functions use JSON by default, and ours use the
// client's content type: docs/clientset.md.
TEST(Calls, OfFunctionsOfTheirOwnAreThoseOfClientGo) {
  GoCases cases("calls_oracle");
  for (const Call& each : kCalls) {
    cases.Add("call", each.name, SentBy("application/json", [&](const Clientset& clientset) {
                return each.call(Context(), clientset.CoreV1());
              }));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::kubernetes
