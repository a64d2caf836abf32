#include "apiserver/api_server.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/testing/raw_client.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::StatusIs;
using httpserver::RawClient;
using testing::HasSubstr;
using testing::StartsWith;

std::string Request(const ApiServer& server, absl::string_view line, absl::string_view more = "") {
  return absl::StrCat(line, " HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ", server.admin_token(),
                      "\r\n", more, "\r\n");
}

TEST(ApiServer, ServesOverASocket) {
  const absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start({.tls = false});
  ASSERT_THAT(server, IsOk());
  EXPECT_THAT((*server)->url(), StartsWith("http://127.0.0.1:"));
  RawClient client((*server)->port());
  client.Send(Request(**server, "GET /api/v1/namespaces?limit=1"));
  EXPECT_THAT(client.ReadUntil("\"items\":["), StartsWith("HTTP/1.1 200 "));
}

TEST(ApiServer, AWatchSeesWhatAnotherConnectionWrites) {
  const absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start({.tls = false});
  ASSERT_THAT(server, IsOk());
  RawClient watcher((*server)->port());
  watcher.Send(Request(**server, "GET /api/v1/configmaps?watch=1&resourceVersion=5"));
  ASSERT_THAT(watcher.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  RawClient writer((*server)->port());
  const std::string body = R"({"metadata":{"name":"a"}})";
  writer.Send(Request(**server, "POST /api/v1/namespaces/default/configmaps",
                      absl::StrCat("content-type: application/json\r\ncontent-length: ",
                                   body.size(), "\r\n")) +
              body);
  EXPECT_THAT(watcher.ReadUntil("\n"), HasSubstr(""));
  EXPECT_THAT(watcher.ReadUntil("}}}"), HasSubstr(R"({"type":"ADDED")"));
}

TEST(ApiServer, GivesOutCredentials) {
  absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start();
  ASSERT_THAT(server, IsOk());
  EXPECT_THAT((*server)->Kubeconfig(), HasSubstr(absl::StrCat("server: ", (*server)->url())));
  EXPECT_THAT((*server)->Kubeconfig(), HasSubstr("certificate-authority-data: "));
  EXPECT_THAT((*server)->Kubeconfig("t"), HasSubstr("token: t\n"));
  const absl::StatusOr<certificates::Certificate> certificate =
      (*server)->IssueClientCertificate({.name = "jane", .uid = "", .groups = {"devs"}});
  ASSERT_THAT(certificate, IsOk());
  EXPECT_THAT(certificate->certificate, StartsWith("-----BEGIN CERTIFICATE-----"));

  const absl::StatusOr<std::unique_ptr<ApiServer>> plain = ApiServer::Start({.tls = false});
  ASSERT_THAT(plain, IsOk());
  EXPECT_THAT((*plain)->IssueClientCertificate({.name = "jane"}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(ApiServer, ACertificateOfItsOwn_IsTheOneThatClientsSeeAndTrust) {
  const absl::StatusOr<certificates::CertificateAuthority> authority =
      certificates::CertificateAuthority::Make("own-ca");
  ASSERT_THAT(authority, IsOk());
  const absl::StatusOr<certificates::Certificate> certificate =
      authority->Issue({.common_name = "own", .ip_addresses = {"127.0.0.1"}});
  ASSERT_THAT(certificate, IsOk());
  const absl::StatusOr<std::unique_ptr<ApiServer>> server =
      ApiServer::Start({.certificate = *certificate, .server_ca = authority->certificate()});
  ASSERT_THAT(server, IsOk());
  EXPECT_EQ((*server)->ca_certificate(), authority->certificate());
  EXPECT_THAT((*server)->IssueClientCertificate({.name = "jane"}), IsOk());

  const absl::StatusOr<std::unique_ptr<ApiServer>> alone =
      ApiServer::Start({.certificate = *certificate});
  ASSERT_THAT(alone, IsOk());
  EXPECT_EQ((*alone)->ca_certificate(), certificate->certificate);
  EXPECT_THAT(ApiServer::Start({.tls = false, .certificate = *certificate}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ApiServer::Start({.server_ca = authority->certificate()}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ApiServer, HundredsOneAfterTheOther) {
  for (int i = 0; i < 200; ++i) {
    const absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start({.tls = false});
    ASSERT_THAT(server, IsOk());
  }
}

}  // namespace
}  // namespace kube::apiserver
