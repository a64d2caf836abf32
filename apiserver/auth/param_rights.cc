#include "apiserver/auth/param_rights.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/box.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

// Returns the user as upstream's messages have it: as Go prints a pointer to `user.DefaultInfo`.
std::string UserText(const User& user) {
  const auto list = [](const auto& values) {
    return absl::StrCat("[", absl::StrJoin(values, " "), "]");
  };
  std::string extra;
  for (const auto& [key, values] : user.extra) {
    absl::StrAppend(&extra, extra.empty() ? "" : " ", key, ":", list(values));
  }
  return absl::StrCat("&{", user.name, " ", user.uid, " ", list(user.groups), " map[", extra, "]}");
}

// What a user must be allowed to read: everything where the kind is not known.
struct ParamResource {
  std::string group = "*";
  std::string version = "*";
  std::string resource = "*";
  bool resolved = false;
};

ParamResource ResourceOf(const admissionv1::ParamKind& kind, const Resources& resources) {
  const absl::string_view api_version = kind.api_version.view();
  const size_t slash = api_version.find('/');
  const bool has_group = slash != absl::string_view::npos;
  ParamResource found;
  found.group = std::string(has_group ? api_version.substr(0, slash) : "");
  found.version = std::string(has_group ? api_version.substr(slash + 1) : api_version);
  const Resource* const served = resources.FindKind(api_version, kind.kind.view());
  found.resolved = served != nullptr;
  if (found.resolved) found.resource = std::string(served->kind->plural);
  return found;
}

// ---- policies

template <typename Policy>
void CheckPolicy(ErrorList& wrong, const PolicyWrite& write, const Policy* old,
                 const Policy& policy) {
  const Box<admissionv1::ParamKind>& kind = policy.spec.param_kind;
  if (!kind || (old != nullptr && old->spec.param_kind == kind)) return;
  const ParamResource read = ResourceOf(*kind, write.resources);
  if (write.allows({.is_resource_request = true,
                    .verb = "get",
                    .group = read.group,
                    .version = read.version,
                    .namespace_name = "*",
                    .resource = read.resource,
                    .name = "*"})) {
    return;
  }
  wrong.push_back(field::Forbidden(
      Path("spec").Child("paramKind"),
      absl::StrCat("user ", UserText(write.user),
                   " must have \"get\" permission on all objects of the referenced paramKind "
                   "(kind=",
                   kind->kind.view(), ", apiVersion=", kind->api_version.view(), ")")));
}

// ---- bindings

// The reference of a binding, and the policy that it is for.
struct Bound {
  absl::string_view policy_name = {};
  const admissionv1::ParamRef& ref;
  // Whether the policy exists, and its paramKind, or null if it has none.
  bool policy_exists = false;
  const admissionv1::ParamKind* kind = nullptr;
  // Upstream exchanges the user and the verb in one message about mutating policies.
  bool exchanged = false;
};

std::string Refusal(const PolicyWrite& write, const Bound& bound, const ParamResource& read,
                    absl::string_view verb) {
  const std::string user = UserText(write.user);
  const std::string for_all = absl::StrCat(" to determine minimum required permissions and user ",
                                           user, " does not have \"", verb,
                                           "\" permission for all groups, versions and resources");
  if (!bound.policy_exists) {
    return absl::StrCat("unable to get policy ", bound.policy_name, for_all);
  }
  if (bound.kind != nullptr && !read.resolved) {
    return absl::StrCat("unable to resolve paramKind &{", bound.kind->api_version.view(), " ",
                        bound.kind->kind.view(), "}", for_all);
  }
  return absl::StrCat("user ", bound.exchanged ? verb : absl::string_view(user),
                      " does not have \"", bound.exchanged ? absl::string_view(user) : verb,
                      "\" permission on the object referenced by paramRef");
}

// As upstream, an update asks about the same reference again.
void CheckBound(ErrorList& wrong, const PolicyWrite& write, const Bound& bound) {
  ParamResource read;
  if (bound.kind != nullptr) read = ResourceOf(*bound.kind, write.resources);
  const std::string verb = bound.ref.name.empty() ? "list" : "get";
  if (write.allows({.is_resource_request = true,
                    .verb = verb,
                    .group = read.group,
                    .version = read.version,
                    .namespace_name = std::string(bound.ref.namespace_),
                    .resource = read.resource,
                    .name = std::string(bound.ref.name)})) {
    return;
  }
  wrong.push_back(
      field::Forbidden(Path("spec").Child("paramRef"), Refusal(write, bound, read, verb)));
}

template <typename Policy, typename Binding>
void CheckBinding(ErrorList& wrong, const PolicyWrite& write, absl::string_view policies,
                  bool exchanged, const Binding& binding) {
  if (!binding.spec.param_ref) return;
  const ObjectPtr found = write.storage.Get(policies, binding.spec.policy_name.view());
  const Policy* const policy = found == nullptr ? nullptr : found->object().template As<Policy>();
  const bool has_kind = policy != nullptr && policy->spec.param_kind.has_value();
  CheckBound(wrong, write,
             {.policy_name = binding.spec.policy_name.view(),
              .ref = *binding.spec.param_ref,
              .policy_exists = policy != nullptr,
              .kind = has_kind ? &*policy->spec.param_kind : nullptr,
              .exchanged = exchanged});
}

}  // namespace

ErrorList CheckParamRights(const PolicyWrite& write, const Object* old, const Object& object) {
  using admissionv1::MutatingAdmissionPolicy;
  using admissionv1::MutatingAdmissionPolicyBinding;
  using admissionv1::ValidatingAdmissionPolicy;
  using admissionv1::ValidatingAdmissionPolicyBinding;
  ErrorList wrong;
  if (IsMaster(write.user)) return wrong;
  if (const auto* policy = object.As<ValidatingAdmissionPolicy>()) {
    CheckPolicy(wrong, write, old == nullptr ? nullptr : old->As<ValidatingAdmissionPolicy>(),
                *policy);
  }
  if (const auto* policy = object.As<MutatingAdmissionPolicy>()) {
    CheckPolicy(wrong, write, old == nullptr ? nullptr : old->As<MutatingAdmissionPolicy>(),
                *policy);
  }
  if (const auto* binding = object.As<ValidatingAdmissionPolicyBinding>()) {
    CheckBinding<ValidatingAdmissionPolicy>(
        wrong, write, "admissionregistration.k8s.io/validatingadmissionpolicies",
        /*exchanged=*/false, *binding);
  }
  if (const auto* binding = object.As<MutatingAdmissionPolicyBinding>()) {
    CheckBinding<MutatingAdmissionPolicy>(wrong, write,
                                          "admissionregistration.k8s.io/mutatingadmissionpolicies",
                                          /*exchanged=*/true, *binding);
  }
  return wrong;
}

}  // namespace kube::apiserver::internal
