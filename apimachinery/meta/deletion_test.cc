#include "apimachinery/meta/deletion.h"

#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace metav1 = api::meta::v1;

using base::IsOkAndHolds;
using codec::EncodeJson;

TEST(IsBeingDeleted, IsBeingDeleted_DeletionTimeThatIsNotZero_IsTrue) {
  api::meta::v1::ObjectMeta metadata;
  EXPECT_FALSE(IsBeingDeleted(metadata));
  metadata.deletion_timestamp = Time();
  EXPECT_FALSE(IsBeingDeleted(metadata));
  metadata.deletion_timestamp = absl::FromUnixSeconds(7);
  EXPECT_TRUE(IsBeingDeleted(metadata));
}

TEST(DeleteOptions, NewDeleteOptions_EachKind_SetsOnlyItsMember) {
  EXPECT_THAT(EncodeJson(NewDeleteOptions(absl::ZeroDuration())),
              IsOkAndHolds(R"({"gracePeriodSeconds":0})"));
  EXPECT_THAT(EncodeJson(NewDeleteOptions(absl::Seconds(2.9))),
              IsOkAndHolds(R"({"gracePeriodSeconds":2})"));
  EXPECT_THAT(EncodeJson(NewPreconditionDeleteOptions("u")),
              IsOkAndHolds(R"({"preconditions":{"uid":"u"}})"));
  EXPECT_THAT(EncodeJson(NewResourceVersionDeleteOptions("7")),
              IsOkAndHolds(R"({"preconditions":{"resourceVersion":"7"}})"));
  EXPECT_THAT(EncodeJson(NewUidPreconditions("")), IsOkAndHolds(R"({"uid":""})"));
}

TEST(DeleteOptions, SayWhatHappensToDependents_AsInTheHeader) {
  metav1::DeleteOptions options = meta::NewDeleteOptions(absl::ZeroDuration());
  options.propagation_policy = metav1::kDeletePropagationForeground;
  EXPECT_THAT(EncodeJson(options),
              IsOkAndHolds(R"({"gracePeriodSeconds":0,"propagationPolicy":"Foreground"})"));
}

}  // namespace
}  // namespace kube::meta
