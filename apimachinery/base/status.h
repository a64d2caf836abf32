#ifndef APIMACHINERY_BASE_STATUS_H_
#define APIMACHINERY_BASE_STATUS_H_

// What absl::Status lacks: context added once per layer, several errors in one, and the two macros.
//
//   absl::StatusOr<Pod> GetPod(const Context& ctx, absl::string_view name) {
//     KUBE_RETURN_IF_ERROR(ctx.status());
//     KUBE_ASSIGN_OR_RETURN(HttpResponse response, Send(ctx, name), "get pods \"", name, "\"");
//     return Decode(response);
//   }
//
// An error of Send reads `get pods "web-0": connection refused`. Pure functions: thread-safe.
// Newer abseil has macros of its own; old releases do not, so these stand alone.

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::base {

// The status with "CONTEXT: " before its message; code and payloads are kept, so that
// errors::IsNotFound and its siblings still see the server's answer. OK stays OK, and an empty
// context changes nothing. Lower case: verb, object. (Go: fmt.Errorf("...: %w", err).)
absl::Status Annotate(const absl::Status& status, absl::string_view context);

// Several errors in one, in the order given, as apimachinery's NewAggregate:
//   nothing but OK       OK
//   one error            that error, payloads included
//   several              "[a, b]", each message once; the common code if they share one, otherwise
//                        unknown; no payloads, for one of several would mislead
// Unlike Go's, an error that is itself joined stays one error, in brackets of its own.
absl::Status JoinErrors(absl::Span<const absl::Status> errors);

namespace internal {

inline const absl::Status& ToStatus(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& ToStatus(const absl::StatusOr<T>& result) {
  return result.status();
}

inline absl::Status AnnotateArgs(const absl::Status& status) { return status; }
template <typename... Args>
absl::Status AnnotateArgs(const absl::Status& status, const Args&... context) {
  return Annotate(status, absl::StrCat(context...));
}

}  // namespace internal
}  // namespace kube::base

// Returns from the enclosing function if `expr`, a Status or a StatusOr, is an error. What follows
// is its context, pieces for absl::StrCat, evaluated only then.
//   KUBE_RETURN_IF_ERROR(Save(path), "save token to ", path);
#define KUBE_RETURN_IF_ERROR(expr, ...)                                               \
  KUBE_INTERNAL_RETURN_IF_ERROR(KUBE_INTERNAL_STATUS_NAME(kube_status_, __COUNTER__), \
                                expr __VA_OPT__(, ) __VA_ARGS__)

// Assigns the value of `expr`, a StatusOr, to `decl` (a declaration or something assignable), or
// returns its error with the context. More than one statement: not the body of a bare `if`.
// A comma in `decl` needs `auto`, one in `expr` parentheses.
//   KUBE_ASSIGN_OR_RETURN(std::string token, ReadFile(path), "read token");
#define KUBE_ASSIGN_OR_RETURN(decl, expr, ...)                                               \
  KUBE_INTERNAL_ASSIGN_OR_RETURN(KUBE_INTERNAL_STATUS_NAME(kube_result_, __COUNTER__), decl, \
                                 expr __VA_OPT__(, ) __VA_ARGS__)

#define KUBE_INTERNAL_STATUS_NAME(prefix, number) KUBE_INTERNAL_STATUS_NAME_2(prefix, number)
#define KUBE_INTERNAL_STATUS_NAME_2(prefix, number) prefix##number

// The counter keeps the names of nested uses apart, which share a line (-Wshadow).
#define KUBE_INTERNAL_RETURN_IF_ERROR(name, expr, ...)                                   \
  do {                                                                                   \
    if (const auto& name = (expr); !name.ok()) [[unlikely]] {                            \
      return ::kube::base::internal::AnnotateArgs(::kube::base::internal::ToStatus(name) \
                                                      __VA_OPT__(, ) __VA_ARGS__);       \
    }                                                                                    \
  } while (false)

#define KUBE_INTERNAL_ASSIGN_OR_RETURN(name, decl, expr, ...)                              \
  auto name = (expr);                                                                      \
  if (!name.ok()) [[unlikely]] {                                                           \
    return ::kube::base::internal::AnnotateArgs(name.status() __VA_OPT__(, ) __VA_ARGS__); \
  }                                                                                        \
  decl = *std::move(name)

#endif  // APIMACHINERY_BASE_STATUS_H_
