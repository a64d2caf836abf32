#ifndef CLIENTSET_KUBERNETES_TESTING_KIND_CASE_H_
#define CLIENTSET_KUBERNETES_TESTING_KIND_CASE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"

// What a resource's client can do, found out by its type: for tests of all of them.
namespace kube::kubernetes {

inline constexpr absl::string_view kNamespace = "prod";
inline constexpr absl::string_view kName = "web";

struct KindCase {
  std::string group;     // "AppsV1"
  std::string accessor;  // "Deployments"
  typed::Resource resource;
  // The functions that it has, of those that client-go's have; sorted.
  std::vector<std::string> methods;
  // What each verb of the API that it has sends: "GET /apis/…".
  std::function<std::map<std::string, std::string>()> requests;
};

template <typename ObjectT, typename ClientT>
std::vector<std::string> MethodsOf() {
  std::vector<std::string> methods;
  const auto add = [&methods](bool has, const char* name) {
    if (has) methods.emplace_back(name);
  };
  using ApplyOptions = api::meta::v1::ApplyOptions;
  // clang-format off
  // A template's address can be taken where it is private, too: these are called.
  add(requires(const ClientT& client) { client.Apply(Context(), ObjectT(), ApplyOptions()); }, "Apply");
  add(requires(const ClientT& client) { client.ApplyScale(Context(), "", ObjectT(), ApplyOptions()); }, "ApplyScale");
  add(requires(const ClientT& client) { client.ApplyStatus(Context(), ObjectT(), ApplyOptions()); }, "ApplyStatus");
  add(requires { &ClientT::Bind; }, "Bind");
  add(requires { &ClientT::Create; }, "Create");
  add(requires { &ClientT::CreateToken; }, "CreateToken");
  add(requires { &ClientT::CreateWithEventNamespace; }, "CreateWithEventNamespace");
  add(requires { &ClientT::Delete; }, "Delete");
  add(requires { &ClientT::DeleteCollection; }, "DeleteCollection");
  add(requires { &ClientT::EvictV1; }, "EvictV1");
  add(requires { &ClientT::Finalize; }, "Finalize");
  add(requires { &ClientT::Get; }, "Get");
  add(requires { &ClientT::GetFieldSelector; }, "GetFieldSelector");
  add(requires { &ClientT::GetLogs; }, "GetLogs");
  add(requires { &ClientT::GetScale; }, "GetScale");
  add(requires { &ClientT::List; }, "List");
  add(requires { &ClientT::Patch; }, "Patch");
  add(requires { &ClientT::PatchStatus; }, "PatchStatus");
  add(requires { &ClientT::PatchWithEventNamespace; }, "PatchWithEventNamespace");
  add(requires { &ClientT::ProxyGet; }, "ProxyGet");
  add(requires { &ClientT::Search; }, "Search");
  add(requires { &ClientT::Update; }, "Update");
  add(requires { &ClientT::UpdateApproval; }, "UpdateApproval");
  add(requires { &ClientT::UpdateEphemeralContainers; }, "UpdateEphemeralContainers");
  add(requires { &ClientT::UpdateResize; }, "UpdateResize");
  add(requires { &ClientT::UpdateScale; }, "UpdateScale");
  add(requires { &ClientT::UpdateStatus; }, "UpdateStatus");
  add(requires { &ClientT::UpdateWithEventNamespace; }, "UpdateWithEventNamespace");
  add(requires { &ClientT::Watch; }, "Watch");
  // clang-format on
  return methods;
}

// All answers are errors: what was asked is what counts.
template <typename ObjectT, typename ClientT>
std::map<std::string, std::string> RequestsOf(
    const std::function<ClientT(const Clientset&)>& make) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::StatusReply(404, "NotFound", "there is none"));
  const ClientT client = make(Clientset(rest::MakeScriptedClient(transport)));
  const Context ctx;
  std::map<std::string, std::string> requests;
  const auto record = [&](const char* verb, auto result) {
    static_cast<void>(result);
    const rest::RecordedRequest last = transport->requests().back();
    const bool watches = last.Param("watch") == "true";
    requests[verb] = absl::StrCat(last.method, " ", last.path, watches ? "?watch=true" : "");
  };
  ObjectT object;
  object.metadata.name = kName;
  if constexpr (requires { &ClientT::Get; }) record("get", client.Get(ctx, kName));
  if constexpr (requires { &ClientT::List; }) record("list", client.List(ctx));
  if constexpr (requires { &ClientT::Watch; }) record("watch", client.Watch(ctx));
  if constexpr (requires { &ClientT::Create; }) record("create", client.Create(ctx, object));
  if constexpr (requires { &ClientT::Update; }) record("update", client.Update(ctx, object));
  if constexpr (requires { &ClientT::Patch; }) {
    record("patch", client.Patch(ctx, kName, patch::PatchType::kMerge, "{}"));
  }
  if constexpr (requires { &ClientT::Delete; }) record("delete", client.Delete(ctx, kName));
  if constexpr (requires { &ClientT::DeleteCollection; }) {
    record("deletecollection", client.DeleteCollection(ctx));
  }
  if constexpr (requires { &ClientT::UpdateStatus; }) {
    record("update status", client.UpdateStatus(ctx, object));
  }
  if constexpr (requires { &ClientT::GetScale; }) {
    record("get scale", client.GetScale(ctx, kName));
    record("update scale", client.UpdateScale(ctx, kName, {}));
  }
  return requests;
}

template <typename ObjectT, typename MakeT>
KindCase MakeKindCase(const char* group, const char* accessor, MakeT make) {
  using ClientT = decltype(make(std::declval<const Clientset&>()));
  return {.group = group,
          .accessor = accessor,
          .resource = ClientT::kResource,
          .methods = MethodsOf<ObjectT, ClientT>(),
          .requests = [make] { return RequestsOf<ObjectT, ClientT>(make); }};
}

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_TESTING_KIND_CASE_H_
