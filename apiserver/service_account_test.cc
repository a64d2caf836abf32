// Service accounts: the tokens that the server signs and accepts, what namespaces get by
// themselves, and what pods get of their account.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using unstructured::Value;

constexpr char kIssuer[] = "https://kubernetes.default.svc.cluster.local";
constexpr char kAccounts[] = "/api/v1/namespaces/default/serviceaccounts";
constexpr char kTokens[] = "/api/v1/namespaces/default/serviceaccounts/web/token";
constexpr char kPods[] = "/api/v1/namespaces/default/pods";
constexpr char kReview[] = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr char kSelf[] = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

// A server with the service account default/web, whose clock the test moves.
class ServiceAccountTest : public testing::Test {
 protected:
  ServiceAccountTest() { Start({}); }

  void Start(HandlerOptions options) {
    options.tokens["admin"] = {.name = "admin", .groups = {"system:masters"}};
    server_ = std::make_unique<ApiHandler>(std::move(options));
    Expect(201, "POST", kAccounts, R"({"metadata":{"name":"web"}})");
  }

  std::shared_ptr<FakeExchange> Send(absl::string_view method, absl::string_view target,
                                     std::string body = "", absl::string_view token = "admin") {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    request.headers.Set("authorization", absl::StrCat("Bearer ", token));
    request.headers.Set("content-type",
                        method == "PATCH" ? "application/merge-patch+json" : "application/json");
    request.body = std::move(body);
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    server_->Handle(exchange);
    return exchange;
  }
  Value Expect(int code, absl::string_view method, absl::string_view target, std::string body = "",
               absl::string_view token = "admin") {
    const auto exchange = Send(method, target, std::move(body), token);
    EXPECT_EQ(exchange->status(), code) << std::string(target) << "\n" << exchange->body();
    const absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
    return value.ok() ? *value : Value();
  }

  // Returns a token of default/web for a spec such as {"audiences":["a"]}.
  std::string Token(absl::string_view spec = "{}") {
    const Value answer = Expect(201, "POST", kTokens, absl::StrCat("{\"spec\":", spec, "}"));
    return std::string(answer["status"]["token"].text().value_or(""));
  }
  // Returns the code of a request with the token.
  int CodeOf(absl::string_view token) { return Send("GET", kPods, "", token)->status(); }
  // Returns the status of the review of a token.
  Value Review(absl::string_view token, absl::string_view audiences = "[]") {
    return Expect(201, "POST", kReview,
                  absl::StrCat(R"({"spec":{"token":")", token, R"(","audiences":)", audiences,
                               "}}"))["status"];
  }
  // "NAMESPACE/NAME" of each object.
  std::vector<std::string> Names(absl::string_view target) {
    std::vector<std::string> names;
    const Value list = Expect(200, "GET", target);
    for (const Value& item : *list["items"].list()) {
      names.push_back(absl::StrCat(item["metadata"]["namespace"].text().value_or(""), "/",
                                   item["metadata"]["name"].text().value_or("")));
    }
    return names;
  }
  std::string UidOf(absl::string_view target) {
    return std::string(Expect(200, "GET", target)["metadata"]["uid"].text().value_or(""));
  }

  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  std::unique_ptr<ApiHandler> server_;
};

Value ClaimsOf(absl::string_view token) {
  const std::vector<std::string> parts = absl::StrSplit(token, '.');
  std::string json;
  if (parts.size() != 3 || !absl::WebSafeBase64Unescape(parts[1], &json)) return Value();
  const absl::StatusOr<Value> claims = unstructured::ParseJson(json);
  return claims.ok() ? *claims : Value();
}

std::string Pod(absl::string_view name, absl::string_view spec = "") {
  return absl::StrCat(R"({"metadata":{"name":")", name,
                      R"("},"spec":{"containers":[{"name":"c","image":"i"}])", spec, "}}");
}

// ---- tokens

