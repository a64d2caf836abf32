#include "apiserver/testing/extension_run.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/extension_maker.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/testing/kennel.h"
#include "apiserver/testing/policy_objects.h"
#include "apiserver/testing/webhook_world.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using unstructured::Value;

constexpr char kMutatingPolicies[] =
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
constexpr char kMutatingBindings[] =
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";
constexpr char kDefinition[] = "widgets.example.com";
constexpr int kMaxOperations = 16;

std::string Widgets(absl::string_view version) {
  return absl::StrCat("/apis/example.com/", version, "/namespaces/default/widgets");
}

// Converts objects by their apiVersion alone, or badly.
absl::StatusOr<std::string> Convert(size_t manner, absl::string_view body) {
  if (manner == 0) return absl::UnavailableError("broken");
  if (manner == 1) return "no JSON";
  const Value request = RequestOf(body);
  List<Value> converted;
  if (const List<Value>* objects = request["objects"].list(); objects != nullptr && manner != 2) {
    for (Value object : *objects) {
      if (!object.is_object()) continue;
      (*object.object())["apiVersion"] = request["desiredAPIVersion"];
      if (manner == 3) object.object()->erase("metadata");
      converted.push_back(std::move(object));
    }
  }
  return unstructured::EncodeJson(
      Value(Map<Value>{{"kind", "ConversionReview"},
                       {"apiVersion", "apiextensions.k8s.io/v1"},
                       {"response", Map<Value>{{"uid", request["uid"]},
                                               {"convertedObjects", std::move(converted)},
                                               {"result", Map<Value>{{"status", "Success"}}}}}}));
}

absl::StatusOr<std::string> Admit(size_t manner, absl::string_view body) {
  switch (manner) {
    case 0:
      return absl::UnavailableError("broken");
    case 1:
      return DenyReview(body, R"({"message":"no","code":403})");
    case 2:
      return PatchReview(body, R"([{"op":"add","path":"/metadata/labels","value":{"c":"d"}}])");
    case 3:
      return PatchReview(body, R"([{"op":"replace","path":"/spec","value":{"size":"x"}}])");
    default:
      return AllowReview(body);
  }
}

class ExtensionRun {
 public:
  explicit ExtensionRun(absl::string_view input)
      : input_(input),
        handler_({.anonymous = Anonymous::kAll,
                  .cluster_objects = false,
                  .fresh_timeout = absl::ZeroDuration(),
                  .max_logged_requests = 10}) {}

  ExtensionCounts Run() {
    Define();
    for (int i = 0; i < kMaxOperations && !input_.done(); ++i) Operate();
    for (const std::shared_ptr<FakeExchange>& watch : watches_) watch->Cancel();
    return counts_;
  }

 private:
  std::shared_ptr<FakeExchange> Begin(absl::string_view method, absl::string_view target,
                                      absl::string_view body, absl::string_view type) {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    if (!body.empty()) request.headers.Set("content-type", type);
    request.body = std::string(body);
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    return exchange;
  }

  std::shared_ptr<FakeExchange> Answered(absl::string_view method, absl::string_view target,
                                         absl::string_view body, absl::string_view type) {
    std::shared_ptr<FakeExchange> exchange = Begin(method, target, body, type);
    const absl::Status answered = exchange->Wait(WithTimeout(Context(), absl::Minutes(1)));
    KUBE_CHECK(answered.ok()) << method << " " << target << ": " << answered;
    const int code = exchange->status();
    KUBE_CHECK(code >= 200 && code < 600) << method << " " << target << ": " << code;
    return exchange;
  }

  int Send(absl::string_view method, absl::string_view target, absl::string_view body = "",
           absl::string_view type = "application/json") {
    return Answered(method, target, body, type)->status();
  }

  // Creates an object or changes it. Returns whether that was accepted.
  bool Put(absl::string_view collection, absl::string_view name, const std::string& body) {
    int code = Send("POST", collection, body);
    if (code == 409) code = Send("PATCH", absl::StrCat(collection, "/", name), body, kMergePatch);
    return code < 300;
  }

