// Compares with client-go's REST client, in a Go program, for the same requests, responses, headers
// and hosts. Intended differences (docs/rest.md) are not compared.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/errors/status_error.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/user_agent.h"
#include "clientset/rest/warnings.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/transport_error.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::rest {
namespace {

using oracle::Dice;
using oracle::GoCases;
using oracle::Hex;

constexpr uint64_t kSeed = 20'261'121;

template <typename T, size_t N>
const T& OneOf(Dice& dice, const T (&values)[N]) {
  return values[dice.Below(N)];
}

std::string Json(absl::string_view text) { return absl::StrCat("\"", Hex(text), "\""); }

std::string JsonList(const std::vector<std::string>& texts) {
  return absl::StrCat("[",
                      absl::StrJoin(texts, ",",
                                    [](std::string* out, const std::string& text) {
                                      absl::StrAppend(out, Json(text));
                                    }),
                      "]");
}

// ---- URLs

std::string Name(Dice& dice) {
  static constexpr absl::string_view kNames[] = {
      "web-0", "a.b.c",       "sha256:AB@CD", "",     ".",        "..",    "...", "x/y",
      "50%",   "a/b%c",       "Zürich",       "a b",  "a+b",      "a&b=c", "a;b", "q?x#y",
      "!*'()", "\"<>\\^`{|}", "~-_.$,",       "日本", "\xff\xfe", "a\tb",  "A"};
  return std::string(OneOf(dice, kNames));
}

Request RandomRequest(Dice& dice) {
  static constexpr absl::string_view kVerbs[] = {"GET", "PUT", "POST", "DELETE", "PATCH"};
  static constexpr absl::string_view kGroups[] = {"", "apps", "rbac.authorization.k8s.io"};
  static constexpr absl::string_view kVersions[] = {"v1", "v1beta1"};
  static constexpr absl::string_view kResources[] = {"pods", "Deployments", "nodes", "secrets"};
  static constexpr absl::string_view kSubresources[] = {"status", "scale", "proxy",
                                                        "",       "log",   "a b"};
  Request request;
  request.verb = std::string(OneOf(dice, kVerbs));
  if (dice.Below(4) == 0) {
    static constexpr absl::string_view kPaths[] = {
        "/healthz",     "/",    "/api/v1/",    "/apis//apps/",        "/a/../b/./c",
        "/x%2Fy/z",     "/a b", "/%zz",        "/version?timeout=3s", "/x?b=2&a=1&b=3",
        "/x?q=%20+%41", "/x/?", "/x?a=%zz&b=1"};
    request.absolute_path = std::string(OneOf(dice, kPaths));
  } else {
    request.resource = {std::string(OneOf(dice, kGroups)), std::string(OneOf(dice, kVersions)),
                        dice.Below(10) == 0 ? "" : std::string(OneOf(dice, kResources))};
    if (dice.Below(2) == 0) request.namespace_name = dice.Below(2) == 0 ? "prod" : Name(dice);
    if (dice.Below(2) == 0) request.name = dice.Below(2) == 0 ? "web-0" : Name(dice);
    for (size_t i = dice.Below(3); i > 0; --i) {
      request.subresource.push_back(dice.Below(3) == 0 ? Name(dice)
                                                       : std::string(OneOf(dice, kSubresources)));
    }
  }
  // client-go's RequestURI discards parameters of the same name that were set before, and ours
  // keeps both; so no name here occurs in the query of a path.
  for (size_t i = dice.Below(4); i > 0; --i) {
    static constexpr absl::string_view kParams[] = {"limit", "labelSelector", "x y", "ä"};
    request.params[std::string(OneOf(dice, kParams))].push_back(Name(dice));
  }
  const absl::Duration kTimeouts[] = {// Long ones: Go's clock is a real one.
                                      absl::ZeroDuration(), absl::ZeroDuration(),
                                      absl::Minutes(1),     absl::Milliseconds(90'500),
                                      absl::Minutes(90),    absl::Hours(1) + absl::Nanoseconds(15)};
  request.timeout = OneOf(dice, kTimeouts);
  return request;
}

std::string Question(absl::string_view base, const Request& request) {
  std::vector<std::string> params;
  for (const auto& [name, values] : request.params) {
    for (const std::string& value : values) {
      params.push_back(absl::StrCat("[", Json(name), ",", Json(value), "]"));
    }
  }
  return absl::StrCat(
      "{\"Base\":", Json(base), ",\"Verb\":", Json(request.verb),
      ",\"Group\":", Json(request.resource.group), ",\"Version\":", Json(request.resource.version),
      ",\"Resource\":", Json(request.resource.resource),
      ",\"HasNamespace\":", request.namespace_name.has_value() ? "true" : "false",
      ",\"Namespace\":", Json(request.namespace_name.value_or("")),
      ",\"HasName\":", request.name.has_value() ? "true" : "false",
      ",\"Name\":", Json(request.name.value_or("")), ",\"Path\":", Json(request.absolute_path),
      ",\"Subresource\":", JsonList(request.subresource), ",\"Params\":[",
      absl::StrJoin(params, ","),
      "],\"TimeoutNanoseconds\":", absl::ToInt64Nanoseconds(request.timeout), "}");
}

// behaviour.md: REST-15
TEST(RestDifferentialTest, UrlsAndWhatIsRefused) {
  GoCases cases("rest_oracle");
  Dice dice(kSeed);
  SCOPED_TRACE(kSeed);
  static constexpr absl::string_view kBases[] = {
      "http://localhost",         "https://10.0.0.1:6443", "https://[::1]:6443",
      "https://proxy/clusters/a", "https://proxy/a%20b/c", "https://proxy/a%2Fb"};
  for (int i = 0; i < 4000; ++i) {
    const absl::string_view base = OneOf(dice, kBases);
    const Request request = RandomRequest(dice);
    const absl::StatusOr<std::string> url = UrlOf(base, request);
    std::string ours = url.ok() ? *url : absl::StrCat("refused ", Hex(url.status().message()));
    if (!url.ok() && !request.absolute_path.empty()) ours = GoCases::kError;
    cases.Add("url", Question(base, request), ours);
  }
  cases.Check();
}

// ---- Tries

struct Try {
  int status = 0;
  std::string retry_after = {};
  std::string error = {};
  std::string body = {};
};

absl::Status TransportErrorNamed(absl::string_view name) {
  if (name == "reset")
    return httpclient::MakeTransportError({httpclient::TransportErrorKind::kReset}, "reset");
  if (name == "eof")
    return httpclient::MakeTransportError({httpclient::TransportErrorKind::kEof}, "EOF");
  if (name == "lost" || name == "goaway") {
    return httpclient::MakeTransportError({httpclient::TransportErrorKind::kLost}, "lost");
  }
  if (name == "timeout")
    return httpclient::MakeTransportError({httpclient::TransportErrorKind::kTimeout}, "timeout");
  if (name == "tls")
    return httpclient::MakeTransportError({httpclient::TransportErrorKind::kTls, false}, "tls");
  return httpclient::MakeTransportError({httpclient::TransportErrorKind::kConnect, false},
                                        "refused");
}

struct Script {
  std::string verb = "GET";
  std::string rule = "do";
  int max_retries = 10;
  std::string body = {};
  std::vector<Try> tries = {};
};

std::string Question(const Script& script) {
  std::vector<std::string> tries;
  for (const Try& t : script.tries) {
    tries.push_back(absl::StrCat("{\"Status\":", t.status, ",\"RetryAfter\":", Json(t.retry_after),
                                 ",\"Error\":\"", t.error, "\",\"Body\":", Json(t.body), "}"));
  }
  return absl::StrCat("{\"Verb\":\"", script.verb, "\",\"Rule\":\"", script.rule,
                      "\",\"MaxRetries\":", script.max_retries, ",\"Body\":", Json(script.body),
                      ",\"Tries\":[", absl::StrJoin(tries, ","), "]}");
}

ScriptedReply ReplyOf(const Try& t) {
  if (!t.error.empty()) return {.error = TransportErrorNamed(t.error)};
  ScriptedReply reply = JsonReply(t.body, t.status);
  if (!t.retry_after.empty()) reply.headers.Set("retry-after", t.retry_after);
  return reply;
}

std::string Ending(const absl::Status& error) {
  if (error.ok()) return "ok";
  const std::optional<api::meta::v1::Status> status = errors::StatusOf(error);
  if (!status.has_value()) return "transport";
  return absl::StrCat(status->code, " ", absl::string_view(status->reason.view()));
}

std::string Run(const Client& client, const Script& script) {
  Request request = {.verb = script.verb,
                     .resource = {"", "v1", "pods"},
                     .namespace_name = "prod",
                     .name = "web-0",
                     .max_retries = script.max_retries};
  if (!script.body.empty()) request.body = std::make_shared<const std::string>(script.body);
  if (script.rule == "do") return Ending(client.Do(Context(), request).status());
  request.retry = script.rule == "watch" ? RetryRule::kWatch : RetryRule::kStream;
  absl::StatusOr<StreamedResult> stream = client.Stream(Context(), request);
  if (!stream.ok() || request.retry != RetryRule::kWatch) return Ending(stream.status());
  return stream->body->Read(Context()).value().empty() ? "empty" : "ok";
}

std::string Answer(const Script& script) {
  std::string answer;
  base::SimRuntime sim({.seed = 1});
  const absl::Status status = sim.Run([&script, &answer] {
    auto transport = std::make_shared<ScriptedTransport>();
    for (const Try& t : script.tries) transport->Expect({}, ReplyOf(t));
    transport->Handle({},
                      [&script](const RecordedRequest&) { return ReplyOf(script.tries.back()); });
    const base::MonotonicTime start = base::Now();
    const std::string ending =
        Run(MakeScriptedClient(transport, {.warning_handler = NoWarnings()}), script);
    const absl::Duration waited = base::Now() - start;
    std::string bodies;
    for (const RecordedRequest& request : transport->requests()) {
      if (!request.body.empty()) absl::StrAppend(&bodies, request.body, ",");
    }
    answer = absl::StrCat(transport->requests().size(), " attempts, ", text::GoDuration(waited),
                          ", bodies ", bodies, ", ", ending);
  });
  EXPECT_THAT(status, base::IsOk());
  return answer;
}

Script RandomScript(Dice& dice) {
  static constexpr absl::string_view kVerbs[] = {"GET", "GET", "POST", "PUT", "DELETE", "PATCH"};
  static constexpr absl::string_view kRules[] = {"do", "do", "stream", "watch"};
  static constexpr int kStatuses[] = {429, 429, 500, 503, 503, 504, 200, 201, 204, 206,
                                      207, 301, 400, 401, 403, 404, 409, 410, 422};
  static constexpr absl::string_view kRetryAfters[] = {
      "1", "1", "1", "", "0", "7", "-1", "+2", "1.5", "soon", "007", "99999999999999999999"};
  static constexpr absl::string_view kErrors[] = {"reset",   "eof",     "goaway", "lost",
                                                  "refused", "timeout", "tls"};
  static constexpr absl::string_view kBodies[] = {
      "", "{}", "not json",
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409})"};
  static constexpr int kMaxRetries[] = {10, 10, 3, 1, 0, -1};
  Script script;
  script.rule = std::string(OneOf(dice, kRules));
  script.verb = script.rule == "do" ? std::string(OneOf(dice, kVerbs)) : "GET";
  script.max_retries = OneOf(dice, kMaxRetries);
  if (script.verb != "GET" && dice.Below(2) == 0) script.body = "body";
  for (size_t i = 1 + dice.Below(13); i > 0; --i) {
    Try t;
    if (dice.Below(3) == 0) {
      t.error = std::string(OneOf(dice, kErrors));
      // client-go treats a lost HTTP/2 connection as a final error when a watch begins.
      if (script.rule == "watch" && t.error == "lost") t.error = "goaway";
    } else {
      // Most scripts shall go on for a while.
      t.status = dice.Below(2) == 0 ? 503 : OneOf(dice, kStatuses);
      t.retry_after = std::string(OneOf(dice, kRetryAfters));
      t.body = std::string(OneOf(dice, kBodies));
      // Our watch would look the same if it began and ended at once, and if it never began.
      if (script.rule == "watch" && t.status == 200) t.body = "{}";
    }
    script.tries.push_back(std::move(t));
  }
  return script;
}

// behaviour.md: REST-3, REST-4, REST-6, REST-11
TEST(RestDifferentialTest, TriesWaitsAndEndings) {
  GoCases cases("rest_oracle");
  Dice dice(kSeed + 1);
  SCOPED_TRACE(kSeed + 1);
  for (int i = 0; i < 1000; ++i) {
    const Script script = RandomScript(dice);
    cases.Add("try", Question(script), Answer(script));
  }
  cases.Check();
}

// ---- Headers

// behaviour.md: REST-17
TEST(RestDifferentialTest, Warnings) {
  oracle::TextMaker maker(
      kSeed + 2,
      {R"(299 - "v1 ComponentStatus is deprecated in v1.19+")",
       R"(299 k8s "a" "Wed, 21 Oct 2026 07:28:00 GMT")",
       R"(299 - "one", 199 host:80 "two", 299 - "three")", R"(299 - "a \"quoted\" \\ text")",
       R"(299 - "=?utf-8?q?caf=C3=A9_x?= =?UTF-8?B?w6k=?= end")",
       R"(299 - "=?iso-8859-1?Q?caf=E9?=")", R"(299 - "=?koi8-r?q?x?=")",
       R"(299 - "=?us-ascii?q?=FF?=")", R"(299 - "=?utf-8?q?=E?= =?")", R"(299  "two blanks")",
       "299 - \"\xc3\x28\"", "299 - \"a\tb\"", R"(2x9 - "code")", R"(299 - "a" "unterminated)",
       R"(299 - "a" junk)", R"( 299 - "a"  ,  299 - "b")"},
      {"299",        " ",  "-",      "\"",   "\\",   ",",        "=?utf-8?q?",
       "=?utf-8?b?", "?=", "=C3=A9", "_",    "é",    "\xc2\xa0", "\xc2\x85",
       "\x7f",       "\t", "text",   "\xff", "w6k=", "\r\n"});
  GoCases cases("rest_oracle");
  SCOPED_TRACE(kSeed + 2);
  for (const std::string& header : maker.Make(4000)) {
    std::vector<std::string> ours;
    for (const Warning& warning : ParseWarnings(header)) {
      ours.push_back(absl::StrCat(warning.code, " ", Hex(warning.agent), " ", Hex(warning.text)));
    }
    cases.Add("warning", header, absl::StrJoin(ours, ","));
  }
  cases.Check();
}

