#include "clientset/recording/internal/redactor.h"

#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "clientset/recording/redaction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::recording::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Stands in every credential of the tests.
constexpr absl::string_view kPlanted = "hunter2";
constexpr char kPlain[] = "http://h/api/v1/pods";
constexpr char kSecrets[] = "http://h/api/v1/namespaces/a/secrets?watch=true";

Redactor MakeRedactor(RedactionOptions options = {}) {
  if (options.salt.empty()) options.salt = "salt";
  return Redactor(options);
}

std::string PlantedBase64() { return absl::Base64Escape(kPlanted); }

std::string Redact(absl::string_view body, absl::string_view url, bool is_json = true) {
  const Redactor redactor = MakeRedactor();
  return redactor.RedactBody(body, redactor.KindOf(url), is_json);
}

TEST(Redactor, OfEqualSecrets_GivesEqualPlaceholders) {
  const Redactor redactor = MakeRedactor();
  EXPECT_EQ(redactor.Placeholder("a"), redactor.Placeholder("a"));
  EXPECT_NE(redactor.Placeholder("a"), redactor.Placeholder("b"));
  EXPECT_NE(redactor.Placeholder("a"), MakeRedactor({.salt = "other"}).Placeholder("a"));
  EXPECT_EQ(redactor.Placeholder("a").size(), redactor.Placeholder(std::string(99, 'a')).size());
}

TEST(Redactor, OfHeaders_ReplacesCredentials) {
  const Redactor redactor = MakeRedactor({.headers = {"X-Mine"}});
  const http::Headers redacted = redactor.RedactHeaders({{"authorization", "Bearer hunter2"},
                                                         {"cookie", "a=hunter2"},
                                                         {"set-cookie", "a=hunter2"},
                                                         {"x-api-key", "hunter2"},
                                                         {"x-mine", "hunter2"},
                                                         {"location", "/a?token=hunter2"},
                                                         {"accept", "application/json"}});
  EXPECT_EQ(redacted.size(), 7u);
  for (const http::Header& header : redacted) {
    EXPECT_THAT(header.value, Not(HasSubstr("hunter2"))) << header.name;
  }
  EXPECT_EQ(redacted.Get("authorization"),
            absl::StrCat("Bearer ", redactor.Placeholder("hunter2")));
  EXPECT_EQ(redacted.Get("accept"), "application/json");
}

TEST(Redactor, OfUrls_ReplacesCredentialsAndRemovesTheUser) {
  const Redactor redactor = MakeRedactor({.parameters = {"mine"}});
  const std::string redacted = redactor.RedactUrl(
      "https://me:hunter2@h/a?limit=5&token=hunter2&to%6ben=hunter2&mine=hunter2");
  EXPECT_THAT(redacted, Not(HasSubstr("hunter2")));
  EXPECT_THAT(redacted, StartsWith("https://h/a?limit=5&token=redacted-"));
  EXPECT_EQ(redactor.RedactUrl("https://h/a?continue=abc"), "https://h/a?continue=abc");
}

struct SecretBody {
  const char* name;
  const char* url;
  // "%P" is the secret, "%B" the secret in base64.
  const char* body;
};
constexpr SecretBody kSecretBodies[] = {
    {"a secret", kSecrets, R"({"kind":"Secret","data":{"a":"%B"},"stringData":{"b":"%P"}})"},
    {"elsewhere", kPlain, R"({"kind":"List","items":[{"kind":"Secret","data":{"a":"%B"}}]})"},
    {"a list", kPlain, R"({"kind":"SecretList","items":[{"data":{"a":"%B"}}]})"},
    {"an event", kSecrets,
     R"({"type":"ADDED","object":{"kind":"Secret","data":{"a":"%B"},"metadata":{"name":"x"}}})"},
    {"a merge patch", kSecrets, R"({"data":{"a":"%B"},"stringData":{"a":"%P"}})"},
    {"a JSON patch", kSecrets, R"([{"op":"replace","path":"/data/a","value":"%B"}])"},
    {"a JSON patch of the whole", kSecrets, R"([{"op":"add","path":"","value":{"data":"%P"}}])"},
    {"an apply in YAML", kSecrets, "kind: Secret\nstringData: {a: %P}\n"},
    {"protobuf", kSecrets, "k8s\x01 %P"},
    {"cut off", kSecrets, R"({"kind":"Secret","data":{"a":"%B)"},
    {"cut off elsewhere", kPlain, R"({"items":[{"kind":"Secret","data":{"a":"%B)"},
    {"last applied", kSecrets,
     R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":)"
     R"("{\"kind\":\"Secret\",\"data\":{\"a\":\"%B\"},\"stringData\":{\"b\":\"%P\"}}"}}})"},
    {"last applied, of metadata alone", kSecrets,
     R"({"kind":"PartialObjectMetadataList","items":[{"metadata":{"annotations":)"
     R"({"kubectl.kubernetes.io/last-applied-configuration":)"
     R"("{\"kind\":\"Secret\",\"data\":{\"a\":\"%B\"},\"stringData\":{\"b\":\"%P\"}}"}}}]})"},
    {"last applied, malformed", kSecrets,
     R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"%P"}}})"},
    {"duplicate members", kSecrets, R"({"data":{"a":"%B"},"data":{}})"},
    {"a token request", "http://h/api/v1/namespaces/a/serviceaccounts/b/token",
     R"({"kind":"TokenRequest","spec":{"audiences":["x"]},"status":{"token":"%P"}})"},
    {"a token review", kPlain, R"({"kind":"TokenReview","spec":{"token":"%P"}})"},
    {"an exec credential", kPlain,
     R"({"kind":"ExecCredential","status":{"token":"%P","clientKeyData":"%P"}})"},
    {"through a proxy", "http://h/api/v1/namespaces/a/pods/b/proxy/x", "anything %P"},
    {"an escaped path", "http://h/api/v1/%73ecrets", R"({"data":{"a":"%B"}})"},
};

