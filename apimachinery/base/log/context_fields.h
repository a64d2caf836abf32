#ifndef APIMACHINERY_BASE_LOG_CONTEXT_FIELDS_H_
#define APIMACHINERY_BASE_LOG_CONTEXT_FIELDS_H_

#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log_record.h"

namespace kube {

// Returns a context below `parent` that carries the log fields of `parent` and `fields`. A field of
// `parent` whose key is among `fields` is left out. klog: `NewContext` with a logger that has
// `WithValues`; controller-runtime: `log.IntoContext`.
//
//   const kube::Context ctx = kube::WithLogFields(parent, {{"namespace", "prod"}, {"name", name}});
//   kube::log::Info(ctx, "scaling", {{"replicas", 3}});
//
// The line is `"scaling" namespace="prod" name="web-0" replicas=3`. What the SDK logs on behalf of
// a call with this context, such as its requests from -v=6 on, has the two fields as well.
//
// All contexts that are made of the result inherit the fields: those of WithCancel and WithTimeout,
// of threads that are started with it, and of WithoutCancel. The texts are copied, so `fields` need
// not outlive the call. A Secret stays hidden.
//
// The fields are for the log alone, and no function returns them. Thread-safe; never blocks.
[[nodiscard]] Context WithLogFields(const Context& parent, absl::Span<const log::Field> fields);

}  // namespace kube

#endif  // APIMACHINERY_BASE_LOG_CONTEXT_FIELDS_H_