TEST_F(ServiceAccountTest, ATokenSaysWhoseItIs) {
  const Value answer = Expect(201, "POST", kTokens, R"({"spec":{}})");
  const std::string uid = UidOf(absl::StrCat(kAccounts, "/web"));
  EXPECT_EQ(answer["kind"], Value("TokenRequest"));
  EXPECT_EQ(answer["metadata"]["name"], Value("web"));
  EXPECT_EQ(answer["metadata"]["namespace"], Value("default"));
  EXPECT_EQ(answer["metadata"]["uid"], Value(uid));
  EXPECT_EQ(answer["spec"]["expirationSeconds"], Value(3600));
  EXPECT_EQ(answer["spec"]["audiences"], Value(List<Value>{Value(kIssuer)}));
  const int64_t now = absl::ToUnixSeconds(clock_.WallNow());
  EXPECT_EQ(answer["status"]["expirationTimestamp"],
            Value(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(now + 3600),
                                   absl::UTCTimeZone())));

  const Value claims = ClaimsOf(*answer["status"]["token"].text());
  EXPECT_EQ(claims["iss"], Value(kIssuer));
  EXPECT_EQ(claims["sub"], Value("system:serviceaccount:default:web"));
  EXPECT_EQ(claims["aud"], Value(List<Value>{Value(kIssuer)}));
  EXPECT_EQ(claims["iat"], Value(now));
  EXPECT_EQ(claims["nbf"], Value(now));
  EXPECT_EQ(claims["exp"], Value(now + 3600));
  EXPECT_EQ(claims["jti"].text()->size(), 36u);
  const Value& account = claims["kubernetes.io"];
  EXPECT_EQ(account["namespace"], Value("default"));
  EXPECT_EQ(account["serviceaccount"]["name"], Value("web"));
  EXPECT_EQ(account["serviceaccount"]["uid"], Value(uid));
  EXPECT_EQ(account.object()->size(), 2u) << "it is bound to nothing";
}

TEST_F(ServiceAccountTest, AUserIsWhatTheTokenSays) {
  const std::string token = Token();
  const Value user = Expect(201, "POST", kSelf, "{}", token)["status"]["userInfo"];
  EXPECT_EQ(server_->Requests().back().user, "system:serviceaccount:default:web");
  EXPECT_EQ(user["username"], Value("system:serviceaccount:default:web"));
  EXPECT_EQ(user["uid"], Value(UidOf(absl::StrCat(kAccounts, "/web"))));
  EXPECT_EQ(user["groups"],
            Value(List<Value>{"system:serviceaccounts", "system:serviceaccounts:default",
                              "system:authenticated"}));
  const std::string id = absl::StrCat("JTI=", *ClaimsOf(token)["jti"].text());
  EXPECT_EQ(user["extra"]["authentication.kubernetes.io/credential-id"],
            Value(List<Value>{Value(id)}));
}

TEST_F(ServiceAccountTest, RulesHoldForAccounts) {
  server_->SetDenyRules({{.user = "system:serviceaccount:default:web", .resource = "pods"}});
  EXPECT_EQ(CodeOf(Token()), 403);
}

TEST_F(ServiceAccountTest, ATokenEnds) {
  const std::string token = Token(R"({"expirationSeconds":600})");
  clock_.Step(absl::Seconds(660));
  EXPECT_EQ(CodeOf(token), 200);
  clock_.Step(absl::Seconds(1));
  EXPECT_EQ(CodeOf(token), 401);
  EXPECT_EQ(Review(token)["error"],
            Value("[invalid bearer token, service account token has expired]"));
}

TEST_F(ServiceAccountTest, ATokenEndsWithItsAccount) {
  const std::string token = Token();
  Expect(200, "DELETE", absl::StrCat(kAccounts, "/web"));
  EXPECT_EQ(CodeOf(token), 401);
  // Another one with the same name.
  Expect(201, "POST", kAccounts, R"({"metadata":{"name":"web"}})");
  EXPECT_EQ(CodeOf(token), 401);
}

