#ifndef APIMACHINERY_BASE_LOG_LOG_H_
#define APIMACHINERY_BASE_LOG_LOG_H_

// Structured logging as klog's: a constant message, and fields that say what it is about.
//
//   log::Info("synced informer", {{"resource", "pods"}, {"count", n}});
//   log::Error(status, "list failed", {{"resource", "pods"}, {"attempt", 2}});
//   KUBE_VLOG(4, "watch event", {"type", "ADDED"}, {"pod", log::KRef("prod", "web-0")});
//
//   I1121 03:53:39.123456   12345 reflector.cc:42] "synced informer" resource="pods" count=3
//
// Records go to one sink of the process, klog's text on standard error unless SetSink says
// otherwise; their time is the calling thread's Runtime's. All functions are thread-safe, may be
// called with locks held and during the end of the process, and never fail.
// Go: klog.InfoS, klog.ErrorS, klog.V(n).InfoS; Warning has no structured twin there.

#include <atomic>
#include <initializer_list>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/source_location.h"

namespace kube::log {

// Writes a record of level 0: nothing is written while the verbosity is negative (SetVerbosity).
void Info(absl::string_view message, std::initializer_list<Field> fields = {},
          base::SourceLocation where = base::SourceLocation::Current());

void Warning(absl::string_view message, std::initializer_list<Field> fields = {},
             base::SourceLocation where = base::SourceLocation::Current());

// An OK `error` is left out: for things that went wrong without one.
void Error(const absl::Status& error, absl::string_view message,
           std::initializer_list<Field> fields = {},
           base::SourceLocation where = base::SourceLocation::Current());

namespace internal {

inline std::atomic<int> verbosity{0};

void Verbose(int level, absl::string_view message, std::initializer_list<Field> fields,
             base::SourceLocation where);

}  // namespace internal

// Which messages of KUBE_VLOG are written: those of levels up to this one. Default 0: none of 1
// and above. Kubernetes' habit: 2 changes of state, 4 details, 6 requests, 8 their bodies.
inline void SetVerbosity(int level) { internal::verbosity.store(level, std::memory_order_relaxed); }

// Whether messages of this level are written: one load from memory. Go: klog.V(n).Enabled().
inline bool V(int level) { return level <= internal::verbosity.load(std::memory_order_relaxed); }

// Makes `sink` receive all records from now on, and returns the one that did so before. Null means
// the default. A thread that is just logging may still write to the old sink, which is kept until
// then.
std::shared_ptr<Sink> SetSink(std::shared_ptr<Sink> sink);

}  // namespace kube::log

// Info of a verbosity: KUBE_VLOG(4, "message", {"key", value}, …). A macro, so that message and
// fields are not evaluated when it is off.
#define KUBE_VLOG(level, message, ...)                                                           \
  do {                                                                                           \
    if (::kube::log::V(level)) {                                                                 \
      ::kube::log::internal::Verbose(level, message, {__VA_ARGS__},                              \
                                     ::kube::base::SourceLocation::Current(__FILE__, __LINE__)); \
    }                                                                                            \
  } while (false)

#endif  // APIMACHINERY_BASE_LOG_LOG_H_
