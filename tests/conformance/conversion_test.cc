// Custom resources that a webhook converts over HTTPS: its server is in this process, where both
// servers reach it.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"
#include "tests/conformance/server_under_test.h"

namespace kube::conformance {
namespace {

using ::kube::base::IsOk;
using ::testing::HasSubstr;
using unstructured::Value;

constexpr char kDefinitions[] = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

// Converts a Dog: v1 has spec.size, v2 has spec.body.size.
Value Converted(Value object, absl::string_view api_version, bool to_v2) {
  const Value spec = object["spec"];
  Map<Value>& members = *object.object();
  members["apiVersion"] = api_version;
  members["spec"] = to_v2 ? Value(Map<Value>{{"body", Map<Value>{{"size", spec["size"]}}}})
                          : Value(Map<Value>{{"size", spec["body"]["size"]}});
  return object;
}

// Answers ConversionReviews. Thread-safe.
class DogHook {
 public:
  // Makes all conversions fail with this message; "" makes them succeed again.
  void Break(absl::string_view message) {
    base::MutexLock lock(mutex_);
    message_ = std::string(message);
  }

  std::string Answer(absl::string_view body) const {
    const absl::StatusOr<Value> review = unstructured::ParseJson(body);
    if (!review.ok()) return "";
    const Value request = (*review)["request"];
    const std::string wanted(request["desiredAPIVersion"].text().value_or(""));
    const bool to_v2 = wanted.size() > 3 && wanted.substr(wanted.size() - 3) == "/v2";
    List<Value> converted;
    for (const Value& each : *request["objects"].list()) {
      converted.push_back(Converted(each, wanted, to_v2));
    }
    Map<Value> response = Map<Value>{{"uid", request["uid"]}};
    if (const std::string message = Message(); message.empty()) {
      response["convertedObjects"] = std::move(converted);
      response["result"] = Map<Value>{{"status", "Success"}};
    } else {
      response["result"] = Map<Value>{{"status", "Failure"}, {"message", message}};
    }
    return unstructured::EncodeJson(Value(Map<Value>{{"kind", "ConversionReview"},
                                                     {"apiVersion", "apiextensions.k8s.io/v1"},
                                                     {"response", std::move(response)}}))
        .value_or("");
  }

 private:
  std::string Message() const {
    base::MutexLock lock(mutex_);
    return message_;
  }

  mutable base::Mutex mutex_;
  std::string message_ ABSL_GUARDED_BY(mutex_);
};

class ConversionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ServerUnderTest::variant().empty()) {
      std::cout << "SKIPPED: not of this variant\n";
      GTEST_SKIP();
    }
    absl::StatusOr<certificates::CertificateAuthority> authority =
        certificates::CertificateAuthority::Make("hooks-ca");
    ASSERT_THAT(authority, IsOk());
    authority_.emplace(*std::move(authority));
    absl::StatusOr<certificates::Certificate> certificate =
        authority_->Issue({.common_name = "hooks", .ip_addresses = {"127.0.0.1"}});
    ASSERT_THAT(certificate, IsOk());
    ASSERT_THAT(handler_.Start(Context()), IsOk());
    absl::StatusOr<std::unique_ptr<httpserver::Server>> server = httpserver::Server::Start(
        {.tls = httpserver::TlsOptions{.certificate_chain = certificate->certificate,
                                       .private_key = std::move(certificate->key)}},
        handler_);
    ASSERT_THAT(server, IsOk());
    hooks_ = *std::move(server);
  }

  void TearDown() override {
    if (hooks_ == nullptr) return;
    hook_.Break("");
    Send("DELETE", absl::StrCat(kDefinitions, "/dogs.", group_));
  }

  HttpAnswer Send(const std::string& method, const std::string& target,
                  const std::string& body = "",
                  const std::string& content_type = "application/json", int lines = 0) const {
    http::Headers headers;
    headers.Set("authorization", "Bearer admin-token");
    if (!body.empty()) headers.Set("content-type", content_type);
    return server_.Send(method, target, headers, body, lines);
  }

  // Creates the definition, whose webhook trusts `authority`, and waits until it is served.
  void Install(const std::string& authority) {
    const auto version = [](absl::string_view name, absl::string_view stored,
                            absl::string_view spec) {
      return absl::StrCat(R"({"name":")", name, R"(","served":true,"storage":)", stored,
                          R"(,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)",
                          R"({"type":"object","properties":)", spec, "}}}}}");
    };
    const HttpAnswer created = Send(
        "POST", kDefinitions,
        absl::StrCat(
            R"({"metadata":{"name":"dogs.)", group_, R"("},"spec":{"group":")", group_,
            R"(","scope":"Namespaced","names":{"plural":"dogs","kind":"Dog"},"versions":[)",
            version("v1", "true", R"({"size":{"type":"integer"}})"), ",",
            version("v2", "false",
                    R"({"body":{"type":"object","properties":{"size":{"type":"integer"}}}})"),
            R"(],"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],)",
            R"("clientConfig":{"url":")", hooks_->url(), R"(/convert","caBundle":")",
            absl::Base64Escape(authority), R"("}}}}})"));
    ASSERT_EQ(created.status, 201) << created.body;
    const Context ctx = WithTimeout(Context(), absl::Minutes(1));
    while (Send("POST", absl::StrCat(Path("v1"), "?dryRun=All"), Dog("v1", "probe")).status !=
           201) {
      ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(50)), IsOk());
    }
  }

  std::string Path(absl::string_view version) const {
    return absl::StrCat("/apis/", group_, "/", version, "/namespaces/", namespace_name_, "/dogs");
  }
  std::string Dog(absl::string_view version, absl::string_view name) const {
    return absl::StrCat(R"({"apiVersion":")", group_, "/", version,
                        R"(","kind":"Dog","metadata":{"name":")", name, R"("},"spec":)",
                        version == "v1" ? R"({"size":1})" : R"({"body":{"size":1}})", "}");
  }

  const ServerUnderTest& server_ = ServerUnderTest::Get();
  const std::string namespace_name_ = server_.MakeNamespace();
  const std::string group_ = absl::StrCat(namespace_name_, ".example.com");
  DogHook hook_;
  std::optional<certificates::CertificateAuthority> authority_;
  httpserver::ThreadPoolHandler handler_{
      [this](httpserver::Exchange& exchange) {
        exchange.Respond({.headers = {{"content-type", "application/json"}},
                          .body = hook_.Answer(exchange.request().body)});
      },
      {.threads = 2}};
  std::unique_ptr<httpserver::Server> hooks_;
};