TEST_F(ServiceAccountTest, ATokenSurvivesARestart) {
  const std::string token = Token();
  server_->Restart();
  EXPECT_EQ(CodeOf(token), 200);
  server_->Restart({.keep_data = false});
  EXPECT_EQ(CodeOf(token), 401) << "the account has gone";
}

TEST_F(ServiceAccountTest, ATokenOfAPodEndsWithIt) {
  Expect(201, "POST", "/api/v1/nodes", R"({"metadata":{"name":"n"}})");
  Expect(201, "POST", kPods, Pod("p", R"(,"serviceAccountName":"web","nodeName":"n")"));
  const std::string token =
      Token(R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p"}})");
  const std::string uid = UidOf(absl::StrCat(kPods, "/p"));
  const Value account = ClaimsOf(token)["kubernetes.io"];
  EXPECT_EQ(account["pod"]["name"], Value("p"));
  EXPECT_EQ(account["pod"]["uid"], Value(uid));
  EXPECT_EQ(account["node"]["name"], Value("n"));
  EXPECT_EQ(account["node"]["uid"], Value(UidOf("/api/v1/nodes/n")));
  const Value extra = Expect(201, "POST", kSelf, "{}", token)["status"]["userInfo"]["extra"];
  EXPECT_EQ(extra["authentication.kubernetes.io/pod-name"], Value(List<Value>{"p"}));
  EXPECT_EQ(extra["authentication.kubernetes.io/pod-uid"], Value(List<Value>{Value(uid)}));
  EXPECT_EQ(extra["authentication.kubernetes.io/node-name"], Value(List<Value>{"n"}));

  Expect(200, "DELETE", absl::StrCat(kPods, "/p?gracePeriodSeconds=0"));
  EXPECT_EQ(CodeOf(token), 401);
  EXPECT_EQ(Review(token)["error"],
            Value("[invalid bearer token, service account token has been invalidated]"));
}

TEST_F(ServiceAccountTest, ATokenOfAProjectedVolumeIsValidForAYear) {
  Expect(201, "POST", kPods, Pod("p", R"(,"serviceAccountName":"web","nodeName":"gone")"));
  constexpr absl::string_view kBound = R"("boundObjectRef":{"kind":"Pod","name":"p"})";
  const int64_t now = absl::ToUnixSeconds(clock_.WallNow());
  const Value extended = ClaimsOf(Token(absl::StrCat("{\"expirationSeconds\":3607,", kBound, "}")));
  EXPECT_EQ(extended["exp"], Value(now + 365 * 24 * 60 * 60));
  EXPECT_EQ(extended["kubernetes.io"]["warnafter"], Value(now + 3607));
  EXPECT_EQ(extended["kubernetes.io"]["node"], Value(Map<Value>{{"name", "gone"}}));
  const Value other = ClaimsOf(
      Token(absl::StrCat(R"({"audiences":["vault"],"expirationSeconds":3607,)", kBound, "}")));
  EXPECT_EQ(other["exp"], Value(now + 3607)) << "it is for somebody else";
  EXPECT_EQ(ClaimsOf(Token(R"({"expirationSeconds":3607})"))["exp"], Value(now + 3607));
}

