// impersonate [--as USER] [--as-group GROUPS] [--namespace NS]: what may a user do? Acts as the
// user, asks the server who that is, and what is allowed in a namespace. Needs the right to
// impersonate.
//
//   I am jane, in dev, ops, system:authenticated
//   VERB    RESOURCE     ALLOWED
//   list    pods         yes
//   delete  pods         no
//   get     pods/log     yes
//   get     secrets      no
//   patch   deployments  yes
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/authorization/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/string.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/authentication/v1/client.h"
#include "clientset/kubernetes/authorization/v1/client.h"
#include "clientset/kubernetes/clientset.h"

namespace authenticationv1 = kube::api::authentication::v1;
namespace authorizationv1 = kube::api::authorization::v1;

namespace {

// Prints the answer to one question about `namespace_name`.
absl::Status Ask(const kube::Context& ctx, const kube::kubernetes::Clientset& client,
                 const std::string& namespace_name,
                 const authorizationv1::ResourceAttributes& question) {
  authorizationv1::SelfSubjectAccessReview review;
  review.spec.resource_attributes.emplace() = question;
  review.spec.resource_attributes->namespace_ = namespace_name;
  KUBE_ASSIGN_OR_RETURN(review,
                        client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review));
  std::cout << question.verb << "\t" << question.resource;
  if (!question.subresource.empty()) std::cout << "/" << question.subresource;
  std::cout << "\t" << (review.status.allowed ? "yes" : "no");
  if (!review.status.reason.empty()) std::cout << "\t" << review.status.reason;
  std::cout << "\n";
  return absl::OkStatus();
}

absl::Status Run(const kube::Context& ctx) {
  // The flags --as and --as-group become LoadedConfig::config.impersonate.
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));

  KUBE_ASSIGN_OR_RETURN(const authenticationv1::SelfSubjectReview self,
                        client.AuthenticationV1().SelfSubjectReviews().Create(ctx, {}));
  const authenticationv1::UserInfo& user = self.status.user_info;
  const auto append = [](std::string* out, const kube::String& group) {
    out->append(group.data(), group.size());
  };
  std::cout << "I am " << user.username << ", in " << absl::StrJoin(user.groups, ", ", append)
            << "\nVERB\tRESOURCE\tALLOWED\n";
  const authorizationv1::ResourceAttributes questions[] = {
      {.verb = "list", .resource = "pods"},
      {.verb = "delete", .resource = "pods"},
      {.verb = "get", .resource = "pods", .subresource = "log"},
      {.verb = "get", .resource = "secrets"},
      {.verb = "patch", .group = "apps", .resource = "deployments"},
  };
  for (const authorizationv1::ResourceAttributes& question : questions) {
    KUBE_RETURN_IF_ERROR(Ask(ctx, client, loaded.chosen_namespace.name, question));
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Seconds(30)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
