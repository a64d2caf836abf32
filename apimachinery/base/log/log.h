#ifndef APIMACHINERY_BASE_LOG_LOG_H_
#define APIMACHINERY_BASE_LOG_LOG_H_

// Structured logging like klog's: a constant message, and fields that say what it is about. klog:
// `InfoS`, `ErrorS`, `V(n).InfoS`; Warning has no structured counterpart there.
//
//   log::Info("synced informer", {{"resource", "pods"}, {"count", n}});
//   log::Error(status, "list failed", {{"resource", "pods"}, {"attempt", 2}});
//   KUBE_VLOG(4, "watch event", {"type", "ADDED"}, {"pod", log::KRef("prod", "web-0")});
//
// The first one appears as
// `I1121 03:53:39.123456   12345 reflector.cc:42] "synced informer" resource="pods" count=3`.
//
// The functions that take a Context, and KUBE_VLOG_CTX, log the fields that WithLogFields
// (context_fields.h) has given to it, and then those of the call. A field of the call replaces one
// of the context that has the same key. Code that does something for a caller logs with the
// caller's Context. klog: `klog.FromContext(ctx).Info`; controller-runtime: `log.FromContext`.
//
// The process has one sink: standard error in klog's format, unless SetSink replaces it. The time
// of a record is that of the calling thread's Runtime. All functions are thread-safe, never fail,
// and may be called with locks held and while the process exits. They block as long as the sink
// does.

#include <atomic>
#include <initializer_list>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/source_location.h"

namespace kube::log {

// Log at verbosity 0: nothing is logged while the verbosity is negative (see SetVerbosity).
void Info(absl::string_view message, std::initializer_list<Field> fields = {},
          base::SourceLocation where = base::SourceLocation::Current());
void Info(const Context& ctx, absl::string_view message, std::initializer_list<Field> fields = {},
          base::SourceLocation where = base::SourceLocation::Current());

// Log regardless of the verbosity.
void Warning(absl::string_view message, std::initializer_list<Field> fields = {},
             base::SourceLocation where = base::SourceLocation::Current());
void Warning(const Context& ctx, absl::string_view message,
             std::initializer_list<Field> fields = {},
             base::SourceLocation where = base::SourceLocation::Current());

// Log regardless of the verbosity. An OK `error` is left out; pass it if something went wrong
// without a Status.
void Error(const absl::Status& error, absl::string_view message,
           std::initializer_list<Field> fields = {},
           base::SourceLocation where = base::SourceLocation::Current());
void Error(const Context& ctx, const absl::Status& error, absl::string_view message,
           std::initializer_list<Field> fields = {},
           base::SourceLocation where = base::SourceLocation::Current());

namespace internal {

inline std::atomic<int> verbosity{0};

void Verbose(const Context& ctx, int level, absl::string_view message,
             std::initializer_list<Field> fields, base::SourceLocation where);

}  // namespace internal

// Sets the highest level whose KUBE_VLOG messages are logged. Default: 0, so levels from 1 on are
// off. Kubernetes uses 2 for changes of state, 4 for details, 6 for requests and 8 for their
// bodies.
inline void SetVerbosity(int level) { internal::verbosity.store(level, std::memory_order_relaxed); }

// Returns whether messages of this level are logged. Costs one atomic load. klog: `V(n).Enabled()`.
inline bool V(int level) { return level <= internal::verbosity.load(std::memory_order_relaxed); }

// Makes `sink` receive all further records, and returns the previous sink. Null means the default.
// A thread that is logging at the moment may still write to the previous sink, and keeps it alive
// until then.
std::shared_ptr<Sink> SetSink(std::shared_ptr<Sink> sink);

}  // namespace kube::log

// Log like Info at a verbosity: KUBE_VLOG(4, "message", {"key", value}, …) and
// KUBE_VLOG_CTX(ctx, 4, "message", {"key", value}, …). Macros, so that context, message and fields
// are not evaluated if the level is off.
#define KUBE_VLOG(level, message, ...) KUBE_VLOG_CTX(::kube::Context(), level, message, __VA_ARGS__)

#define KUBE_VLOG_CTX(ctx, level, message, ...)                                                  \
  do {                                                                                           \
    if (::kube::log::V(level)) {                                                                 \
      ::kube::log::internal::Verbose(ctx, level, message, {__VA_ARGS__},                         \
                                     ::kube::base::SourceLocation::Current(__FILE__, __LINE__)); \
    }                                                                                            \
  } while (false)

#endif  // APIMACHINERY_BASE_LOG_LOG_H_