TEST_F(ServiceAccountTest, WhatATokenCannotBe) {
  Expect(201, "POST", kPods, Pod("p"));
  struct Row {
    const char* name;
    const char* body;
    int code;
    const char* message;
  };
  const Row rows[] = {
      {"too short", R"({"spec":{"expirationSeconds":599}})", 422,
       "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: "
       "599: may not specify a duration less than 10 minutes"},
      {"too long", R"({"spec":{"expirationSeconds":4294967297}})", 422,
       "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: "
       "4294967297: may not specify a duration larger than 2^32 seconds"},
      {"another name", R"({"metadata":{"name":"a"},"spec":{}})", 422,
       "TokenRequest.authentication.k8s.io \"web\" is invalid: metadata.name: Invalid value: "
       "\"a\": must match the service account name if specified"},
      {"another namespace", R"({"metadata":{"namespace":"a"},"spec":{}})", 400,
       "the namespace of the provided object does not match the namespace sent on the request"},
      {"another kind", R"({"spec":{"boundObjectRef":{"kind":"ConfigMap","name":"a"}}})", 400,
       "cannot bind token to object of type"},
      {"no such pod", R"({"spec":{"boundObjectRef":{"kind":"Pod","name":"a"}}})", 404,
       "pods \"a\" not found"},
      {"no such secret", R"({"spec":{"boundObjectRef":{"kind":"Secret","name":"a"}}})", 404,
       "secrets \"a\" not found"},
      {"no such node", R"({"spec":{"boundObjectRef":{"kind":"Node","name":"a"}}})", 404,
       "nodes \"a\" not found"},
      {"a pod of another account", R"({"spec":{"boundObjectRef":{"kind":"Pod","name":"p"}}})", 400,
       "cannot bind token for serviceaccount \"web\" to pod running with different serviceaccount "
       "name."},
  };
  for (const Row& row : rows) {
    const Value answer = Expect(row.code, "POST", kTokens, row.body);
    EXPECT_THAT(std::string(answer["message"].text().value_or("")), StartsWith(row.message))
        << row.name;
  }
  Expect(404, "POST", absl::StrCat(kAccounts, "/nobody/token"), R"({"spec":{}})");
}

TEST_F(ServiceAccountTest, UidsMustBeThoseThatAre) {
  Expect(201, "POST", "/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})");
  const Value account = Expect(409, "POST", kTokens, R"({"metadata":{"uid":"x"},"spec":{}})");
  EXPECT_THAT(std::string(*account["message"].text()),
              HasSubstr("the UID in the token request (x) does not match the UID of the service "
                        "account ("));
  const Value secret =
      Expect(409, "POST", kTokens,
             R"({"spec":{"boundObjectRef":{"kind":"Secret","name":"s","uid":"x"}}})");
  EXPECT_THAT(std::string(*secret["message"].text()),
              StartsWith("Operation cannot be fulfilled on Secret \"s\": the UID in the bound "
                         "object reference (x) does not match the UID in record."));
}

TEST_F(ServiceAccountTest, ATokenIsForItsAudiences) {
  const std::string token = Token(R"({"audiences":["vault","bank"]})");
  EXPECT_EQ(CodeOf(token), 401) << "it is not for this server";
  const Value good = Review(token, R"(["bank","x"])");
  EXPECT_EQ(good["authenticated"], Value(true));
  EXPECT_EQ(good["audiences"], Value(List<Value>{"bank"}));
  const Value wrong = Review(token);
  EXPECT_EQ(wrong.Find("authenticated"), nullptr);
  EXPECT_EQ(
      wrong["error"],
      Value(absl::StrCat(
          "[invalid bearer token, token audiences [\"vault\" \"bank\"] is invalid for the target "
          "audiences [\"",
          kIssuer, "\"]]")));
}

TEST_F(ServiceAccountTest, TokensAreReviewed) {
  const Value good = Review(Token());
  EXPECT_EQ(good["authenticated"], Value(true));
  EXPECT_EQ(good["user"]["username"], Value("system:serviceaccount:default:web"));
  EXPECT_EQ(good["user"]["groups"].list()->size(), 3u);
  EXPECT_EQ(good["audiences"], Value(List<Value>{Value(kIssuer)}));

  const Value admin = Review("admin");
  EXPECT_EQ(admin["user"]["username"], Value("admin"));
  EXPECT_EQ(admin["audiences"], Value(List<Value>{Value(kIssuer)}));
  EXPECT_EQ(Review("admin", R"(["bank"])")["error"], Value("invalid bearer token"));
  EXPECT_EQ(Review("nobody")["error"], Value("invalid bearer token"));
  EXPECT_EQ(Review("eyJhbGciOiJub25lIn0.e30.")["error"], Value("invalid bearer token"));
  const Value empty = Expect(400, "POST", kReview, R"({"spec":{}})");
  EXPECT_EQ(empty["message"], Value("token is required for TokenReview in authentication"));
}

