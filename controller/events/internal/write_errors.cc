#include "controller/events/internal/write_errors.h"

#include <optional>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "net/httpclient/transport_error.h"

namespace kube::events::internal {

bool IsKeyNotFound(const absl::Status& error) {
  const std::optional<api::meta::v1::Status> status = errors::StatusOf(error);
  return status.has_value() && status->code == 404;
}

bool IsFinal(const absl::Status& error) {
  if (errors::StatusOf(error).has_value()) return true;
  // A request that is invalid stays invalid. (client-go: `rest.RequestConstructionError`)
  return absl::IsInvalidArgument(error) && !httpclient::TransportErrorOf(error).has_value();
}

bool IsExpected(const absl::Status& error) {
  return errors::IsAlreadyExists(error) || errors::HasStatusCause(error, "NamespaceTerminating");
}

}  // namespace kube::events::internal
