#include "apimachinery/patch/internal/patch_schema.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch::internal {
namespace {

using base::StatusIs;
using testing::HasSubstr;

PatchSchema PodSpec() { return PatchSchema(api::core::v1::PodSpec::kMessage); }
PatchSchema Pod() { return PatchSchema(api::core::v1::Pod::kMessage); }

TEST(PatchSchema, KindsOfGo) {
  struct Row {
    const char* member;
    const char* kind;
  };
  for (const auto& [member, kind] : {
           Row{"containers", "slice"},
           {"nodeSelector", "map"},
           {"nodeName", "string"},
           {"hostNetwork", "bool"},
           {"terminationGracePeriodSeconds", "ptr"},
           {"securityContext", "ptr"},
       }) {
    const absl::StatusOr<MemberSchema> found = PodSpec().FindMember(member);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->schema.kind_name(), kind) << member;
  }
  EXPECT_EQ(PodSpec().kind_name(), "struct");
  const PatchSchema port(api::core::v1::ContainerPort::kMessage);
  EXPECT_EQ(port.FindMember("containerPort")->schema.kind_name(), "int32");
  const PatchSchema secret(api::core::v1::Secret::kMessage);
  EXPECT_EQ(secret.FindMember("data")->schema.kind_name(), "map");
}

TEST(PatchSchema, HowListsMerge) {
  const absl::StatusOr<MemberSchema> containers = PodSpec().FindList("containers");
  ASSERT_TRUE(containers.ok()) << containers.status();
  EXPECT_TRUE(containers->merge);
  EXPECT_FALSE(containers->replace);
  EXPECT_FALSE(containers->retain_keys);
  EXPECT_EQ(containers->merge_key, "name");
  // The schema is that of an element.
  EXPECT_TRUE(containers->schema.FindList("env").ok());

  const absl::StatusOr<MemberSchema> volumes = PodSpec().FindList("volumes");
  ASSERT_TRUE(volumes.ok()) << volumes.status();
  EXPECT_TRUE(volumes->merge);
  EXPECT_TRUE(volumes->retain_keys);

  const absl::StatusOr<MemberSchema> tolerations = PodSpec().FindList("tolerations");
  ASSERT_TRUE(tolerations.ok()) << tolerations.status();
  EXPECT_FALSE(tolerations->merge);

  const absl::StatusOr<MemberSchema> finalizers =
      Pod().FindMember("metadata")->schema.FindList("finalizers");
  ASSERT_TRUE(finalizers.ok()) << finalizers.status();
  EXPECT_TRUE(finalizers->merge);
  EXPECT_EQ(finalizers->merge_key, "");
  EXPECT_EQ(finalizers->schema.kind_name(), "string");
}

TEST(PatchSchema, GoesThroughPointers) {
  const PatchSchema context = PodSpec().FindMember("securityContext")->schema;
  EXPECT_TRUE(context.FindMember("runAsUser").ok());
}

// Finds fields as encoding/json does.
TEST(PatchSchema, UpperAndLowerCase) {
  EXPECT_TRUE(PodSpec().FindMember("CONTAINERS").ok());
  EXPECT_TRUE(Pod().FindMember("\u017fpec").ok());
  EXPECT_TRUE(Pod().FindMember("\u212aind").ok());
  EXPECT_FALSE(Pod().FindMember("spe").ok());
  EXPECT_FALSE(Pod().FindMember("specs").ok());
  EXPECT_FALSE(Pod().FindMember("").ok());
}

// Values with a JSON form of their own are structs in Go, whose fields have names.
TEST(PatchSchema, StructsWithinValues) {
  const PatchSchema port(api::core::v1::ServicePort::kMessage);
  const PatchSchema target = port.FindMember("targetPort")->schema;
  EXPECT_EQ(target.kind_name(), "struct");
  EXPECT_EQ(target.FindMember("intVal")->schema.kind_name(), "int32");
  EXPECT_EQ(target.FindMember("strVal")->schema.kind_name(), "string");
  EXPECT_THAT(target.FindMember("other"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("struct IntOrString")));
}

TEST(PatchSchema, Refuses) {
  EXPECT_THAT(Pod().FindMember("none"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "unable to find api field in struct Pod for the json field \"none\""));
  EXPECT_THAT(PodSpec().FindMember("nodeName")->schema.FindMember("x"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("instead is: string")));
  EXPECT_THAT(PodSpec().FindMember("nodeSelector")->schema.FindMember("x"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("instead is: map")));
  EXPECT_THAT(PodSpec().FindList("nodeName"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected slice")));
}

}  // namespace
}  // namespace kube::patch::internal
