// Compares exec plug-ins with client-go: the results for the same outputs, and the information that
// the plug-in gets.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::rest {
namespace {

using certificates::Certificate;
using certificates::CertificateAuthority;
using oracle::Dice;
using oracle::GoCases;

constexpr uint64_t kSeed = 20260921;
constexpr char kV1[] = "client.authentication.k8s.io/v1";
constexpr char kV1beta1[] = "client.authentication.k8s.io/v1beta1";

std::string Quote(absl::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// A configuration, for both sides.
struct Question {
  std::string output = {};
  std::string api_version = kV1;
  bool provide_cluster_info = false;
  std::string host = "https://127.0.0.1:1", server_name = {}, ca = {}, proxy = {}, extension = {};
  bool insecure = false, disable_compression = false;
};

std::string Plugin() {
  return std::filesystem::absolute("clientset/rest/testing/fake_exec_plugin").string();
}

std::string InfoFile() {
  const char* folder = std::getenv("TEST_TMPDIR");
  return absl::StrCat(folder == nullptr ? "/tmp" : folder, "/exec_info");
}

std::string ToJson(const Question& q) {
  const auto boolean = [](bool value) { return value ? "true" : "false"; };
  return absl::StrCat(
      R"({"Plugin":)", Quote(Plugin()), R"(,"Env":[["PLUGIN_OUTPUT",)", Quote(q.output),
      R"(],["PLUGIN_INFO",)", Quote(InfoFile()), R"(]],"APIVersion":)", Quote(q.api_version),
      R"(,"ProvideClusterInfo":)", boolean(q.provide_cluster_info), R"(,"InfoFile":)",
      Quote(InfoFile()), R"(,"Host":)", Quote(q.host), R"(,"ServerName":)", Quote(q.server_name),
      R"(,"CAData":)", Quote(q.ca), R"(,"ProxyURL":)", Quote(q.proxy), R"(,"Extension":)",
      Quote(q.extension), R"(,"Insecure":)", boolean(q.insecure), R"(,"DisableCompression":)",
      boolean(q.disable_compression), "}");
}

Config ToConfig(const Question& q) {
  Config config{
      .host = q.host,
      .exec = ExecConfig{.command = Plugin(),
                         .args = {"print"},
                         .env = {{"PLUGIN_OUTPUT", q.output}, {"PLUGIN_INFO", InfoFile()}},
                         .api_version = q.api_version,
                         .provide_cluster_info = q.provide_cluster_info,
                         .interactive_mode = ExecInteractiveMode::kNever},
      .tls = {.insecure = q.insecure, .server_name = q.server_name, .ca_data = q.ca},
      .disable_compression = q.disable_compression};
  if (!q.proxy.empty()) config.proxy_url = q.proxy;
  if (!q.extension.empty()) config.exec->cluster_config = q.extension;
  return config;
}

// The credentials that a server would receive.
std::string OurCredentials(const Question& q) {
  const auto authenticator = MakeAuthenticator(ToConfig(q));
  if (!authenticator.ok()) return GoCases::kError;
  const auto got = (*authenticator)->Get({});
  if (!got.ok()) return GoCases::kError;
  return absl::StrCat((*got)->authorization.Reveal(), "\n", (*got)->connection->client_certificate);
}

std::string OurInfo(const Question& q) {
  const auto authenticator = MakeAuthenticator(ToConfig(q));
  if (!authenticator.ok()) return GoCases::kError;
  (*authenticator)->Get({}).status().IgnoreError();
  std::ifstream file(InfoFile());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(InfoFile());
  const auto sorted = codec::YamlToJson(text);  // JSON is YAML, and this sorts
  return sorted.ok() ? sorted->json : GoCases::kError;
}

// Outputs of plug-ins, most of them with something wrong.
class OutputMaker {
 public:
  explicit OutputMaker(uint64_t seed)
      : dice_(seed),
        authority_(*CertificateAuthority::Make("ca")),
        a_(*authority_.Issue({})),
        b_(*authority_.Issue({})) {}

  std::string Next(const std::string& api_version) {
    std::vector<std::string> fields;
    Add(fields, "kind",
        Pick({"\"ExecCredential\"", "\"execCredential\"", "\"Pod\"", "null", "", "1"}, 12));
    Add(fields, "apiVersion",
        Pick({Quote(api_version), Quote(kV1), Quote(kV1beta1),
              "\"client.authentication.k8s.io/v1alpha1\"",
              "\"client.authentication.k8s.io/__internal\"", "\"v1\"", "\"\"", "null", ""},
             12));
    Add(fields, "spec", Pick({"", "{}", R"({"interactive":true})", "[]"}, 4));
    Add(fields, "status", Pick({Status(), Status(), Status(), "null", "{}", "", "\"t\""}, 12));
    return Wrap(absl::StrCat("{", absl::StrJoin(fields, ","), "}"));
  }

  const CertificateAuthority& authority() const { return authority_; }

 private:
  // Returns one of the choices; the first one, except in one of `rare` cases.
  std::string Pick(const std::vector<std::string>& choices, size_t rare) {
    return dice_.Below(rare) != 0 ? choices[0] : choices[dice_.Below(choices.size())];
  }

  static void Add(std::vector<std::string>& fields, absl::string_view name,
                  const std::string& value) {
    if (!value.empty()) fields.push_back(absl::StrCat("\"", name, "\":", value));
  }

  std::string Status() {
    std::vector<std::string> fields;
    Add(fields, "token",
        Pick({R"("t")", "", R"("")", R"("a b")", R"("\u00e9")", R"("a\nb")", R"(" t")", "1", "null",
              R"(["t"])", R"("a\tb")", R"("a\u0000b")", R"("a\u007fb")"},
             3));
    Add(fields, "expirationTimestamp",
        Pick(
            {"", R"("2040-01-02T03:04:05Z")", R"("2010-01-02T03:04:05.678+05:30")", "null", R"("")",
             R"("0001-01-01T00:00:00Z")", R"("2040-01-02 03:04:05Z")", R"("2040-01-02T03:04:05")",
             R"("2040-01-02t03:04:05z")", R"("2040-02-30T03:04:05Z")", R"("2040-01-02T24:00:00Z")",
             R"("2040-01-02T03:04:60Z")", R"("10000-01-02T03:04:05Z")", "1", R"("soon")",
             R"("2040-01-02T3:04:05Z")", R"("2040-01-02T03:04:05+24:00")"},
            2));
    AddPair(fields);
    Add(fields, "other", Pick({"", "1", R"({"token":"x"})"}, 3));
    // The last one is used; names are case-sensitive.
    Add(fields, "token", Pick({"", R"("last")", "null"}, 10));
    Add(fields, "Token", Pick({"", R"("upper")"}, 10));
    return absl::StrCat("{", absl::StrJoin(fields, ","), "}");
  }

  void AddPair(std::vector<std::string>& fields) {
    const std::string key(a_.key.Reveal());
    const std::vector<std::pair<std::string, std::string>> pairs = {
        {"", ""},
        {a_.certificate, key},
        {a_.certificate + authority_.certificate(), key},
        {a_.certificate, ""},
        {"", key},
        {b_.certificate, key},
        {key, a_.certificate},
        {"text", "text"},
        {authority_.certificate() + a_.certificate, key},
        {a_.certificate, "# comment\n" + key},
        {a_.certificate.substr(0, 100), key},
        {a_.certificate, key.substr(0, 100)},
    };
    const auto& [certificate, private_key] =
        pairs[dice_.Below(3) == 0 ? dice_.Below(pairs.size()) : 0];
    Add(fields, "clientCertificateData", certificate.empty() ? "" : Quote(certificate));
    Add(fields, "clientKeyData", private_key.empty() ? "" : Quote(private_key));
  }

  std::string Wrap(const std::string& json) {
    switch (dice_.Below(24)) {
      case 0:
        return " \n\t" + json;
      case 1:
        return json + " \n";
      case 2:
        return json + "}";
      case 3:
        return json + "\n" + json;
      case 4:
        return json.substr(0, dice_.Below(json.size()));
      case 5:
        return "---\n" + json;
      case 6:
        return "";
      default:
        return json;
    }
  }

  Dice dice_;
  const CertificateAuthority authority_;
  const Certificate a_;
  const Certificate b_;
};

// behaviour.md: EXEC-7
TEST(ExecTest, Credentials) {
  std::cout << "seed " << kSeed << "\n";
  const log::LogCapture log;  // of credentials that do not expire
  OutputMaker outputs(kSeed);
  GoCases cases("exec_oracle");
  int accepted = 0;
  const auto add = [&](const Question& q) {
    const std::string ours = OurCredentials(q);
    accepted += ours != GoCases::kError;
    cases.Add("credentials", ToJson(q), ours);
  };
  for (int i = 0; i < 200; ++i) {
    Question q{.api_version = i % 3 == 0 ? kV1beta1 : kV1};
    q.output = outputs.Next(q.api_version);
    add(q);
  }
  // YAML, which apimachinery's decoder takes too.
  const std::string yaml = absl::StrCat("apiVersion: ", kV1, "\nkind: ExecCredential\n");
  for (const char* status :
       {"status:\n  token: t\n", "status: {token: t}\n", "status:\n  token: 1\n", "status:\n",
        "status:\n  token: t\n  expirationTimestamp: 2040-01-02T03:04:05Z\n",
        "status:\n  token: t\n---\nkind: Pod\n", "status:\n\ttoken: t\n"}) {
    add({.output = yaml + status});
  }
  for (const char* version : {"client.authentication.k8s.io/v1alpha1", "v1", ""}) {
    add({.output = "{}", .api_version = version});
  }
  EXPECT_GT(accepted, 50);
  cases.Check();
}

// behaviour.md: EXEC-1
TEST(ExecTest, Info) {
  const CertificateAuthority authority = *CertificateAuthority::Make("ca");
  GoCases cases("exec_oracle");
  for (const char* version : {kV1, kV1beta1}) {
    const Question questions[] = {
        {},
        {.provide_cluster_info = true},
        {.provide_cluster_info = true, .server_name = "name"},
        {.provide_cluster_info = true, .insecure = true},
        {.provide_cluster_info = true, .ca = authority.certificate()},
        {.provide_cluster_info = true, .ca = "# text\n" + authority.certificate()},
        {.provide_cluster_info = true, .ca = "text"},
        {.provide_cluster_info = true, .ca = authority.certificate(), .insecure = true},
        {.provide_cluster_info = true, .host = "https://127.0.0.1:1/clusters/a?b=<c>&d"},
        {.provide_cluster_info = true, .proxy = "http://user:password@127.0.0.1:1"},
        {.provide_cluster_info = true, .disable_compression = true},
        {.provide_cluster_info = true, .extension = R"({"audience":"a","list":[1,true,null]})"},
        {.provide_cluster_info = true, .extension = R"({"kind":"K","apiVersion":"g/v1"})"},
        {.provide_cluster_info = true, .extension = "\"text\""},
        {.provide_cluster_info = false, .extension = R"({"audience":"a"})"},
    };
    for (Question q : questions) {
      q.api_version = version;
      cases.Add("info", ToJson(q), OurInfo(q));
    }
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::rest