TEST_F(ConversionTest, AWebhookConvertsWhatIsReadAndWritten) {
  Install(authority_->certificate());
  ASSERT_EQ(Send("POST", Path("v1"), Dog("v1", "rex")).status, 201);
  const std::string rex = absl::StrCat(Path("v2"), "/rex");
  const HttpAnswer read = Send("GET", rex);
  EXPECT_EQ(read.status, 200);
  EXPECT_THAT(read.body, HasSubstr(R"("spec":{"body":{"size":1}})"));
  const HttpAnswer patched =
      Send("PATCH", rex, R"({"spec":{"body":{"size":2}}})", "application/merge-patch+json");
  EXPECT_EQ(patched.status, 200) << patched.body;
  EXPECT_THAT(Send("GET", absl::StrCat(Path("v1"), "/rex")).body,
              HasSubstr(R"("spec":{"size":2})"));
  ASSERT_EQ(Send("POST", Path("v2"), Dog("v2", "tom")).status, 201);
  EXPECT_THAT(Send("GET", absl::StrCat(Path("v1"), "/tom")).body,
              HasSubstr(R"("spec":{"size":1})"));
}

TEST_F(ConversionTest, AWebhookConvertsListsAndEvents) {
  Install(authority_->certificate());
  ASSERT_EQ(Send("POST", Path("v1"), Dog("v1", "rex")).status, 201);
  const HttpAnswer list = Send("GET", Path("v2"));
  EXPECT_EQ(list.status, 200);
  EXPECT_THAT(list.body, HasSubstr(R"("spec":{"body":{"size":1}})"));
  const HttpAnswer events =
      Send("GET", absl::StrCat(Path("v2"), "?watch=true&timeoutSeconds=30"), "", "", /*lines=*/1);
  EXPECT_EQ(events.status, 200);
  EXPECT_THAT(events.body, HasSubstr(absl::StrCat(R"("apiVersion":")", group_, "/v2\"")));
}

TEST_F(ConversionTest, AFailureIsTold) {
  Install(authority_->certificate());
  ASSERT_EQ(Send("POST", Path("v1"), Dog("v1", "rex")).status, 201);
  hook_.Break("no dogs today");
  const HttpAnswer read = Send("GET", absl::StrCat(Path("v2"), "/rex"));
  EXPECT_EQ(read.status, 500);
  EXPECT_THAT(read.body, HasSubstr(absl::StrCat("conversion webhook for ", group_,
                                                "/v1, Kind=Dog failed: no dogs today")));
  const HttpAnswer created = Send("POST", Path("v2"), Dog("v2", "tom"));
  EXPECT_EQ(created.status, 500);
  EXPECT_THAT(created.body, HasSubstr(absl::StrCat("conversion webhook for ", group_,
                                                   "/v2, Kind=Dog failed: no dogs today")));
  EXPECT_EQ(Send("GET", absl::StrCat(Path("v1"), "/rex")).status, 200)
      << "the stored version needs nobody";
}

TEST_F(ConversionTest, AnotherAuthorityIsNotTrusted) {
  const absl::StatusOr<certificates::CertificateAuthority> other =
      certificates::CertificateAuthority::Make("other-ca");
  ASSERT_THAT(other, IsOk());
  Install(other->certificate());
  ASSERT_EQ(Send("POST", Path("v1"), Dog("v1", "rex")).status, 201);
  const HttpAnswer read = Send("GET", absl::StrCat(Path("v2"), "/rex"));
  EXPECT_EQ(read.status, 500);
  EXPECT_THAT(read.body, HasSubstr(absl::StrCat("conversion webhook for ", group_,
                                                "/v1, Kind=Dog failed: Post ")));
}

}  // namespace
}  // namespace kube::conformance