// behaviour.md: REST-18
TEST(RestDifferentialTest, UserAgents) {
  GoCases cases("rest_oracle");
  for (const absl::string_view command :
       {"", "/", "//", "kubectl", "/usr/bin/kubectl", "./a b", "a/b/", "a//b///", "/x/.", ".."}) {
    // client-go's version if none was stamped into the build.
    cases.Add("agent", command,
              BuildUserAgent(command, "v0.0.0-master+$Format:%H$", OperatingSystem(),
                             Architecture(), "$Format:%H$"));
  }
  cases.Check();
}

// behaviour.md: TR-9
TEST(RestDifferentialTest, Impersonation) {
  GoCases cases("rest_oracle");
  Dice dice(kSeed + 3);
  SCOPED_TRACE(kSeed + 3);
  for (int i = 0; i < 500; ++i) {
    ImpersonationConfig impersonate = {.user_name = absl::StrCat("user", i)};
    if (dice.Below(2) == 0) impersonate.uid = "u-1";
    for (size_t n = dice.Below(3); n > 0; --n) impersonate.groups.push_back(Name(dice));
    for (size_t n = dice.Below(4); n > 0; --n) {
      std::string key;
      for (size_t length = 1 + dice.Below(8); length > 0; --length) {
        key += absl::ascii_tolower(static_cast<unsigned char>(dice.Below(256)));
      }
      impersonate.extra[key].push_back(absl::StrCat("v", n));
    }
    const auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, JsonReply("{}"));
    const Client client = MakeScriptedClient(transport, {.impersonate = impersonate});
    ASSERT_THAT(client.Do(Context(), {.verb = "GET", .absolute_path = "/version"}), base::IsOk());
    const std::vector<RecordedRequest> requests = transport->requests();
    std::vector<std::string> lines;
    for (const http::Header& header : requests.front().headers) {
      if (!absl::StartsWithIgnoreCase(header.name, "impersonate-")) continue;
      lines.push_back(absl::StrCat(header.name, ": ", header.value));
    }
    std::sort(lines.begin(), lines.end());
    std::vector<std::string> extra;
    for (const auto& [key, values] : impersonate.extra) {
      for (const std::string& value : values) {
        extra.push_back(absl::StrCat("[", Json(key), ",", Json(value), "]"));
      }
    }
    cases.Add("impersonate",
              absl::StrCat("{\"User\":", Json(impersonate.user_name), ",\"Uid\":",
                           Json(impersonate.uid), ",\"Groups\":", JsonList(impersonate.groups),
                           ",\"Extra\":[", absl::StrJoin(extra, ","), "]}"),
              Hex(absl::StrJoin(lines, "\n")));
  }
  cases.Check();
}