TEST(Redactor, OfBodiesWithSecrets_LeavesNoSecret) {
  for (const SecretBody& each : kSecretBodies) {
    SCOPED_TRACE(each.name);
    std::string body = each.body;
    for (size_t at = body.find('%'); at != std::string::npos; at = body.find('%', at)) {
      body.replace(at, 2, body[at + 1] == 'P' ? std::string(kPlanted) : PlantedBase64());
    }
    const bool is_json = body[0] == '{' || body[0] == '[';
    const std::string redacted = Redact(body, each.url, is_json);
    EXPECT_THAT(redacted, Not(HasSubstr(std::string(kPlanted))));
    EXPECT_THAT(redacted, Not(HasSubstr(PlantedBase64())));
    EXPECT_FALSE(redacted.empty());
  }
}

TEST(Redactor, OfASecret_KeepsItReadable) {
  const Redactor redactor = MakeRedactor();
  const std::string placeholder = redactor.Placeholder(kPlanted);
  const std::string body =
      absl::StrCat(R"({"data":{"password":")", PlantedBase64(),
                   R"("},"kind":"Secret","stringData":{"b":"hunter2"}})", "\n");
  // The same secret has the same replacement, also in base64; the line break of a watch stays.
  EXPECT_EQ(Redact(body, kSecrets),
            absl::StrCat(R"({"data":{"password":")", absl::Base64Escape(placeholder),
                         R"("},"kind":"Secret","stringData":{"b":")", placeholder, "\"}}\n"));
}

TEST(Redactor, OfAMergePatch_KeepsBase64InData) {
  const std::string placeholder = MakeRedactor().Placeholder(kPlanted);
  EXPECT_EQ(Redact(absl::StrCat(R"({"data":{"token":")", PlantedBase64(), "\"}}"), kSecrets),
            absl::StrCat(R"({"data":{"token":")", absl::Base64Escape(placeholder), "\"}}"));
}

TEST(Redactor, OfBodiesWithoutSecrets_ChangesNothing) {
  const std::string pod = "{\"kind\": \"Pod\", \"spec\":{\"a\":1.0}}\n";
  EXPECT_EQ(Redact(pod, kPlain), pod);
  const std::string log = "the token is not recognised";
  EXPECT_EQ(Redact(log, kPlain, /*is_json=*/false), log);
  const std::string cut = "{\"kind\":\"Pod\",";
  EXPECT_EQ(Redact(cut, kPlain), cut);
}

TEST(Redactor, OfOptions_RedactsMembersAndPaths) {
  const Redactor redactor =
      MakeRedactor({.members = {"Password"}, .path_elements = {"vaultsecrets"}});
  const std::string body = redactor.RedactBody(
      R"({"spec":{"password":["hunter2",{"a":"hunter2"},7],"user":"me"}})", PathKind::kPlain, true);
  EXPECT_THAT(body, Not(HasSubstr("hunter2")));
  EXPECT_THAT(body, HasSubstr("0],\"user\":\"me\""));
  EXPECT_EQ(redactor.KindOf("http://h/apis/v/v1/vaultsecrets/a"), PathKind::kOpaque);
  EXPECT_EQ(redactor.RedactBody("hunter2", PathKind::kOpaque, false),
            redactor.Placeholder("hunter2"));
}

TEST(Redactor, ThatIsOff_ChangesNothing) {
  const Redactor redactor = MakeRedactor({.off = true});
  const std::string body = R"({"kind":"Secret","data":{"a":"b"}})";
  EXPECT_EQ(redactor.RedactBody(body, redactor.KindOf(kSecrets), true), body);
  EXPECT_EQ(redactor.RedactUrl("http://a:b@h/?token=c"), "http://a:b@h/?token=c");
  EXPECT_EQ(redactor.RedactHeaders({{"authorization", "x"}}).Get("authorization"), "x");
}

}  // namespace
}  // namespace kube::recording::internal