// What everybody can write is refused, whatever it claims.
TEST_F(ServiceAccountTest, ForgedTokensAreRefused) {
  const std::vector<std::string> parts = absl::StrSplit(Token(), '.');
  const std::string none = absl::WebSafeBase64Escape(R"({"alg":"none"})");
  const std::string hmac = absl::WebSafeBase64Escape(R"({"alg":"HS256"})");
  struct Row {
    const char* name;
    std::string token;
  };
  const Row rows[] = {
      {"no algorithm", absl::StrCat(none, ".", parts[1], ".")},
      {"no algorithm with a signature", absl::StrCat(none, ".", parts[1], ".", parts[2])},
      {"a shared secret", absl::StrCat(hmac, ".", parts[1], ".", parts[2])},
      {"another payload",
       absl::StrCat(
           parts[0], ".",
           absl::WebSafeBase64Escape(absl::StrCat(
               R"({"iss":")", kIssuer, R"(","sub":"system:serviceaccount:kube-system:default"})")),
           ".", parts[2])},
      {"half a signature",
       absl::StrCat(parts[0], ".", parts[1], ".", parts[2].substr(0, parts[2].size() / 2))},
  };
  for (const Row& row : rows) EXPECT_EQ(CodeOf(row.token), 401) << row.name;
}

// ---- OpenID

TEST_F(ServiceAccountTest, OthersCanCheckTokens) {
  server_->SetAddress({.ip = "::1", .port = 6443});
  const auto document = Send("GET", "/.well-known/openid-configuration");
  EXPECT_EQ(document->status(), 200);
  EXPECT_EQ(document->headers().Get("content-type"), "application/json");
  EXPECT_EQ(document->headers().Get("cache-control"), "public, max-age=3600");
  EXPECT_EQ(document->body(),
            absl::StrCat(R"({"issuer":")", kIssuer,
                         R"(","jwks_uri":"https://[::1]:6443/openid/v1/jwks",)"
                         R"("response_types_supported":["id_token"],)"
                         R"("subject_types_supported":["public"],)"
                         R"("id_token_signing_alg_values_supported":["ES256"]})"));
  const auto keys = Send("GET", "/openid/v1/jwks");
  EXPECT_EQ(keys->headers().Get("content-type"), "application/jwk-set+json");
  EXPECT_THAT(keys->body(), StartsWith(R"({"keys":[{"use":"sig","kty":"EC","kid":")"));
  EXPECT_EQ(Send("POST", "/openid/v1/jwks")->status(), 405);
  EXPECT_EQ(Send("GET", "/openid/v1")->status(), 404);
  EXPECT_EQ(Send("GET", "/openid/v1/jwks", "", "nobody")->status(), 401);
}

// ---- what namespaces get

constexpr char kMaps[] = "/api/v1/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt";

TEST_F(ServiceAccountTest, EachNamespaceHasAnAccount) {
  const char* const accounts = "/api/v1/serviceaccounts";
  EXPECT_THAT(Names(accounts),
              ElementsAre("default/default", "default/web", "kube-node-lease/default",
                          "kube-public/default", "kube-system/default"));
  Expect(201, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"a"}})");
  const std::string first = "/api/v1/namespaces/a/serviceaccounts/default";
  const std::string uid = UidOf(first);
  Expect(200, "DELETE", first);
  EXPECT_NE(UidOf(first), uid) << "it comes again";
  EXPECT_THAT(Names(kMaps), IsEmpty()) << "without TLS there is no authority";
}