// ---- Hosts

// Values that we refuse and client-go accepts: see docs/rest.md.
bool IsRefusedOnPurpose(absl::string_view host, const absl::Status& status) {
  if (absl::StrContains(host, "://") && !absl::StartsWithIgnoreCase(host, "http://") &&
      !absl::StartsWithIgnoreCase(host, "https://")) {
    return true;
  }
  for (const absl::string_view text :
       {"must not contain user information", "must not contain a query",
        "unsupported protocol scheme", "has no host name", "invalid character in host"}) {
    if (absl::StrContains(status.message(), text)) return true;
  }
  return false;
}

// behaviour.md: REST-19
TEST(RestDifferentialTest, Hosts) {
  oracle::TextMaker maker(kSeed + 4,
                          {"",
                           "localhost",
                           "localhost:8080",
                           "10.0.0.1",
                           "10.0.0.1:6443",
                           "https://10.0.0.1:6443",
                           "HTTPS://Host",
                           "http://proxy/clusters/a",
                           "https://proxy/a/",
                           "https://proxy//a/../b",
                           "[::1]",
                           "[::1]:6443",
                           "https://[::1]:6443/x",
                           "https://[fe80::1%25eth0]:6443",
                           "::1",
                           "host/path",
                           "host/",
                           "https://",
                           "https:///x",
                           "https://host:",
                           "https://host:port",
                           "ftp://host",
                           "https://a b",
                           "https://host/a b",
                           "https://host/%41%2f",
                           "https://host/%zz",
                           "host:80:90",
                           "//host/x",
                           "https://host#f",
                           "mailto:x",
                           "1a://x",
                           ":80"},
                          {"http://", "https://", "host", ":", "80", "/", "[::1]", "a", "%41", "%",
                           "#", "..", "-", "é"});
  GoCases cases("rest_oracle");
  SCOPED_TRACE(kSeed + 4);
  int refused = 0;
  for (const std::string& host : maker.Make(1500)) {
    for (const bool tls : {false, true}) {
      const absl::StatusOr<std::string> base = ServerUrl(host, tls);
      if (!base.ok() && IsRefusedOnPurpose(host, base.status())) {
        ++refused;
        continue;
      }
      cases.Add(
          "server", absl::StrCat(tls ? "t" : "f", host),
          base.ok() ? UrlOf(*base, {.absolute_path = "/x"}).value() : std::string(GoCases::kError));
    }
  }
  EXPECT_LT(refused, 1500);
  cases.Check();
}

}  // namespace
}  // namespace kube::rest
