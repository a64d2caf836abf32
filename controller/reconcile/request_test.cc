#include "controller/reconcile/request.h"

#include <string>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "controller/events/event_object.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/testing/fake_recorder.h"
#include "controller/reconcile/testing/test_request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const schema::GroupVersionKind kConfigMap = {.version = "v1", .kind = "ConfigMap"};

corev1::ConfigMap WebMap() {
  return {.metadata = {.name = "web", .namespace_ = "prod", .uid = "u1", .resource_version = "7"}};
}

absl::Status CreateBucket(const Context& ctx, const std::string& name) {
  EXPECT_EQ(name, "web");
  return ctx.status();
}

// The example of AnyRequest::Step.
absl::Status MakeBucket(const AnyRequest& request) {
  const RequestStep step = request.Step("create bucket");
  return CreateBucket(request.context(), request.name().name);
}

// behaviour.md: CTRL-13
TEST(RequestTest, SaysWhatItsObjectIs) {
  TestRequest<corev1::ConfigMap> test(WebMap(), {.kind = kConfigMap, .failures = 2});
  const Request<corev1::ConfigMap>& request = test.request();
  EXPECT_EQ(request.name().ToString(), "prod/web");
  EXPECT_EQ(request.namespace_name(), "prod");
  EXPECT_EQ(request.uid(), "u1");
  EXPECT_EQ(request.kind().kind, "ConfigMap");
  EXPECT_EQ(request.failures(), 2);
  EXPECT_EQ(request.object()->metadata.resource_version, "7");
}

TEST(RequestTest, Uid_OfAnUnstructuredObject) {
  unstructured::Unstructured object;
  object.set_name("web");
  object.set_uid("u2");
  TestRequest<unstructured::Unstructured> test(object);
  EXPECT_EQ(test.request().uid(), "u2");
}

TEST(RequestTest, NoteWrite_WithoutAStoreOrAVersion_IsIgnored) {
  TestRequest<corev1::ConfigMap> test(WebMap());
  test.request().NoteWrite(nullptr, "prod", "8");
  EXPECT_THAT(test.writes(), IsEmpty());
}

TEST(RequestTest, Step_TheInnermostCounts_UntilItEnds) {
  TestRequest<corev1::ConfigMap> test(WebMap());
  EXPECT_EQ(test.step(), "");
  {
    const RequestStep bucket = test.request().Step("create bucket");
    {
      const RequestStep rights = test.request().Step("grant rights");
      EXPECT_EQ(test.step(), "grant rights");
    }
    EXPECT_EQ(test.step(), "create bucket");
  }
  EXPECT_EQ(test.step(), "");
  EXPECT_THAT(MakeBucket(test.request()), base::IsOk());
}

TEST(RequestTest, Event_WithoutARecorder_IsLogged) {
  const log::LogCapture capture;
  TestRequest<corev1::ConfigMap> test(WebMap(), {.kind = kConfigMap});
  test.request().Event(record::kEventTypeNormal, "Created", "a child");
  EXPECT_THAT(capture.Lines(), ElementsAre(HasSubstr("reason=\"Created\"")));
}

TEST(RequestTest, Event_GoesToTheRecorder) {
  record::FakeRecorder recorder;
  TestRequest<corev1::ConfigMap> test(WebMap(), {.kind = kConfigMap, .recorder = &recorder});
  test.request().Event(record::kEventTypeWarning, "Failed", "no child");
  EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Warning Failed no child"));
}

TEST(RequestTest, ReferenceTo_IsCompleteWithoutTheTypesKind) {
  internal::RequestParts parts;
  parts.kind = {.group = "apps", .version = "v1", .kind = "Deployment"};
  parts.name = {.namespace_name = "prod", .name = "web"};
  const auto reference = events::GetReference({}, internal::ReferenceTo(parts, "u1", "7"));
  ASSERT_THAT(reference, base::IsOk());
  EXPECT_EQ(reference->api_version, "apps/v1");
  EXPECT_EQ(reference->kind, "Deployment");
  EXPECT_EQ(reference->namespace_, "prod");
  EXPECT_EQ(reference->name, "web");
  EXPECT_EQ(reference->uid, "u1");
  EXPECT_EQ(reference->resource_version, "7");
}

}  // namespace
}  // namespace kube::controller