TEST_F(ServiceAccountTest, EachNamespaceHasTheAuthority) {
  server_->SetAddress({.server_ca = "PEM\n"});
  EXPECT_THAT(Names(kMaps),
              ElementsAre("default/kube-root-ca.crt", "kube-node-lease/kube-root-ca.crt",
                          "kube-public/kube-root-ca.crt", "kube-system/kube-root-ca.crt"));
  Expect(201, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"a"}})");
  const std::string path = "/api/v1/namespaces/a/configmaps/kube-root-ca.crt";
  EXPECT_EQ(Expect(200, "GET", path)["data"], Value(Map<Value>{{"ca.crt", "PEM\n"}}));

  Expect(200, "PATCH", path, R"({"data":{"ca.crt":"other","b":"c"}})");
  const Value repaired = Expect(200, "GET", path);
  EXPECT_EQ(repaired["data"], Value(Map<Value>{{"ca.crt", "PEM\n"}}));
  EXPECT_NE(repaired["metadata"]["annotations"].Find("kubernetes.io/description"), nullptr);
  // A change that needs no repair stays.
  Expect(200, "PATCH", path, R"({"metadata":{"labels":{"x":"y"}}})");
  EXPECT_EQ(Expect(200, "GET", path)["metadata"]["labels"], Value(Map<Value>{{"x", "y"}}));
  Expect(200, "DELETE", path);
  Expect(200, "GET", path);
}

TEST_F(ServiceAccountTest, ADeletedNamespaceGetsNothing) {
  server_->SetAddress({.server_ca = "PEM\n"});
  Expect(201, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"a"}})");
  Expect(201, "POST", "/api/v1/namespaces/a/configmaps",
         R"({"metadata":{"name":"held","finalizers":["example.com/a"]}})");
  Expect(200, "DELETE", "/api/v1/namespaces/a");
  EXPECT_THAT(Names("/api/v1/namespaces/a/configmaps"), ElementsAre("a/held"));
  EXPECT_THAT(Names("/api/v1/namespaces/a/serviceaccounts"), IsEmpty());
  Expect(200, "PATCH", "/api/v1/namespaces/a/configmaps/held",
         R"({"metadata":{"finalizers":null}})");
  Expect(404, "GET", "/api/v1/namespaces/a");
}

TEST_F(ServiceAccountTest, NamespacesAreEmptyWithoutControllersOrObjects) {
  for (const bool controllers : {false, true}) {
    Start({.controllers = controllers, .cluster_objects = !controllers});
    server_->SetAddress({.server_ca = "PEM\n"});
    Expect(201, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"a"}})");
    EXPECT_THAT(Names("/api/v1/serviceaccounts"), ElementsAre("default/web"));
    EXPECT_THAT(Names(kMaps), IsEmpty());
  }
}

// ---- the admission plugin

TEST_F(ServiceAccountTest, PodsAreStoredAsTheyWereSent) {
  const Value pod = Expect(201, "POST", kPods, Pod("p", R"(,"serviceAccountName":"nobody")"));
  EXPECT_EQ(pod["spec"].Find("volumes"), nullptr);
  EXPECT_EQ(Expect(201, "POST", kPods, Pod("q"))["spec"].Find("serviceAccountName"), nullptr);
}

TEST_F(ServiceAccountTest, PodsGetTheTokenOfTheirAccount) {
  Start({.service_account_admission = true});
  Expect(200, "PATCH", absl::StrCat(kAccounts, "/default"),
         R"({"imagePullSecrets":[{"name":"registry"}]})");
  const Value spec = Expect(201, "POST", kPods, Pod("p"))["spec"];
  EXPECT_EQ(spec["serviceAccountName"], Value("default"));
  EXPECT_EQ(spec["serviceAccount"], Value("default"));
  EXPECT_EQ((*spec["imagePullSecrets"].list())[0]["name"], Value("registry"));

  ASSERT_EQ(spec["volumes"].list()->size(), 1u);
  const Value& volume = (*spec["volumes"].list())[0];
  const std::string name(volume["name"].text().value_or(""));
  EXPECT_THAT(name, StartsWith("kube-api-access-"));
  EXPECT_EQ(name.size(), std::string("kube-api-access-12345").size());
  EXPECT_EQ(volume["projected"]["defaultMode"], Value(420));
  const List<Value>& sources = *volume["projected"]["sources"].list();
  ASSERT_EQ(sources.size(), 3u);
  EXPECT_EQ(sources[0]["serviceAccountToken"],
            Value(Map<Value>{{"expirationSeconds", 3607}, {"path", "token"}}));
  EXPECT_EQ(sources[1]["configMap"]["name"], Value("kube-root-ca.crt"));
  EXPECT_EQ((*sources[2]["downwardAPI"]["items"].list())[0]["fieldRef"]["fieldPath"],
            Value("metadata.namespace"));
  const Value& mount = (*(*spec["containers"].list())[0]["volumeMounts"].list())[0];
  EXPECT_EQ(mount["name"], Value(name));
  EXPECT_EQ(mount["readOnly"], Value(true));
  EXPECT_EQ(mount["mountPath"], Value("/var/run/secrets/kubernetes.io/serviceaccount"));
}

