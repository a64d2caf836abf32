#ifndef CLIENTSET_GENERIC_CALL_H_
#define CLIENTSET_GENERIC_CALL_H_

#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"

namespace kube::generic {

// What a call of a Client does.
enum class Verb { kGet, kList, kCreate, kUpdate, kPatch, kApply, kDelete, kDeleteAll };

// Returns the verb as Kubernetes names it in roles: "get", "deletecollection"; an apply is "apply",
// although it needs the right to patch.
constexpr absl::string_view VerbName(Verb verb) {
  switch (verb) {
    case Verb::kList:
      return "list";
    case Verb::kCreate:
      return "create";
    case Verb::kUpdate:
      return "update";
    case Verb::kPatch:
      return "patch";
    case Verb::kApply:
      return "apply";
    case Verb::kDelete:
      return "delete";
    case Verb::kDeleteAll:
      return "deletecollection";
    case Verb::kGet:
      break;
  }
  return "get";
}

// One call of a Client, as interceptors see it.
struct Call {
  Verb verb = Verb::kGet;
  schema::GroupVersionResource resource = {};
  // The object with its complete namespace. The name is empty for lists and collections, and for
  // created objects whose name the server makes.
  meta::ObjectName name = {};
  std::string subresource = {};  // such as "status"; empty for the object itself
};

// Is called in place of a call. `next` makes the call, and returns its error; it may be called
// several times, or not at all. What the interceptor returns is the result of the call. If it
// returns OK without a successful `next`, a write returns the object as it was given, a list is
// empty, and a Get returns INTERNAL, as it has no object.
//
// It runs on the thread of the call and may block until `ctx` is done. It is called by several
// threads at the same time if the client is. (controller-runtime: `interceptor.Funcs`, a function
// for each verb)
using Interceptor = std::function<absl::Status(const Context& ctx, const Call& call,
                                               absl::FunctionRef<absl::Status()> next)>;

}  // namespace kube::generic

#endif  // CLIENTSET_GENERIC_CALL_H_
