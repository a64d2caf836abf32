#include "examples/testing/objects.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/batch/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace examples {
namespace {

using kube::Context;
using kube::base::IsOk;
using kube::base::StatusIs;
using ::testing::HasSubstr;

constexpr absl::string_view kObjects = R"(# A comment alone is no object.
---
apiVersion: v1
kind: Namespace
metadata: {name: prod}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: prod}
data: {mode: slow, level: info}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
---
apiVersion: batch/v1
kind: Job
metadata: {name: done}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: work, image: "work:1"}]}
status: {succeeded: 1, startTime: "2024-01-02T03:04:05Z"}
)";

constexpr absl::string_view kChanges = R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: prod}
data: {mode: fast}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: another}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
$patch: delete
---
apiVersion: batch/v1
kind: Job
metadata: {name: done}
status: {failed: 2}
)";

std::string Write(absl::string_view name, absl::string_view text) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/" + std::string(name);
  std::ofstream(path) << text;
  return path;
}

class ObjectsTest : public ::testing::Test {
 protected:
  kube::apiserver::ApiHandler server_;
  const kube::kubernetes::Clientset client_ =
      *kube::kubernetes::Clientset::Make(kube::envtest::InProcessConfig(server_));
};

TEST_F(ObjectsTest, CreatesThemWithTheirStatus) {
  ASSERT_THAT(CreateObjects(Context(), client_.client(), Write("objects.yaml", kObjects)), IsOk());
  EXPECT_THAT(client_.CoreV1().ConfigMaps("prod").Get(Context(), "settings"), IsOk());
  EXPECT_THAT(client_.CoreV1().ConfigMaps("default").Get(Context(), "other"), IsOk());
  const auto done = client_.BatchV1().Jobs("default").Get(Context(), "done");
  ASSERT_THAT(done, IsOk());
  EXPECT_EQ(done->status.succeeded, 1);
}

TEST_F(ObjectsTest, ChangesThem) {
  ASSERT_THAT(CreateObjects(Context(), client_.client(), Write("objects.yaml", kObjects)), IsOk());
  ASSERT_THAT(ApplyChanges(Context(), client_.client(), Write("changes.yaml", kChanges)), IsOk());
  auto settings = client_.CoreV1().ConfigMaps("prod").Get(Context(), "settings");
  ASSERT_THAT(settings, IsOk());
  EXPECT_EQ(settings->data["mode"], "fast");
  EXPECT_EQ(settings->data["level"], "info");
  const auto in_default = client_.CoreV1().ConfigMaps("default");
  EXPECT_THAT(in_default.Get(Context(), "another"), IsOk());
  EXPECT_TRUE(kube::errors::IsNotFound(in_default.Get(Context(), "other").status()));
  const auto done = client_.BatchV1().Jobs("default").Get(Context(), "done");
  ASSERT_THAT(done, IsOk());
  EXPECT_EQ(done->status.succeeded, 1);
  EXPECT_EQ(done->status.failed, 2);
}

TEST_F(ObjectsTest, SaysWhichDocumentIsWrong) {
  const std::string path = Write("wrong.yaml", "apiVersion: v1\nkind: Gadget\n");
  EXPECT_THAT(CreateObjects(Context(), client_.client(), path).message(),
              HasSubstr("wrong.yaml, line 1"));
  EXPECT_THAT(CreateObjects(Context(), client_.client(), "missing.yaml"),
              StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace examples