TEST_F(ServiceAccountTest, PodsMayDoWithoutAToken) {
  Start({.service_account_admission = true});
  const Value spec =
      Expect(201, "POST", kPods, Pod("p", R"(,"automountServiceAccountToken":false)"))["spec"];
  EXPECT_EQ(spec.Find("volumes"), nullptr);
  Expect(200, "PATCH", absl::StrCat(kAccounts, "/web"),
         R"({"automountServiceAccountToken":false})");
  EXPECT_EQ(Expect(201, "POST", kPods, Pod("q", R"(,"serviceAccountName":"web")"))["spec"].Find(
                "volumes"),
            nullptr);
  // The pod decides.
  EXPECT_NE(
      Expect(201, "POST", kPods,
             Pod("r", R"(,"serviceAccountName":"web","automountServiceAccountToken":true)"))["spec"]
          .Find("volumes"),
      nullptr);
}

TEST_F(ServiceAccountTest, PodsNeedTheirAccount) {
  Start({.service_account_admission = true});
  Expect(200, "PATCH", absl::StrCat(kAccounts, "/web"),
         R"({"metadata":{"annotations":{"kubernetes.io/enforce-mountable-secrets":"true"}}})");
  struct Row {
    const char* name;
    std::string pod;
    const char* message;
  };
  const Row rows[] = {
      {"no such account", Pod("p", R"(,"serviceAccountName":"nobody")"),
       "pods \"p\" is forbidden: error looking up service account default/nobody: serviceaccount "
       "\"nobody\" not found"},
      {"a name that is to be generated",
       R"({"metadata":{"generateName":"p-"},"spec":{"serviceAccountName":"nobody",)"
       R"("containers":[{"name":"c","image":"i"}]}})",
       "pods \"p-\" is forbidden: error looking up service account default/nobody"},
      {"a secret of somebody else",
       Pod("p",
           R"(,"serviceAccountName":"web","volumes":[{"name":"v","secret":{"secretName":"s"}}])"),
       "pods \"p\" is forbidden: volume with secret.secretName=\"s\" is not allowed because "
       "service account web does not reference that secret"},
      {"a mirror pod with an account",
       R"({"metadata":{"name":"p","annotations":{"kubernetes.io/config.mirror":"x"}},"spec":)"
       R"({"serviceAccountName":"web","containers":[{"name":"c","image":"i"}]}})",
       "pods \"p\" is forbidden: a mirror pod may not reference service accounts"},
  };
  for (const Row& row : rows) {
    const Value answer = Expect(403, "POST", kPods, row.pod);
    EXPECT_THAT(std::string(answer["message"].text().value_or("")), StartsWith(row.message))
        << row.name;
  }
}

// ---- tokens in secrets

constexpr char kSecrets[] = "/api/v1/namespaces/default/secrets";

std::string TokenSecret(absl::string_view name, absl::string_view account) {
  return absl::StrCat(R"({"metadata":{"name":")", name,
                      R"(","annotations":{"kubernetes.io/service-account.name":")", account,
                      R"("}},"type":"kubernetes.io/service-account-token"})");
}

