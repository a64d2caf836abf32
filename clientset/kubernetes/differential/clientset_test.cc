// Compares the names of accessors and functions with those of client-go's clientsets.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "clientset/kubernetes/testing/every_kind.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::kubernetes {
namespace {

using Names = std::set<std::string>;

// The key is a name such as "AppsV1 Deployments".
std::map<std::string, Names> MethodsOfGo(absl::string_view output) {
  std::map<std::string, Names> methods;
  for (const absl::string_view line : absl::StrSplit(output, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    methods[absl::StrCat(words[0], " ", words[1])] = Names(words.begin() + 2, words.end());
  }
  return methods;
}

std::map<std::string, Names> OurMethods() {
  std::map<std::string, Names> methods;
  for (const KindCase& each : EveryKind()) {
    methods[absl::StrCat(each.group, " ", each.accessor)] =
        Names(each.methods.begin(), each.methods.end());
  }
  return methods;
}

// "-x" for a function that only client-go has, "+x" for one that only we have.
Names Differences(const std::map<std::string, Names>& go,
                  const std::map<std::string, Names>& ours) {
  Names differences;
  const auto add = [&](const char* sign, const std::map<std::string, Names>& all,
                       const std::map<std::string, Names>& others) {
    for (const auto& [resource, methods] : all) {
      const auto other = others.find(resource);
      if (other == others.end()) {
        differences.insert(absl::StrCat(sign, resource));
        continue;
      }
      for (const std::string& method : methods) {
        if (other->second.count(method) > 0) continue;
        differences.insert(absl::StrCat(sign, resource, " ", method));
      }
    }
  };
  add("-", go, ours);
  add("+", ours, go);
  return differences;
}

// docs/clientset.md has the reasons.
const char* const kExpected[] = {
    "+CoreV1 Bindings",
    "+CoreV1 ReplicationControllers ApplyScale",
    "+CoreV1 Services DeleteCollection",
    "-ApiextensionsV1beta1 CustomResourceDefinitions",
    "-ApiregistrationV1beta1 APIServices",
    "-CertificatesV1beta1 CertificateSigningRequests UpdateApproval",
    "-CoreV1 ComponentStatuses Apply",
    "-CoreV1 ComponentStatuses Create",
    "-CoreV1 ComponentStatuses Delete",
    "-CoreV1 ComponentStatuses DeleteCollection",
    "-CoreV1 ComponentStatuses Patch",
    "-CoreV1 ComponentStatuses Update",
    "-CoreV1 ComponentStatuses Watch",
    "-CoreV1 Events CreateWithEventNamespaceWithContext",
    "-CoreV1 Events PatchWithEventNamespaceWithContext",
    "-CoreV1 Events SearchWithContext",
    "-CoreV1 Events UpdateWithEventNamespaceWithContext",
    "-CoreV1 Pods Evict",
    "-CoreV1 Pods EvictV1beta1",
    "-EventsV1beta1 Events CreateWithEventNamespace",
    "-EventsV1beta1 Events PatchWithEventNamespace",
    "-EventsV1beta1 Events UpdateWithEventNamespace",
    "-ExtensionsV1beta1 Deployments Rollback",
    "-MetricsV1alpha1 NodeMetricses",
    "-MetricsV1alpha1 PodMetricses",
    "-PolicyV1 Evictions",
    "-PolicyV1beta1 Evictions",
};

TEST(Clientset, HasWhatClientGoHas) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "clientset_oracle");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::StatusOr<std::string> output = oracle::RunProgram(*program);
  ASSERT_TRUE(output.ok()) << output.status();
  const std::map<std::string, Names> go = MethodsOfGo(*output);
  EXPECT_GT(go.size(), 150u);
  EXPECT_THAT(Differences(go, OurMethods()), testing::UnorderedElementsAreArray(kExpected));
}

}  // namespace
}  // namespace kube::kubernetes
