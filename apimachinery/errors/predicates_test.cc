#include "apimachinery/errors/predicates.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/status_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::errors {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using testing::ElementsAre;
using testing::IsEmpty;

struct Predicate {
  const char* name;
  bool (*is)(const absl::Status&);
};

constexpr Predicate kPredicates[] = {
    {"NotFound", IsNotFound},
    {"AlreadyExists", IsAlreadyExists},
    {"Conflict", IsConflict},
    {"Invalid", IsInvalid},
    {"Gone", IsGone},
    {"ResourceExpired", IsResourceExpired},
    {"NotAcceptable", IsNotAcceptable},
    {"UnsupportedMediaType", IsUnsupportedMediaType},
    {"MethodNotSupported", IsMethodNotSupported},
    {"ServiceUnavailable", IsServiceUnavailable},
    {"BadRequest", IsBadRequest},
    {"Unauthorized", IsUnauthorized},
    {"Forbidden", IsForbidden},
    {"Timeout", IsTimeout},
    {"ServerTimeout", IsServerTimeout},
    {"InternalError", IsInternalError},
    {"TooManyRequests", IsTooManyRequests},
    {"RequestEntityTooLarge", IsRequestEntityTooLarge},
    {"StoreReadError", IsStoreReadError},
    {"UnexpectedServerError", IsUnexpectedServerError},
    {"UnexpectedObjectError", IsUnexpectedObjectError},
};

std::vector<std::string> Holding(const absl::Status& error) {
  std::vector<std::string> names;
  for (const Predicate& predicate : kPredicates) {
    if (predicate.is(error)) names.push_back(predicate.name);
  }
  return names;
}

std::vector<std::string> Holding(absl::string_view reason, int code) {
  return Holding(base::Annotate(FromStatus({.reason = reason, .code = code}), "context"));
}

