// Functions of the authorizer.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/authorizer.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/validation/object_meta.h"

namespace kube::cel::internal {
namespace {

const AuthorizationValue& Of(const Value& value) {
  return static_cast<const AuthorizationValue&>(value.opaque());
}

Value Made(const TypePtr& type, const Call& call, AuthorizationCheck check) {
  return Value::FromOpaque(
      std::make_shared<const AuthorizationValue>(type, Of(call[0]).authorizer(), std::move(check)));
}

bool IsBlank(absl::string_view text) { return absl::StripAsciiWhitespace(text).empty(); }

// Returns a check of the type `type` that is the receiver's but for one member, the argument.
template <std::string AuthorizationCheck::*Member>
AuthorizationCheck With(const Call& call) {
  AuthorizationCheck check = Of(call[0]).check();
  check.*Member = std::string(call[1].text());
  return check;
}

Value Path(const Call& call) {
  if (IsBlank(call[1].text())) return Value::Error("path must not be empty");
  return Made(PathCheckType(), call, With<&AuthorizationCheck::path>(call));
}

Value Group(const Call& call) {
  return Made(GroupCheckType(), call, With<&AuthorizationCheck::group>(call));
}

Value ServiceAccount(const Call& call) {
  if (!validation::NameIsDnsSubdomain(call[2].text(), /*prefix=*/false).empty()) {
    return Value::Error("Invalid service account name");
  }
  if (!validation::NameIsDnsLabel(call[1].text(), /*prefix=*/false).empty()) {
    return Value::Error("Invalid service account namespace");
  }
  AuthorizationCheck check;
  check.account_namespace = std::string(call[1].text());
  check.account_name = std::string(call[2].text());
  return Made(AuthorizerType(), call, std::move(check));
}

Value Resource(const Call& call) {
  if (IsBlank(call[1].text())) return Value::Error("resource must not be empty");
  return Made(ResourceCheckType(), call, With<&AuthorizationCheck::resource>(call));
}

template <std::string AuthorizationCheck::*Member>
Value Refined(const Call& call) {
  return Made(ResourceCheckType(), call, With<Member>(call));
}

Value Check(const Call& call) {
  AuthorizationCheck check = With<&AuthorizationCheck::verb>(call);
  AuthorizationDecision decision = Of(call[0]).authorizer()->Authorize(check);
  return Value::FromOpaque(std::make_shared<const AuthorizationValue>(
      DecisionType(), Of(call[0]).authorizer(), std::move(check), std::move(decision)));
}

Value Errored(const Call& call) { return Value::FromBool(!Of(call[0]).decision().error.empty()); }
Value ErrorText(const Call& call) { return Value::FromString(Of(call[0]).decision().error); }
Value Allowed(const Call& call) { return Value::FromBool(Of(call[0]).decision().allowed); }
Value Reason(const Call& call) { return Value::FromString(Of(call[0]).decision().reason); }

}  // namespace

void AddAuthorizerFunctions(Functions& functions) {
  const TypePtr& authorizer = AuthorizerType();
  const TypePtr& check = ResourceCheckType();
  const TypePtr& decision = DecisionType();
  const TypePtr& text = StringType();
  functions.AddMember("path", "authorizer_path", {authorizer, text}, PathCheckType(), Path);
  functions.AddMember("group", "authorizer_group", {authorizer, text}, GroupCheckType(), Group);
  functions.AddMember("serviceAccount", "authorizer_serviceaccount", {authorizer, text, text},
                      authorizer, ServiceAccount);
  functions.AddMember("resource", "groupcheck_resource", {GroupCheckType(), text}, check, Resource);
  functions.AddMember("subresource", "resourcecheck_subresource", {check, text}, check,
                      Refined<&AuthorizationCheck::subresource>);
  functions.AddMember("namespace", "resourcecheck_namespace", {check, text}, check,
                      Refined<&AuthorizationCheck::namespace_name>);
  functions.AddMember("name", "resourcecheck_name", {check, text}, check,
                      Refined<&AuthorizationCheck::name>);
  functions.AddMember("fieldSelector", "authorizer_fieldselector", {check, text}, check,
                      Refined<&AuthorizationCheck::field_selector>);
  functions.AddMember("labelSelector", "authorizer_labelselector", {check, text}, check,
                      Refined<&AuthorizationCheck::label_selector>);
  functions.AddMember("check", "pathcheck_check", {PathCheckType(), text}, decision, Check);
  functions.AddMember("check", "resourcecheck_check", {check, text}, decision, Check);
  functions.AddMember("errored", "decision_errored", {decision}, BoolType(), Errored);
  functions.AddMember("error", "decision_error", {decision}, text, ErrorText);
  functions.AddMember("allowed", "decision_allowed", {decision}, BoolType(), Allowed);
  functions.AddMember("reason", "decision_reason", {decision}, text, Reason);
}

}  // namespace kube::cel::internal
