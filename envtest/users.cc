#include "envtest/users.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/authorization/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest {
namespace {

namespace authorizationv1 = api::authorization::v1;
namespace rbacv1 = api::rbac::v1;

constexpr absl::string_view kRbac = "rbac.authorization.k8s.io";
constexpr absl::Duration kPollInterval = absl::Milliseconds(50);

constexpr typed::Resource kRoles = {
    .group = kRbac, .version = "v1", .plural = "roles", .kind = "Role", .built_in = true};
constexpr typed::Resource kClusterRoles = {.group = kRbac,
                                           .version = "v1",
                                           .plural = "clusterroles",
                                           .kind = "ClusterRole",
                                           .namespaced = false,
                                           .built_in = true};
constexpr typed::Resource kRoleBindings = {.group = kRbac,
                                           .version = "v1",
                                           .plural = "rolebindings",
                                           .kind = "RoleBinding",
                                           .built_in = true};
constexpr typed::Resource kClusterRoleBindings = {.group = kRbac,
                                                  .version = "v1",
                                                  .plural = "clusterrolebindings",
                                                  .kind = "ClusterRoleBinding",
                                                  .namespaced = false,
                                                  .built_in = true};
constexpr typed::Resource kReviews = {.group = "authorization.k8s.io",
                                      .version = "v1",
                                      .plural = "subjectaccessreviews",
                                      .kind = "SubjectAccessReview",
                                      .namespaced = false,
                                      .built_in = true};

using Roles = typed::TypedClient<rbacv1::Role, rbacv1::RoleList>;
using ClusterRoles = typed::TypedClient<rbacv1::ClusterRole, rbacv1::ClusterRoleList>;
using RoleBindings = typed::TypedClient<rbacv1::RoleBinding, rbacv1::RoleBindingList>;
using ClusterRoleBindings =
    typed::TypedClient<rbacv1::ClusterRoleBinding, rbacv1::ClusterRoleBindingList>;
// Reviews cannot be listed.
using Reviews =
    typed::TypedClient<authorizationv1::SubjectAccessReview, authorizationv1::SubjectAccessReview>;

apiserver::User UserOf(const UserOptions& options) {
  return {.name = options.name, .groups = options.groups};
}

// Returns the name of the role and the binding, another one for each user. A name in a path has no
// slash and no per cent sign, so these are escaped, and so is the sign of the escape.
std::string RoleNameOf(const UserOptions& options) {
  return absl::StrCat(
      "envtest:", absl::StrReplaceAll(options.name, {{"/", "=2F"}, {"%", "=25"}, {"=", "=3D"}}));
}

// Writes the rules into the role.
template <typename ClientT>
absl::Status WriteRole(const Context& ctx, const ClientT& client, const UserOptions& options) {
  const auto change = [&options](typed::ObjectOf<ClientT>& role) {
    role.rules.clear();
    for (const rbacv1::PolicyRule& rule : options.rules) role.rules.push_back(rule);
    return absl::OkStatus();
  };
  return typed::CreateOrEdit(ctx, client, RoleNameOf(options), change).status();
}

// Writes a binding of the user to the role.
template <typename ClientT>
absl::Status Bind(const Context& ctx, const ClientT& client, const UserOptions& options) {
  const std::string role = RoleNameOf(options);
  const absl::string_view kind = options.namespace_name.empty() ? "ClusterRole" : "Role";
  const auto change = [&](typed::ObjectOf<ClientT>& binding) {
    binding.subjects.clear();
    binding.subjects.push_back({.kind = "User", .api_group = kRbac, .name = options.name});
    binding.role_ref = {.api_group = kRbac, .kind = kind, .name = role};
    return absl::OkStatus();
  };
  return typed::CreateOrEdit(ctx, client, role, change).status();
}

String First(const List<String>& texts) { return texts.empty() ? String() : texts[0]; }

// Returns a question to the server: whether the user may send a request that the rule allows.
authorizationv1::SubjectAccessReview QuestionOf(const rbacv1::PolicyRule& rule,
                                                const UserOptions& options) {
  authorizationv1::SubjectAccessReview question;
  question.spec.user = options.name;
  for (const std::string& group : options.groups) question.spec.groups.push_back(group);
  question.spec.groups.push_back("system:authenticated");
  if (!rule.non_resource_urls.empty()) {
    question.spec.non_resource_attributes = authorizationv1::NonResourceAttributes{
        .path = First(rule.non_resource_urls), .verb = First(rule.verbs)};
    return question;
  }
  const String resource = First(rule.resources);
  const size_t slash = resource.view().find('/');
  const bool whole = slash == absl::string_view::npos;
  authorizationv1::ResourceAttributes& asked = question.spec.resource_attributes.emplace();
  asked.namespace_ = options.namespace_name;
  asked.verb = First(rule.verbs);
  asked.group = First(rule.api_groups);
  asked.resource = resource.view().substr(0, slash);
  asked.subresource = whole ? absl::string_view() : resource.view().substr(slash + 1);
  asked.name = First(rule.resource_names);
  return question;
}

absl::Status AwaitRights(const Context& ctx, const rest::Client& client,
                         const UserOptions& options) {
  const Reviews reviews(client, kReviews);
  for (const rbacv1::PolicyRule& rule : options.rules) {
    const authorizationv1::SubjectAccessReview question = QuestionOf(rule, options);
    KUBE_RETURN_IF_ERROR(base::PollUntil(ctx, kPollInterval, base::FirstPoll::kAtOnce,
                                         [&](const Context& poll) -> absl::StatusOr<bool> {
                                           KUBE_ASSIGN_OR_RETURN(const auto answer,
                                                                 reviews.Create(poll, question));
                                           return answer.status.allowed;
                                         }));
  }
  return absl::OkStatus();
}

absl::Status Grant(const Context& ctx, const rest::Config& admin, const UserOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(admin));
  if (options.namespace_name.empty()) {
    KUBE_RETURN_IF_ERROR(WriteRole(ctx, ClusterRoles(client, kClusterRoles), options));
    KUBE_RETURN_IF_ERROR(Bind(ctx, ClusterRoleBindings(client, kClusterRoleBindings), options));
  } else {
    KUBE_RETURN_IF_ERROR(
        WriteRole(ctx, Roles(client, kRoles).Namespace(options.namespace_name), options));
    KUBE_RETURN_IF_ERROR(
        Bind(ctx, RoleBindings(client, kRoleBindings).Namespace(options.namespace_name), options));
  }
  if (options.timeout <= absl::ZeroDuration()) return absl::OkStatus();
  return base::Annotate(AwaitRights(WithTimeout(ctx, options.timeout), client, options),
                        "wait for rights");
}

