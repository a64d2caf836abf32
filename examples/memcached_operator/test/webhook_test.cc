// The functions of the webhooks, called as functions.
#include "examples/memcached_operator/webhook.h"

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "examples/memcached_operator/memcached.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission.h"

namespace cache {
namespace {

namespace field = kube::validation::field;
using kube::base::IsOk;
using kube::webhook::AdmissionRequest;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using v1alpha1::Memcached;

AdmissionRequest<Memcached> RequestOf(const Memcached& memcached) {
  return {.object = std::make_shared<const Memcached>(memcached)};
}

Memcached MemcachedOf(int port) {
  return {.metadata = {.name = "sessions"}, .spec = {.size = 1, .container_port = port}};
}

TEST(Complete, NoSize_BecomesOne) {
  Memcached memcached = {.spec = {.container_port = 11211}};
  ASSERT_THAT(Complete(RequestOf(memcached), memcached), IsOk());
  EXPECT_EQ(memcached.spec.size, 1);
}

TEST(Complete, ASizeThatIsSet_Stays) {
  for (const int size : {0, 1, 5}) {
    Memcached memcached = {.spec = {.size = size, .container_port = 11211}};
    const Memcached before = memcached;
    ASSERT_THAT(Complete(RequestOf(before), memcached), IsOk());
    EXPECT_EQ(memcached, before);
  }
}

TEST(Validate, AGoodObject_HasNoErrorsAndNoWarnings) {
  for (const int port : {1024, 11211, 65535}) {
    const AdmissionRequest<Memcached> request = RequestOf(MemcachedOf(port));
    EXPECT_THAT(Validate(request), IsEmpty());
    EXPECT_THAT(*request.warnings, IsEmpty());
  }
}

TEST(Validate, APortThatNeedsPrivileges_IsInvalid) {
  EXPECT_THAT(Validate(RequestOf(MemcachedOf(1023))),
              ElementsAre(Field(&field::Error::field, "spec.containerPort")));
}

TEST(Validate, ANameThatIsNoLabel_IsTooLong) {
  Memcached memcached = MemcachedOf(11211);
  memcached.metadata.name = std::string(63, 'a');
  EXPECT_THAT(Validate(RequestOf(memcached)), IsEmpty());
  memcached.metadata.name = std::string(64, 'a');
  EXPECT_THAT(Validate(RequestOf(memcached)),
              ElementsAre(field::TooLong(field::Path("metadata").Child("name"), 63)));
}

TEST(Validate, NoServers_IsAllowedWithAWarning) {
  Memcached memcached = MemcachedOf(11211);
  memcached.spec.size = 0;
  const AdmissionRequest<Memcached> request = RequestOf(memcached);
  EXPECT_THAT(Validate(request), IsEmpty());
  EXPECT_THAT(*request.warnings, ElementsAre("spec.size is 0: there will be no servers"));
}

TEST(Validate, AnObjectThatIsBeingDeleted_IsNotChecked) {
  Memcached memcached = MemcachedOf(1);
  memcached.metadata.deletion_timestamp = absl::FromUnixSeconds(1);
  EXPECT_THAT(Validate(RequestOf(memcached)), IsEmpty());
}

}  // namespace
}  // namespace cache
