#include "controller/events/internal/write_errors.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::events::internal {
namespace {

namespace metav1 = api::meta::v1;

absl::Status NamespaceTerminating() {
  metav1::StatusDetails details;
  details.causes.push_back({.reason = "NamespaceTerminating", .message = "being terminated"});
  return errors::FromStatus({.status = "Failure",
                             .message = "forbidden",
                             .reason = "Forbidden",
                             .details = details,
                             .code = 403});
}

struct Case {
  const char* name;
  absl::Status error;
  bool is_final;
  bool is_not_found = false;
  bool is_expected = false;
};

// behaviour.md: EV-1
TEST(WriteErrors, IsFinal_ErrorOfTheServer_IsTrueAndTransportErrorsAreNot) {
  const std::vector<Case> cases = {
      {"not found", errors::NotFound({"", "events"}, "e"), true, true},
      {"404 without a reason", errors::FromStatus({.status = "Failure", .code = 404}), true, true},
      {"conflict", errors::Conflict({"", "events"}, "e", "changed"), true},
      {"a server's 500", errors::InternalError("etcd"), true},
      {"a server's 429", errors::TooManyRequestsError("slow"), true},
      {"already exists", errors::AlreadyExists({"", "events"}, "e"), true, false, true},
      {"namespace goes", NamespaceTerminating(), true, false, true},
      {"bad request of ours", absl::InvalidArgumentError("no name"), true},
      {"refused",
       httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect},
                                      "refused"),
       false},
      {"no Kubernetes", errors::UnexpectedObject("<html>"), false},
      {"404 of nobody", absl::NotFoundError("?"), false},
      {"deadline", absl::DeadlineExceededError("slow"), false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(IsFinal(c.error), c.is_final);
    EXPECT_EQ(IsKeyNotFound(c.error), c.is_not_found);
    EXPECT_EQ(IsExpected(c.error), c.is_expected);
  }
}

}  // namespace
}  // namespace kube::events::internal