// behaviour.md: COD-8
TEST(Predicates, KnownReasonsWinOverTheCode) {
  const struct {
    absl::string_view reason;
    const char* want;
  } kRows[] = {
      {metav1::kStatusReasonUnauthorized, "Unauthorized"},
      {metav1::kStatusReasonForbidden, "Forbidden"},
      {metav1::kStatusReasonNotFound, "NotFound"},
      {metav1::kStatusReasonAlreadyExists, "AlreadyExists"},
      {metav1::kStatusReasonConflict, "Conflict"},
      {metav1::kStatusReasonGone, "Gone"},
      {metav1::kStatusReasonInvalid, "Invalid"},
      {metav1::kStatusReasonServerTimeout, "ServerTimeout"},
      {metav1::kStatusReasonStoreReadError, "StoreReadError"},
      {metav1::kStatusReasonTimeout, "Timeout"},
      {metav1::kStatusReasonBadRequest, "BadRequest"},
      {metav1::kStatusReasonMethodNotAllowed, "MethodNotSupported"},
      {metav1::kStatusReasonNotAcceptable, "NotAcceptable"},
      {metav1::kStatusReasonUnsupportedMediaType, "UnsupportedMediaType"},
      {metav1::kStatusReasonInternalError, "InternalError"},
      {metav1::kStatusReasonExpired, "ResourceExpired"},
      {metav1::kStatusReasonServiceUnavailable, "ServiceUnavailable"},
      {metav1::kStatusReasonTooManyRequests, "TooManyRequests"},
      {metav1::kStatusReasonRequestEntityTooLarge, "RequestEntityTooLarge"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(Holding(row.reason, 0), ElementsAre(row.want));
    EXPECT_THAT(Holding(row.reason, row.want == std::string("NotFound") ? 409 : 404),
                ElementsAre(row.want));
  }
}

// behaviour.md: COD-8
TEST(Predicates, TheCodeCountsWithoutAKnownReason) {
  const struct {
    int code;
    const char* want;
  } kRows[] = {
      {400, "BadRequest"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "NotFound"},
      {405, "MethodNotSupported"},
      {406, "NotAcceptable"},
      {409, "Conflict"},
      {413, "RequestEntityTooLarge"},
      {415, "UnsupportedMediaType"},
      {422, "Invalid"},
      {429, "TooManyRequests"},
      {500, "InternalError"},
      {503, "ServiceUnavailable"},
      {504, "Timeout"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.code);
    EXPECT_THAT(Holding("", row.code), ElementsAre(row.want));
    EXPECT_THAT(Holding("ReasonOfANewerServer", row.code), ElementsAre(row.want));
  }
  EXPECT_THAT(Holding("", 418), IsEmpty());
  EXPECT_THAT(Holding("", 502), IsEmpty());
}

TEST(Predicates, Predicates_Code410WithoutReason_IsGoneAndExpired) {
  EXPECT_THAT(Holding("", 410), ElementsAre("Gone", "ResourceExpired"));
  EXPECT_THAT(Holding("Gone", 410), ElementsAre("Gone"));
  EXPECT_THAT(Holding("Expired", 410), ElementsAre("ResourceExpired"));
}

TEST(Predicates, TwoLookAtTheCodeWhateverTheReason) {
  EXPECT_THAT(Holding("NotFound", 429), ElementsAre("NotFound", "TooManyRequests"));
  EXPECT_THAT(Holding("NotFound", 413), ElementsAre("NotFound", "RequestEntityTooLarge"));
}

TEST(Predicates, Predicates_StatusOfNoServer_AreFalse) {
  for (const absl::Status& error :
       {absl::OkStatus(), absl::NotFoundError("x"), absl::UnavailableError("connection refused"),
        absl::DeadlineExceededError("x"), absl::AbortedError("x"), absl::InternalError("x")}) {
    SCOPED_TRACE(error.ToString());
    EXPECT_THAT(Holding(error), IsEmpty());
    EXPECT_EQ(ReasonForError(error), "");
    EXPECT_EQ(StatusCause(error, ""), std::nullopt);
    EXPECT_EQ(SuggestsClientDelay(error), std::nullopt);
  }
}

TEST(StatusCause, StatusCause_SeveralOfAType_ReturnsTheFirst) {
  const absl::Status error =
      FromStatus({.details = {{.causes = {{.reason = "a", .message = "1"},
                                          {.reason = "b", .message = "2"},
                                          {.reason = "b", .message = "3"}}}}});
  EXPECT_EQ(StatusCause(error, "b")->message, "2");
  EXPECT_TRUE(HasStatusCause(error, "a"));
  EXPECT_FALSE(HasStatusCause(error, "c"));
  EXPECT_FALSE(HasStatusCause(FromStatus({}), "a"));
}

TEST(SuggestsClientDelay, SuggestsClientDelay_ServerTimeout_NeedsNoPositiveSeconds) {
  const auto delay = [](absl::string_view reason, int seconds) {
    return SuggestsClientDelay(
        FromStatus({.reason = reason, .details = {{.retry_after_seconds = seconds}}}));
  };
  EXPECT_EQ(delay("", 7), absl::Seconds(7));
  EXPECT_EQ(delay("", 0), std::nullopt);
  EXPECT_EQ(delay("TooManyRequests", -1), std::nullopt);
  EXPECT_EQ(delay("ServerTimeout", 0), absl::ZeroDuration());
  EXPECT_EQ(delay("ServerTimeout", -1), absl::Seconds(-1));
  EXPECT_EQ(SuggestsClientDelay(FromStatus({.reason = "ServerTimeout"})), std::nullopt);
}

// behaviour.md: CLIENT-32
TEST(IgnoreNotFound, IgnoresOneError) {
  const absl::Status not_found = FromStatus({.reason = "NotFound", .code = 404});
  const absl::Status exists = FromStatus({.reason = "AlreadyExists", .code = 409});
  EXPECT_EQ(IgnoreNotFound(not_found), absl::OkStatus());
  EXPECT_EQ(IgnoreNotFound(base::Annotate(not_found, "delete pods")), absl::OkStatus());
  EXPECT_EQ(IgnoreNotFound(exists), exists);
  EXPECT_EQ(IgnoreNotFound(absl::OkStatus()), absl::OkStatus());
  EXPECT_EQ(IgnoreNotFound(absl::NotFoundError("x")), absl::NotFoundError("x"))
      << "no server has said so";
  EXPECT_EQ(IgnoreAlreadyExists(exists), absl::OkStatus());
  EXPECT_EQ(IgnoreAlreadyExists(not_found), not_found);
  EXPECT_EQ(IgnoreAlreadyExists(absl::OkStatus()), absl::OkStatus());
}

// A client of a server that has no pods yet.
struct PodClient {
  absl::StatusOr<corev1::Pod> Get(const Context& ctx, absl::string_view name) const {
    if (ctx.done()) return ctx.status();
    return base::Annotate(FromStatus({.reason = "NotFound", .code = 404}), name);
  }
  absl::StatusOr<corev1::Pod> Create(const Context& ctx, const corev1::Pod& pod) const {
    if (ctx.done()) return ctx.status();
    return pod;
  }
  absl::Status Delete(const Context& ctx, absl::string_view name) const {
    return Get(ctx, name).status();
  }
};

absl::Status DeleteIfThere(const Context& ctx, const PodClient& pods) {
  KUBE_RETURN_IF_ERROR(errors::IgnoreNotFound(pods.Delete(ctx, "web-0")));
  return absl::OkStatus();
}

TEST(IgnoreNotFound, OfADeletion_AsInTheHeader) {
  EXPECT_EQ(DeleteIfThere(Context(), {}), absl::OkStatus());
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_FALSE(DeleteIfThere(scope.context(), {}).ok());
}

absl::StatusOr<corev1::Pod> GetOrCreate(const Context& ctx, const PodClient& pods,
                                        const corev1::Pod& wanted) {
  absl::StatusOr<corev1::Pod> pod = pods.Get(ctx, "web-0");
  if (errors::IsNotFound(pod.status())) pod = pods.Create(ctx, wanted);
  return pod;
}

TEST(Predicates, IsNotFound_TellsThatAnObjectIsMissing_AsInTheHeader) {
  const corev1::Pod wanted = {.metadata = {.name = "web-0"}};
  const absl::StatusOr<corev1::Pod> created = GetOrCreate(Context(), {}, wanted);
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(*created, wanted);
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_FALSE(GetOrCreate(scope.context(), {}, wanted).ok());
}

}  // namespace
}  // namespace kube::errors
