#ifndef CLIENTSET_KUBERNETES_TESTING_KIND_CASE_H_
#define CLIENTSET_KUBERNETES_TESTING_KIND_CASE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/table/message.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/testing/any_client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"

// The abilities of a resource's client, derived from its type; for tests of all clients.
namespace kube::kubernetes {

inline constexpr absl::string_view kNamespace = "prod";

// What typed::ResourceTraits of a kind says.
struct KindTraits {
  typed::Resource resource = {};
  const table::Message* list = nullptr;
  bool has_generation = false;
  bool has_status = false;
};

struct KindCase {
  std::string group;     // "AppsV1"
  std::string accessor;  // "Deployments"
  typed::Resource resource;
  // Absent for a kind that cannot be listed.
  std::optional<KindTraits> traits;
  // The functions that it shares with the clients of client-go; sorted.
  std::vector<std::string> methods;
  // Returns a client for the namespace kNamespace with an empty object of the name kName.
  std::function<std::unique_ptr<AnyClient>(const Clientset&)> make;
};

template <typename ObjectT, typename ClientT>
std::vector<std::string> MethodsOf() {
  std::vector<std::string> methods;
  const auto add = [&methods](bool has, const char* name) {
    if (has) methods.emplace_back(name);
  };
  using ApplyOptions = api::meta::v1::ApplyOptions;
  // clang-format off
  // These are called, because the address of a template can be taken even if it is private.
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

template <typename ObjectT>
std::optional<KindTraits> TraitsOf() {
  if constexpr (typed::ResourceKind<ObjectT>) {
    using Traits = typed::ResourceTraits<ObjectT>;
    return KindTraits{.resource = Traits::kResource,
                      .list = &Traits::List::kMessage,
                      .has_generation = Traits::kHasGeneration,
                      .has_status = Traits::kHasStatus};
  } else {
    return std::nullopt;
  }
}

template <typename ObjectT, typename MakeT>
KindCase MakeKindCase(const char* group, const char* accessor, MakeT make) {
  using ClientT = decltype(make(std::declval<const Clientset&>()));
  return {.group = group,
          .accessor = accessor,
          .resource = ClientT::kResource,
          .traits = TraitsOf<ObjectT>(),
          .methods = MethodsOf<ObjectT, ClientT>(),
          .make = [make](const Clientset& clientset) -> std::unique_ptr<AnyClient> {
            return std::make_unique<ClientOf<ObjectT, ClientT>>(make(clientset));
          }};
}

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_TESTING_KIND_CASE_H_
