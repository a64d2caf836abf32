#include "clientset/openapi/openapi_client.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/openapi/openapi.h"
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
using rest::StatusReply;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

class OpenApiClientTest : public testing::Test {
 protected:
  rest::Client ClientFor(const std::string& host) {
    return *rest::MakeClient({.host = host, .transport = transport_});
  }

  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
};

TEST_F(OpenApiClientTest, DocumentsAreFetchedByTheUrlsOfTheIndex) {
  transport_->Expect({.method = "GET", .path = "/openapi/v3"}, JsonReply(R"({"paths":{
      "api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=01"},
      "apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=02"}}})"));
  transport_->Expect({.path = "/openapi/v3/apis/apps/v1", .query = {{"hash", {"02"}}}},
                     JsonReply(R"({"openapi":"3.0.0"})"));
  transport_->Expect({.path = "/openapi/v3/apis/apps/v1"}, {.body = std::string("\n\0053.0.0")});
  const OpenApiClient client(ClientFor("http://localhost"));
  const absl::StatusOr<GroupVersions> paths = client.Paths(Context());
  ASSERT_THAT(paths, IsOk());
  ASSERT_THAT(*paths, ElementsAre(Key("api/v1"), Key("apis/apps/v1")));
  const GroupVersion& apps = *paths->find("apis/apps/v1")->second;
  EXPECT_EQ(apps.ServerRelativeUrl(), "/openapi/v3/apis/apps/v1?hash=02");
  const absl::StatusOr<Document> json = apps.Schema(Context(), kJson);
  ASSERT_THAT(json, IsOk());
  EXPECT_EQ(**json, R"({"openapi":"3.0.0"})");
  const absl::StatusOr<Document> protobuf = apps.Schema(Context(), kProtobufV3);
  ASSERT_THAT(protobuf, IsOk());
  EXPECT_EQ(**protobuf, "\n\0053.0.0");
  EXPECT_THAT(transport_->Verify(), IsOk());
  const auto requests = transport_->requests();
  EXPECT_EQ(requests[0].Header("accept"), "application/json");
  EXPECT_EQ(requests[0].Param("timeout"), "32s");
  EXPECT_EQ(requests[1].Header("accept"), "application/json");
  EXPECT_EQ(requests[2].Header("accept"),
            "application/com.github.proto-openapi.spec.v3@v1.0+protobuf");
}

TEST_F(OpenApiClientTest, ABasePathIsPutBeforeUrlsThatLackIt) {
  const struct {
    const char* host;
    const char* url;
    const char* relative;
    const char* path;
  } rows[] = {
      {"http://h", "/openapi/v3/api/v1?hash=01", "/openapi/v3/api/v1?hash=01",
       "/openapi/v3/api/v1"},
      {"http://h/k8s/c", "/openapi/v3/api/v1?hash=01", "/openapi/v3/api/v1?hash=01",
       "/k8s/c/openapi/v3/api/v1"},
      {"http://h/k8s/c/", "/k8s/c/openapi/v3/api/v1?hash=01", "/openapi/v3/api/v1?hash=01",
       "/k8s/c/openapi/v3/api/v1"},
      {"http://h/open", "/openapi/v3/api/v1?hash=01", "/openapi/v3/api/v1?hash=01",
       "/open/openapi/v3/api/v1"},
      {"http://h", "/other/api/v1", "/other/api/v1", "/other/api/v1"},
  };
  for (const auto& row : rows) {
    auto transport = std::make_shared<rest::ScriptedTransport>();
    transport->Handle({}, [&](const rest::RecordedRequest& request) {
      return request.path.find("/openapi/v3") + 11 == request.path.size()
                 ? JsonReply(std::string(R"({"paths":{"api/v1":{"serverRelativeURL":")") + row.url +
                             "\"}}}")
                 : JsonReply("{}");
    });
    const OpenApiClient client(*rest::MakeClient({.host = row.host, .transport = transport}));
    const absl::StatusOr<GroupVersions> paths = client.Paths(Context());
    ASSERT_THAT(paths, IsOk()) << row.host << " " << row.url;
    const GroupVersion& version = *paths->begin()->second;
    EXPECT_EQ(version.ServerRelativeUrl(), row.relative) << row.host << " " << row.url;
    EXPECT_THAT(version.Schema(Context(), kJson), IsOk());
    EXPECT_EQ(transport->requests().back().path, row.path) << row.host << " " << row.url;
  }
}

TEST_F(OpenApiClientTest, SchemaV2IsOneDocument) {
  transport_->Expect({.path = "/openapi/v2"}, JsonReply(R"({"swagger":"2.0"})"));
  const OpenApiClient client(ClientFor("http://localhost"), {.timeout = absl::ZeroDuration()});
  const absl::StatusOr<Document> document = client.SchemaV2(Context(), kProtobufV2);
  ASSERT_THAT(document, IsOk());
  EXPECT_EQ(**document, R"({"swagger":"2.0"})");
  EXPECT_EQ(transport_->requests()[0].Header("accept"),
            "application/com.github.proto-openapi.spec.v2@v1.0+protobuf");
  EXPECT_EQ(transport_->requests()[0].Param("timeout"), "");
}

TEST_F(OpenApiClientTest, ErrorsNameThePath) {
  const struct {
    const char* name;
    rest::ScriptedReply reply;
    absl::StatusCode code;
    const char* message;
  } rows[] = {
      {"no v3", StatusReply(404, "NotFound", "not found"), absl::StatusCode::kNotFound,
       "get /openapi/v3"},
      {"not JSON", JsonReply("{"), absl::StatusCode::kInvalidArgument, "get /openapi/v3: "},
      {"paths", JsonReply(R"({"paths":[]})"), absl::StatusCode::kInvalidArgument,
       "get /openapi/v3: paths is not an object"},
      {"url", JsonReply(R"({"paths":{"api/v1":{}}})"), absl::StatusCode::kInvalidArgument,
       "get /openapi/v3: paths[\"api/v1\"].serverRelativeURL is not a string"},
  };
  for (const auto& row : rows) {
    transport_->Expect({}, row.reply);
    EXPECT_THAT(OpenApiClient(ClientFor("http://localhost")).Paths(Context()),
                StatusIs(row.code, HasSubstr(row.message)))
        << row.name;
  }
  transport_->Expect({}, JsonReply("{}"));
  const absl::StatusOr<GroupVersions> none =
      OpenApiClient(ClientFor("http://localhost")).Paths(Context());
  ASSERT_THAT(none, IsOk());
  EXPECT_THAT(*none, IsEmpty());
}

// The examples of the headers.
absl::StatusOr<Document> FetchApps(const Context& ctx, const kubernetes::Clientset& clientset) {
  const openapi::OpenApiClient documents(clientset.client());
  KUBE_ASSIGN_OR_RETURN(const openapi::GroupVersions paths, documents.Paths(ctx));
  const auto apps = paths.find("apis/apps/v1");
  if (apps == paths.end()) return absl::NotFoundError("the server has no apps/v1");
  return apps->second->Schema(ctx, openapi::kJson);
}

TEST_F(OpenApiClientTest, ExampleFetchesADocument) {
  transport_->Expect({}, JsonReply(R"({"paths":{}})"));
  const kubernetes::Clientset clientset(ClientFor("http://localhost"));
  EXPECT_THAT(FetchApps(Context(), clientset),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no apps/v1")));
}

}  // namespace
}  // namespace kube::openapi
