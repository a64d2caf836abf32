#include "apimachinery/cel/authorizer.h"

#include <memory>
#include <utility>

#include "apimachinery/base/no_destructor.h"

namespace kube::cel {

const TypePtr& AuthorizerType() {
  static base::NoDestructor<const TypePtr> type(StructType("kubernetes.authorization.Authorizer"));
  return *type;
}

const TypePtr& PathCheckType() {
  static base::NoDestructor<const TypePtr> type(StructType("kubernetes.authorization.PathCheck"));
  return *type;
}

const TypePtr& GroupCheckType() {
  static base::NoDestructor<const TypePtr> type(StructType("kubernetes.authorization.GroupCheck"));
  return *type;
}

const TypePtr& ResourceCheckType() {
  static base::NoDestructor<const TypePtr> type(
      StructType("kubernetes.authorization.ResourceCheck"));
  return *type;
}

const TypePtr& DecisionType() {
  static base::NoDestructor<const TypePtr> type(StructType("kubernetes.authorization.Decision"));
  return *type;
}

Value MakeAuthorizer(std::shared_ptr<const Authorizer> authorizer) {
  return Value::FromOpaque(std::make_shared<const AuthorizationValue>(
      AuthorizerType(), std::move(authorizer), AuthorizationCheck()));
}

Value MakeResourceCheck(std::shared_ptr<const Authorizer> authorizer, AuthorizationCheck resource) {
  return Value::FromOpaque(std::make_shared<const AuthorizationValue>(
      ResourceCheckType(), std::move(authorizer), std::move(resource)));
}

Value AuthorizationValue::Equals(const Value&) const { return Value::Error("no such overload"); }

}  // namespace kube::cel
