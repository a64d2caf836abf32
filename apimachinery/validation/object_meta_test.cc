#include "apimachinery/validation/object_meta.h"

#include <string>

#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/validation/differential compares random objects with Go.
namespace kube::validation {
namespace {

namespace metav1 = api::meta::v1;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const field::Path kPath("metadata");

metav1::ObjectMeta Valid() {
  return {.name = "web-0",
          .namespace_ = "default",
          .resource_version = "5",
          .labels = {{"app", "web"}},
          .owner_references = {
              {.api_version = "apps/v1", .kind = "ReplicaSet", .name = "web", .uid = "u"}}};
}

std::string First(const field::ErrorList& errors) {
  return errors.empty() ? "" : errors.front().ToString();
}

std::string FirstOf(const metav1::ObjectMeta& meta) {
  return First(ValidateObjectMeta(meta, true, NameIsDnsSubdomain, kPath));
}

TEST(ObjectMeta, Valid) {
  EXPECT_EQ(FirstOf(Valid()), "");
  EXPECT_THAT(ValidateObjectMetaUpdate(Valid(), Valid(), kPath), IsEmpty());
}

TEST(ObjectMeta, Names) {
  EXPECT_EQ(FirstOf({.namespace_ = "default"}),
            "metadata.name: Required value: name or generateName is required");
  EXPECT_EQ(FirstOf({.name = "web"}), "metadata.namespace: Required value");
  EXPECT_EQ(First(ValidateObjectMeta(Valid(), false, NameIsDnsSubdomain, kPath)),
            "metadata.namespace: Forbidden: not allowed on this type");
}

TEST(ObjectMeta, ErrorsHaveThePathOfTheMetadata_AsInTheHeader) {
  metav1::ObjectMeta metadata = Valid();
  metadata.name = "Web";
  const field::Path path("metadata");
  const field::ErrorList errors =
      ValidateObjectMeta(metadata, /*requires_namespace=*/true, NameIsDnsSubdomain, path);
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors.front().field, "metadata.name");
}

TEST(ObjectMeta, GenerateName) {
  EXPECT_THAT(NameIsDnsLabel("web-", true), IsEmpty());
  EXPECT_THAT(NameIsDnsLabel("web-", false), SizeIs(1));
  EXPECT_THAT(NameIsDnsLabel("we_-", true), IsEmpty()) << "upstream does not see the underscore";
  EXPECT_THAT(NameIsDnsLabel("-", true), SizeIs(1));
  EXPECT_THAT(NameIsDns1035Label("1-", true), IsEmpty());
  EXPECT_THAT(NameIsPathSegment("..", true), IsEmpty());
}

TEST(ObjectMeta, Annotations) {
  EXPECT_THAT(ValidateAnnotations({{"Example.COM/Name", "any \xff"}}, kPath), IsEmpty());
  EXPECT_THAT(ValidateAnnotations({{"-", ""}}, kPath), SizeIs(1));
  const std::string large(kTotalAnnotationSizeLimitBytes, 'x');
  EXPECT_EQ(First(ValidateAnnotations({{"a", large}}, kPath)),
            "metadata: Too long: may not be more than 262144 bytes");
}

TEST(ObjectMeta, Owners) {
  EXPECT_EQ(First(ValidateOwnerReferences(
                {{.api_version = "v1", .kind = "Event", .name = "e", .uid = "u"}}, kPath)),
            "metadata: Invalid value: {\"apiVersion\":\"v1\",\"kind\":\"Event\",\"name\":\"e\","
            "\"uid\":\"u\"}: /v1, Kind=Event is disallowed from being an owner");
  metav1::ObjectMeta meta = Valid();
  meta.owner_references = {
      {.api_version = "v1", .kind = "A", .name = "a", .uid = "u", .controller = true},
      {.api_version = "v1", .kind = "B", .name = "b", .uid = "v", .controller = true}};
  EXPECT_THAT(FirstOf(meta),
              ::testing::EndsWith("Only one reference can have Controller set to true. Found "
                                  "\"true\" in references for A/a and B/b"));
}

TEST(ObjectMeta, Finalizers) {
  EXPECT_EQ(First(ValidateFinalizers({"orphan", "foregroundDeletion"}, kPath)),
            "metadata: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan and "
            "foregroundDeletion cannot be both set");
  EXPECT_EQ(First(ValidateNoNewFinalizers({"b", "a", "c"}, {"c"}, kPath)),
            "metadata: Forbidden: no new finalizers can be added if the object is being deleted, "
            "found new finalizers []string{\"a\", \"b\"}");
}

TEST(ObjectMeta, Updates) {
  metav1::ObjectMeta changed = Valid();
  changed.name = "web-1";
  changed.resource_version = "";
  changed.deletion_timestamp = Time::FromUnixSeconds(0);
  const field::ErrorList errors = ValidateObjectMetaUpdate(changed, Valid(), kPath);
  ASSERT_THAT(errors, SizeIs(3));
  EXPECT_EQ(errors[1].ToString(), "metadata.name: Invalid value: \"web-1\": field is immutable");
  EXPECT_EQ(errors[2].ToString(),
            "metadata.deletionTimestamp: Invalid value: \"1970-01-01T00:00:00Z\": field is "
            "immutable");
}

}  // namespace
}  // namespace kube::validation
