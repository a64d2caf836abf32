#include "codegen/names.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

TEST(CppName, WhatIsTakenGetsAnUnderscore) {
  for (const char* name :
       {"namespace", "default", "operator", "continue", "template", "class",    "delete",
        "not",       "typeof",  "co_await", "char8_t",  "concept",  "requires", "linux",
        "unix",      "i386",    "errno",    "major",    "minor",    "stdin",    "assert",
        "st_mtime",  "int32_t", "NULL",     "EOF",      "BUFSIZ",   "alignas",  "xor_eq",
        "signed",    "static",  "short",    "register", "E2BIG",    "EINVAL",   "EXFULL",
        "SIGTERM",   "SNAN",    "CSIGNAL"}) {
    EXPECT_EQ(CppName(name), absl::StrCat(name, "_"));
  }
}

TEST(CppName, OthersStay) {
  for (const char* name :
       {"name", "namespaces", "Namespace", "default_", "linux_options", "kube", "std", "string",
        "import", "module", "final", "override", "_", "x", "", "EIP", "SIG", "INVAL"}) {
    EXPECT_EQ(CppName(name), name);
  }
}

TEST(CppNamespace, EachPartIsAName) {
  EXPECT_EQ(CppNamespace("kube.example.v1"), "kube::example::v1");
  EXPECT_EQ(CppNamespace("example"), "example");
  EXPECT_EQ(CppNamespace("com.linux.default.v1"), "com::linux_::default_::v1");
}

TEST(InlineNamespace, OfTwoNumbers) {
  EXPECT_EQ(InlineNamespace("1.36"), "k1_36");
  for (const char* release : {"", "1", "1.36.2", "v1.36", "1.", ".36", "1.36-rc"}) {
    EXPECT_EQ(InlineNamespace(release), "") << release;
  }
}

TEST(ApplyConfigurationName, AsGo) {
  EXPECT_EQ(ApplyConfigurationName("Pod"), "PodApplyConfiguration");
}

TEST(ConstantName, AsGoWithAK) {
  EXPECT_EQ(ConstantName("PodRunning"), "kPodRunning");
  EXPECT_EQ(ConstantName("LabelOS"), "kLabelOS");
  EXPECT_EQ(ConstantName("A_1"), "kA_1");
  for (const char* name : {"", "Pod-Running", "a.b", "\u00e9"}) EXPECT_EQ(ConstantName(name), "");
}

TEST(PluralName, AsClientGen) {
  struct Row {
    const char* kind;
    const char* resource;
    const char* plural;
  };
  for (const Row& row : {Row{"Pod", "pods", "Pods"},
                         {"Endpoints", "endpoints", "Endpoints"},
                         {"NetworkPolicy", "networkpolicies", "NetworkPolicies"},
                         {"Gateway", "gateways", "Gateways"},
                         {"Ingress", "ingresses", "Ingresses"},
                         {"Box", "boxes", "Boxes"},
                         {"Quiz", "quizzes", "Quizes"},
                         {"Branch", "branches", "Branches"},
                         {"Path", "paths", "Paths"},
                         {"StorageClass", "storageclasses", "StorageClasses"},
                         {"EndpointSlice", "endpointslices", "EndpointSlices"},
                         {"Knife", "knives", "Knives"},
                         {"Leaf", "leaves", "Leaves"},
                         {"PodMetrics", "pods", "PodMetricses"},
                         {"X", "xs", "X"}}) {
    EXPECT_EQ(PluralName(row.kind, row.resource), row.plural);
  }
}

TEST(GroupVersionName, AsClientGen) {
  EXPECT_EQ(GroupVersionName("", "v1"), "CoreV1");
  EXPECT_EQ(GroupVersionName("apps", "v1beta2"), "AppsV1beta2");
  EXPECT_EQ(GroupVersionName("rbac.authorization.k8s.io", "v1"), "RbacV1");
  EXPECT_EQ(GroupVersionName("internal.apiserver.k8s.io", "v1alpha1"), "InternalV1alpha1");
  EXPECT_EQ(GroupVersionName("my-group.example.com", "v1"), "MyGroupV1");
  EXPECT_EQ(GroupVersionName("3scale.net", "v1"), "Group3scaleV1");
  EXPECT_EQ(GroupName("rbac.authorization.k8s.io"), "Rbac");
  EXPECT_EQ(VersionName("v1beta1"), "V1beta1");
}

TEST(SubresourceName, InCamelCase) {
  EXPECT_EQ(SubresourceName("scale"), "Scale");
  EXPECT_EQ(SubresourceName("ephemeralcontainers"), "EphemeralContainers");
  EXPECT_EQ(SubresourceName("dry-run"), "DryRun");
}

TEST(Paths, OfWhatIsGenerated) {
  EXPECT_EQ(HeaderPath("foo/bar/types.proto"), "foo/bar/types.kube.h");
  EXPECT_EQ(SourcePath("foo/bar/types.proto"), "foo/bar/types.kube.cc");
  EXPECT_EQ(HeaderPath("a.proto.proto"), "a.proto.kube.h");
  EXPECT_EQ(AppliesHeaderPath("foo/bar/types.proto"), "foo/bar/types.applies.kube.h");
  EXPECT_EQ(AppliesSourcePath("foo/bar/types.proto"), "foo/bar/types.applies.kube.cc");
  EXPECT_EQ(ClientHeaderPath("foo/types.proto"), "foo/types.client.kube.h");
  EXPECT_EQ(HeaderGuard("foo/bar-baz/types.v1.kube.h"), "FOO_BAR_BAZ_TYPES_V1_KUBE_H_");
}

TEST(DefinitionPrefix, OfAGoPackageOrAGroup) {
  EXPECT_EQ(DefinitionPrefix("k8s.io/api/apps/v1", "apps", "v1"), "io.k8s.api.apps.v1.");
  EXPECT_EQ(DefinitionPrefix("k8s.io/apimachinery/pkg/apis/meta/v1", "meta.k8s.io", "v1"),
            "io.k8s.apimachinery.pkg.apis.meta.v1.");
  EXPECT_EQ(DefinitionPrefix("example.com", "", "v1"), "com.example.");
  EXPECT_EQ(DefinitionPrefix("", "stable.example.com", "v1beta1"), "com.example.stable.v1beta1.");
}

}  // namespace
}  // namespace kube::codegen
