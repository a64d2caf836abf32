#ifndef APIMACHINERY_CEL_AUTHORIZER_H_
#define APIMACHINERY_CEL_AUTHORIZER_H_

#include <memory>
#include <string>
#include <utility>

#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/types/lifetime.h"

// The variable `authorizer` of admission policies, by which expressions ask what a user may do:
// `authorizer.group('apps').resource('deployments').check('create').allowed()`. All expressions
// have the functions; the variable is for those who declare it.
namespace kube::cel {

// What an expression asks (apiserver: `authorizer.AttributesRecord`).
struct AuthorizationCheck {
  std::string verb = {};
  // Set for a path that is no resource's: "/healthz". Then the members below are empty.
  std::string path = {};
  std::string group = {};
  std::string resource = {};
  std::string subresource = {};
  std::string namespace_name = {};
  std::string name = {};
  std::string field_selector = {};
  std::string label_selector = {};
  // The service account that is asked about, instead of the user of the request: both or none.
  std::string account_namespace = {};
  std::string account_name = {};
};

struct AuthorizationDecision {
  bool allowed = false;
  std::string reason = {};
  // Why the check could not be carried out, or "".
  std::string error = {};
};

// Decides. Implementations must be thread-safe and should not block: evaluation waits for them.
// (apiserver: `authorizer.Authorizer`)
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  virtual AuthorizationDecision Authorize(const AuthorizationCheck& check) const = 0;
};

// The types of `authorizer` and `authorizer.requestResource`, and of what their methods return.
// Thread-safe. (apiserver: `library.AuthorizerType`, `library.ResourceCheckType` ...)
const TypePtr& AuthorizerType();
const TypePtr& PathCheckType();
const TypePtr& GroupCheckType();
const TypePtr& ResourceCheckType();
const TypePtr& DecisionType();

// Return the values of the variables. `resource` is what the request is about, without a verb.
// (apiserver: `library.NewAuthorizerVal`, `library.NewResourceAuthorizerVal`)
Value MakeAuthorizer(std::shared_ptr<const Authorizer> authorizer);
Value MakeResourceCheck(std::shared_ptr<const Authorizer> authorizer, AuthorizationCheck resource);

// A value of one of these types, on which the functions work. Immutable; thread-safe.
class AuthorizationValue final : public OpaqueValue {
 public:
  AuthorizationValue(TypePtr type, std::shared_ptr<const Authorizer> authorizer,
                     AuthorizationCheck check, AuthorizationDecision decision = {})
      : type_(std::move(type)),
        authorizer_(std::move(authorizer)),
        check_(std::move(check)),
        decision_(std::move(decision)) {}

  const TypePtr& type() const override { return type_; }
  // Such values cannot be compared: returns an error, as upstream does.
  Value Equals(const Value& other) const override;
  std::string ToString() const override { return type_->name; }

  const std::shared_ptr<const Authorizer>& authorizer() const KUBE_LIFETIME_BOUND {
    return authorizer_;
  }
  const AuthorizationCheck& check() const KUBE_LIFETIME_BOUND { return check_; }
  // Returns the result of a check; for values of the type DecisionType only.
  const AuthorizationDecision& decision() const KUBE_LIFETIME_BOUND { return decision_; }

 private:
  const TypePtr type_;
  const std::shared_ptr<const Authorizer> authorizer_;
  const AuthorizationCheck check_;
  const AuthorizationDecision decision_;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_AUTHORIZER_H_