  void Define() {
    const bool converts = input_.OneIn(3);
    if (converts) {
      converts_ = true;
      handler_.SetWebhook(kConvertUrl,
                          [manner = input_.Below(6)](const Context&, absl::string_view body) {
                            return Convert(manner, body);
                          });
    }
    counts_.definitions += Put(kDefinitions, kDefinition, MakeDefinition(input_, converts));
  }

  void Hook() {
    handler_.SetWebhook(kAdmitUrl,
                        [manner = input_.Below(6)](const Context&, absl::string_view body) {
                          return Admit(manner, body);
                        });
    const absl::string_view kind = input_.OneIn(2) ? "mutating" : "validating";
    counts_.webhooks +=
        Put(absl::StrCat("/apis/admissionregistration.k8s.io/v1/", kind, "webhookconfigurations"),
            "h", MakeWebhook(input_, "h"));
  }

  void Validate() {
    const bool made = Put(kPolicies, "p", MakePolicy(input_, "p"));
    counts_.policies += made;
    if (made) Put(kBindings, "p", MakeBinding(input_, "p", /*mutates=*/false));
  }

  void Mutate() {
    const bool made = Put(kMutatingPolicies, "m", MakeMutatingPolicy(input_, "m"));
    counts_.mutating_policies += made;
    if (made) Put(kMutatingBindings, "m", MakeBinding(input_, "m", /*mutates=*/true));
  }

  void Create() {
    const absl::string_view version = input_.OneIn(4) ? "" : input_.OneIn(2) ? "v2" : "v1";
    const std::string collection = version.empty() ? kMaps : Widgets(version);
    const std::shared_ptr<FakeExchange> answer =
        Answered("POST", collection, MakeObject(input_, version), "application/json");
    ++(answer->status() == 201 ? counts_.objects : counts_.refused);
    if (answer->status() != 201 || converts_) return;
    // A policy may have given it another name.
    const absl::StatusOr<Value> object = unstructured::ParseJson(answer->body());
    KUBE_CHECK(object.ok()) << object.status();
    const absl::string_view name = (*object)["metadata"]["name"].text().value_or("");
    KUBE_CHECK(Send("GET", absl::StrCat(collection, "/", name)) == 200) << name;
  }

  void Change() {
    const std::string version = input_.OneIn(2) ? "v2" : "v1";
    const std::string object = absl::StrCat(Widgets(version), "/o");
    const std::string body = MakeObject(input_, version);
    switch (input_.Below(4)) {
      case 0:
        Send("PATCH", absl::StrCat(object, "?fieldManager=m&force=true"), body,
             "application/apply-patch+yaml");
        break;
      case 1:
        Send("PATCH", object, R"([{"op":"remove","path":"/spec"}])", "application/json-patch+json");
        break;
      case 2:
        Send("PATCH", absl::StrCat(object, "/status"), body, kMergePatch);
        break;
      default:
        Send("PATCH", object, body, kMergePatch);
    }
  }

  void Operate() {
    const std::string widgets = Widgets(input_.OneIn(2) ? "v2" : "v1");
    switch (input_.Below(12)) {
      case 0:
        return Define();
      case 1:
        return Hook();
      case 2:
        return Validate();
      case 3:
        return Mutate();
      case 4:
      case 5:
      case 6:
        return Create();
      case 7:
      case 8:
        return Change();
      case 9:
        Send("GET", widgets);
        return;
      case 10:
        watches_.push_back(Begin("GET", absl::StrCat(widgets, "?watch=1"), "", ""));
        return;
      default:
        Send("DELETE", input_.OneIn(3) ? absl::StrCat(kDefinitions, "/", kDefinition)
                                       : absl::StrCat(widgets, "/o"));
    }
  }

  FuzzInput input_;
  ApiHandler handler_;
  std::vector<std::shared_ptr<FakeExchange>> watches_;
  ExtensionCounts counts_;
  // Whether any definition so far has had a webhook.
  bool converts_ = false;
};

}  // namespace

ExtensionCounts RunExtensions(absl::string_view input) { return ExtensionRun(input).Run(); }

}  // namespace kube::apiserver