absl::Status Add(const Context& ctx, const rest::Config& admin, const UserOptions& options) {
  if (options.name.empty()) return absl::InvalidArgumentError("add user: the name is empty");
  if (options.rules.empty()) return absl::OkStatus();
  return base::Annotate(Grant(ctx, admin, options),
                        absl::StrCat("add user \"", options.name, "\""));
}

}  // namespace

absl::StatusOr<rest::Config> AddUser(const Context& ctx, apiserver::ApiHandler& server,
                                     const UserOptions& options) {
  KUBE_RETURN_IF_ERROR(Add(ctx, InProcessConfig(server), options));
  return InProcessConfig(server, UserOf(options));
}

absl::StatusOr<rest::Config> AddUser(const Context& ctx, const Environment& environment,
                                     const UserOptions& options) {
  const rest::Config admin = environment.Config();
  KUBE_RETURN_IF_ERROR(Add(ctx, admin, options));
  KUBE_ASSIGN_OR_RETURN(const certificates::Certificate certificate,
                        environment.IssueClientCertificate(UserOf(options)), "add user \"",
                        options.name, "\"");
  rest::Config config = rest::AnonymousConfig(admin);
  config.tls.cert_data = certificate.certificate;
  config.tls.key_data = certificate.key;
  return config;
}

absl::StatusOr<rest::Config> AddUser(const Context& ctx, const rest::Config& admin,
                                     const UserOptions& options) {
  KUBE_RETURN_IF_ERROR(Add(ctx, admin, options));
  rest::Config config = admin;
  config.impersonate = {.user_name = options.name, .groups = options.groups};
  return config;
}

}  // namespace kube::envtest
