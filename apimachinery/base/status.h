#ifndef APIMACHINERY_BASE_STATUS_H_
#define APIMACHINERY_BASE_STATUS_H_

// Additions to absl::Status: context for an error message, joining several errors, and two macros
// for early returns.
//
//   absl::StatusOr<std::string> GetPod(const Context& ctx, absl::string_view name) {
//     KUBE_RETURN_IF_ERROR(ctx.status());
//     KUBE_ASSIGN_OR_RETURN(std::string body, Send(name), "get pods \"", name, "\"");
//     return Decode(body);
//   }
//
// If Send fails, the error reads `get pods "web-0": connection refused`. The functions are pure and
// thread-safe. Newer abseil releases have such macros too, older ones do not.

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::base {

// Returns `status` with "CONTEXT: " before its message. Code and payloads are kept, so that
// errors::IsNotFound and the other predicates still see the server's answer. Returns `status`
// unchanged if it is OK or `context` is empty. Write `context` in lower case, verb and object, once
// per layer. Go: `fmt.Errorf("...: %w", err)`.
absl::Status Annotate(const absl::Status& status, absl::string_view context);

// Joins several errors into one, in the given order; OK elements are skipped. apimachinery:
// `errors.NewAggregate`.
//
// * Returns OK if there is no error.
// * Returns the error itself, with its payloads, if there is only one, or if all have the same code
//   and the same message.
// * Otherwise the message is "[a, b]", each distinct message once, or that message alone if all are
//   equal. The code is the one that all errors share, or UNKNOWN. Payloads are dropped, because
//   those of one error would mislead about the others.
//
// Unlike in Go, an error that was itself joined is not flattened: it keeps its own brackets.
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

// Returns from the enclosing function if `expr`, a Status or a StatusOr, is an error. The arguments
// after `expr` are pieces for absl::StrCat; together they are the error's context. They are
// evaluated only if `expr` is an error.
//
//   KUBE_RETURN_IF_ERROR(Save(token, path), "save token to ", path);
#define KUBE_RETURN_IF_ERROR(expr, ...)                                               \
  KUBE_INTERNAL_RETURN_IF_ERROR(KUBE_INTERNAL_STATUS_NAME(kube_status_, __COUNTER__), \
                                expr __VA_OPT__(, ) __VA_ARGS__)

// Assigns the value of `expr`, a StatusOr, to `decl`, which is a declaration or an existing
// variable. Returns from the enclosing function if `expr` is an error; the arguments after it are
// the context, as above. The macro expands to several statements, so it cannot be the body of an
// `if` without braces. If the type in `decl` contains a comma, write `auto`; if `expr` does, put it
// in parentheses.
//
//   KUBE_ASSIGN_OR_RETURN(std::string token, ReadToken(), "read token");
#define KUBE_ASSIGN_OR_RETURN(decl, expr, ...)                                               \
  KUBE_INTERNAL_ASSIGN_OR_RETURN(KUBE_INTERNAL_STATUS_NAME(kube_result_, __COUNTER__), decl, \
                                 expr __VA_OPT__(, ) __VA_ARGS__)

#define KUBE_INTERNAL_STATUS_NAME(prefix, number) KUBE_INTERNAL_STATUS_NAME_2(prefix, number)
#define KUBE_INTERNAL_STATUS_NAME_2(prefix, number) prefix##number

// The counter makes the names of nested uses differ: those share a line number, and -Wshadow would
// report equal names.
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
