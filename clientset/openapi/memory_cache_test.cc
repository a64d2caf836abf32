#include "clientset/openapi/memory_cache.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/openapi/openapi.h"
#include "clientset/openapi/openapi_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::openapi {
namespace {

using base::IsOk;
using base::StatusIs;
using rest::JsonReply;
using testing::ElementsAre;

class MemoryCacheTest : public testing::Test {
 protected:
  MemoryCacheTest() {
    transport_->Handle({}, [this](const rest::RecordedRequest& request) {
      if (request.path == "/openapi/v3") {
        return JsonReply(R"({"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1"}}})");
      }
      return JsonReply("\"" + request.path + " " + request.Header("accept") + "\"", status_);
    });
  }

  // Returns the paths that were requested since the last call.
  std::vector<std::string> TakePaths() {
    std::vector<std::string> paths;
    const std::vector<rest::RecordedRequest> requests = transport_->requests();
    for (; taken_ < requests.size(); ++taken_) paths.push_back(requests[taken_].path);
    return paths;
  }

  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const rest::Client client_ =
      *rest::MakeClient({.host = "http://localhost", .transport = transport_});
  const std::shared_ptr<MemoryCache> cache_ =
      std::make_shared<MemoryCache>(std::make_shared<OpenApiClient>(client_));
  int status_ = 200;
  size_t taken_ = 0;
};

TEST_F(MemoryCacheTest, EachDocumentIsFetchedOnceInEachMediaType) {
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<GroupVersions> paths = cache_->Paths(Context());
    ASSERT_THAT(paths, IsOk());
    const GroupVersion& core = *paths->at("api/v1");
    EXPECT_EQ(core.ServerRelativeUrl(), "/openapi/v3/api/v1");
    const absl::StatusOr<Document> json = core.Schema(Context(), kJson);
    ASSERT_THAT(json, IsOk());
    EXPECT_EQ(**json, R"("/openapi/v3/api/v1 application/json")");
    EXPECT_THAT(core.Schema(Context(), kProtobufV3), IsOk());
    EXPECT_THAT(cache_->SchemaV2(Context(), kJson), IsOk());
    EXPECT_THAT(cache_->SchemaV2(Context(), kProtobufV2), IsOk());
  }
  EXPECT_THAT(TakePaths(), ElementsAre("/openapi/v3", "/openapi/v3/api/v1", "/openapi/v3/api/v1",
                                       "/openapi/v2", "/openapi/v2"));
}

TEST_F(MemoryCacheTest, InvalidateForgetsEverything) {
  const absl::StatusOr<GroupVersions> before = cache_->Paths(Context());
  ASSERT_THAT(before, IsOk());
  EXPECT_THAT(before->at("api/v1")->Schema(Context(), kJson), IsOk());
  EXPECT_THAT(cache_->SchemaV2(Context(), kJson), IsOk());
  TakePaths();
  cache_->Invalidate();
  // References keep their documents.
  EXPECT_THAT(before->at("api/v1")->Schema(Context(), kJson), IsOk());
  EXPECT_THAT(TakePaths(), ElementsAre());
  const absl::StatusOr<GroupVersions> after = cache_->Paths(Context());
  ASSERT_THAT(after, IsOk());
  EXPECT_THAT(after->at("api/v1")->Schema(Context(), kJson), IsOk());
  EXPECT_THAT(cache_->SchemaV2(Context(), kJson), IsOk());
  EXPECT_THAT(TakePaths(), ElementsAre("/openapi/v3", "/openapi/v3/api/v1", "/openapi/v2"));
}

TEST_F(MemoryCacheTest, ErrorsAreNotKept) {
  const absl::StatusOr<GroupVersions> paths = cache_->Paths(Context());
  ASSERT_THAT(paths, IsOk());
  status_ = 403;
  EXPECT_THAT(paths->at("api/v1")->Schema(Context(), kJson),
              StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(cache_->SchemaV2(Context(), kJson), StatusIs(absl::StatusCode::kPermissionDenied));
  status_ = 200;
  EXPECT_THAT(paths->at("api/v1")->Schema(Context(), kJson), IsOk());
  EXPECT_THAT(cache_->SchemaV2(Context(), kJson), IsOk());
}

TEST_F(MemoryCacheTest, ExampleIsOverTheClientOfAClientset) {
  const kubernetes::Clientset clientset(client_);
  const auto cache = std::make_shared<openapi::MemoryCache>(
      std::make_shared<openapi::OpenApiClient>(clientset.client()));
  EXPECT_THAT(cache->Paths(Context()), IsOk());
}

}  // namespace
}  // namespace kube::openapi
