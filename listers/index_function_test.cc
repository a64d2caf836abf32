#include "listers/index_function.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::listers {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOkAndHolds;
using base::StatusIs;

struct FieldCase {
  const char* name;
  const char* path;
  std::vector<std::string> values;
};

TEST(IndexByField, ReadsTypedObjects) {
  const corev1::Pod pod = {.metadata = {.name = "web-0",
                                        .generation = 3,
                                        .labels = {{"app", "web"}},
                                        .finalizers = {"a", "b"}},
                           .spec = {.node_name = "node-7", .host_network = true, .priority = 5}};
  for (const FieldCase& c :
       std::vector<FieldCase>{{"text", "spec.nodeName", {"node-7"}},
                              {"empty text", "spec.schedulerName", {}},
                              {"bool", "spec.hostNetwork", {"true"}},
                              {"integer", "metadata.generation", {"3"}},
                              {"pointer", "spec.priority", {"5"}},
                              {"absent pointer", "spec.activeDeadlineSeconds", {}},
                              {"through an absent struct", "spec.securityContext.runAsUser", {}},
                              {"of a map", "metadata.labels[app]", {"web"}},
                              {"of a map without the key", "metadata.labels[tier]", {}},
                              {"a list's elements", "metadata.finalizers", {"a", "b"}}}) {
    SCOPED_TRACE(c.name);
    absl::StatusOr<IndexFunction<corev1::Pod>> function = IndexByField<corev1::Pod>(c.path);
    ASSERT_TRUE(function.ok()) << function.status();
    EXPECT_THAT((*function)(pod), IsOkAndHolds(c.values));
  }
}

TEST(IndexByField, RefusesWhatATypeDoesNotHave) {
  EXPECT_THAT(IndexByField<corev1::Pod>("spec.nodename").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  absl::StatusOr<IndexFunction<corev1::Pod>> of_struct = IndexByField<corev1::Pod>("spec");
  ASSERT_TRUE(of_struct.ok());
  EXPECT_THAT((*of_struct)({}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(IndexByField, ReadsUnstructuredObjects) {
  absl::StatusOr<unstructured::Unstructured> object = unstructured::DecodeUnstructured(
      R"({"apiVersion":"example.com/v1","kind":"Foo","spec":{"issuer":"ca","size":3,"on":false,)"
      R"("hosts":["a","b"],"nothing":null,"part":{}}})");
  ASSERT_TRUE(object.ok()) << object.status();
  for (const FieldCase& c : std::vector<FieldCase>{{"text", "spec.issuer", {"ca"}},
                                                   {"integer", "spec.size", {"3"}},
                                                   {"bool", "spec.on", {"false"}},
                                                   {"list", "spec.hosts", {"a", "b"}},
                                                   {"null", "spec.nothing", {}},
                                                   {"absent", "status.phase", {}}}) {
    SCOPED_TRACE(c.name);
    EXPECT_THAT((*IndexByField<unstructured::Unstructured>(c.path))(*object),
                IsOkAndHolds(c.values));
  }
  for (const char* path : {"spec.part", "spec.issuer.name"}) {
    EXPECT_THAT((*IndexByField<unstructured::Unstructured>(path))(*object),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace kube::listers