std::string TokenIn(const Value& secret) {
  std::string token;
  absl::Base64Unescape(secret["data"]["token"].text().value_or(""), &token);
  return token;
}

TEST_F(ServiceAccountTest, SecretsGetATokenOfTheirAccount) {
  const std::string target = absl::StrCat(kSecrets, "/s");
  Expect(201, "POST", kSecrets, TokenSecret("s", "web"));
  const Value secret = Expect(200, "GET", target);
  const std::string uid = UidOf(absl::StrCat(kAccounts, "/web"));
  EXPECT_EQ(secret["data"]["namespace"], Value("ZGVmYXVsdA=="));
  EXPECT_EQ(secret["metadata"]["annotations"]["kubernetes.io/service-account.uid"], Value(uid));
  const std::string token = TokenIn(secret);
  const Value claims = ClaimsOf(token);
  EXPECT_EQ(claims["iss"], Value("kubernetes/serviceaccount"));
  EXPECT_EQ(claims["sub"], Value("system:serviceaccount:default:web"));
  EXPECT_EQ(claims["kubernetes.io/serviceaccount/service-account.uid"], Value(uid));
  EXPECT_EQ(claims["kubernetes.io/serviceaccount/secret.name"], Value("s"));
  EXPECT_EQ(Expect(201, "POST", kSelf, "{}", token)["status"]["userInfo"]["username"],
            Value("system:serviceaccount:default:web"));
  // It has no end.
  clock_.Step(absl::Hours(24 * 365));
  EXPECT_EQ(CodeOf(token), 200);
  EXPECT_EQ(Review(token, R"(["other"])")["authenticated"].boolean().value_or(false), false);

  // The token is made again if it was removed, and only the present one is good.
  Expect(200, "PATCH", target, R"({"data":{"token":null}})");
  const std::string next = TokenIn(Expect(200, "GET", target));
  EXPECT_NE(next, token);
  EXPECT_EQ(CodeOf(token), 401);
  EXPECT_EQ(CodeOf(next), 200);
  Expect(200, "DELETE", target);
  EXPECT_EQ(CodeOf(next), 401);
}

TEST_F(ServiceAccountTest, TokenSecretsGoWithTheirAccount) {
  Expect(201, "POST", kSecrets, TokenSecret("mine", "web"));
  Expect(201, "POST", kSecrets, TokenSecret("nobodys", "nobody"));
  Expect(404, "GET", absl::StrCat(kSecrets, "/nobodys"));
  Expect(200, "GET", absl::StrCat(kSecrets, "/mine"));
  Expect(200, "DELETE", absl::StrCat(kAccounts, "/web"));
  Expect(404, "GET", absl::StrCat(kSecrets, "/mine"));
}

TEST_F(ServiceAccountTest, ADeletedTokenSecretLeavesTheList) {
  Expect(201, "POST", kSecrets, TokenSecret("s", "web"));
  Expect(200, "PATCH", absl::StrCat(kAccounts, "/web"),
         R"({"secrets":[{"name":"s"},{"name":"other"}]})");
  Expect(200, "DELETE", absl::StrCat(kSecrets, "/s"));
  const Value account = Expect(200, "GET", absl::StrCat(kAccounts, "/web"));
  ASSERT_TRUE(account["secrets"].is_list());
  ASSERT_EQ(account["secrets"].list()->size(), 1u);
  EXPECT_EQ((*account["secrets"].list())[0]["name"], Value("other"));
}

TEST_F(ServiceAccountTest, ATokenSecretNamesItsAccount) {
  const Value answer =
      Expect(422, "POST", kSecrets,
             R"({"metadata":{"name":"s"},"type":"kubernetes.io/service-account-token"})");
  EXPECT_EQ(answer["message"],
            Value("Secret \"s\" is invalid: "
                  "metadata.annotations[kubernetes.io/service-account.name]: Required value"));
}

}  // namespace
}  // namespace kube::apiserver
