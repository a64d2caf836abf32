// Compares with client-go's clientcmd for random kubeconfig files, environments and overrides: the
// same configurations, namespaces, messages and files. docs/kubeconfig.md lists the differences.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/text/go_text.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/differential/clientcmd_cases.h"
#include "clientset/clientcmd/differential/credential_cases.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_codec.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/modify_config.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/clientcmd/transform.h"
#include "clientset/clientcmd/validation.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::clientcmd {
namespace {

namespace fs = std::filesystem;
using oracle::ClientcmdCase;
using oracle::Dice;
using text::Quoted;

constexpr uint64_t kSeed = 20'261'121;

// ---- a case, as both sides see it

std::string InRoot(absl::string_view text, const std::string& root) {
  return absl::StrReplaceAll(text, {{"@ROOT@", root}});
}

void WriteFiles(const std::string& root, const oracle::Files& files) {
  for (const auto& [name, content] : files) {
    const fs::path path = fs::path(root) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << InRoot(content, root);
  }
}

Environment EnvironmentOf(ClientcmdCase c, const std::string& root) {
  return {
      .kubeconfig = InRoot(c.env["KUBECONFIG"], root),
      .home = InRoot(c.env["HOME"], root),
      .pod_namespace = c.env["POD_NAMESPACE"],
      .service_host = c.env["KUBERNETES_SERVICE_HOST"],
      .service_port = c.env["KUBERNETES_SERVICE_PORT"],
      .service_account_dir = c.in_cluster ? root + "/pod" : root + "/no-pod",
  };
}

LoadingRules RulesOf(const ClientcmdCase& c, const std::string& root) {
  LoadingRules rules = DefaultLoadingRules(EnvironmentOf(c, root));
  rules.explicit_path = InRoot(c.kubeconfig, root);
  return rules;
}

ConfigOverrides OverridesOf(const ClientcmdCase& c, const std::string& root) {
  ConfigOverrides overrides{.cluster_defaults = {.server = c.server_default}};
  const auto get = [&](const char* key) {
    const auto found = c.overrides.find(key);
    return found == c.overrides.end() ? "" : InRoot(found->second, root);
  };
  overrides.current_context = get("context");
  overrides.context = {
      .cluster = get("cluster"), .user = get("user"), .namespace_name = get("namespace")};
  overrides.cluster_info = {
      .server = get("server"),
      .tls_server_name = get("tls-server-name"),
      .insecure_skip_tls_verify = !get("insecure").empty(),
      .certificate_authority = get("ca"),
      .proxy_url = get("proxy-url"),
  };
  overrides.auth_info = {
      .client_certificate = get("cert"),
      .client_key = get("key"),
      .token = base::Secret(get("token")),
      .impersonate = get("as"),
      .username = get("username"),
      .password = base::Secret(get("password")),
  };
  if (!get("as-group").empty()) overrides.auth_info.impersonate_groups = {get("as-group")};
  overrides.timeout = get("timeout");
  return overrides;
}

// ---- descriptions, as the oracle's

std::string Describe(const absl::Status& status) {
  if (IsConfigurationInvalid(status) || absl::EndsWith(status.message(), "does not exist")) {
    return absl::StrCat("error: ", status.message());
  }
  return "error";
}

absl::string_view ModeName(rest::ExecInteractiveMode mode) {
  switch (mode) {
    case rest::ExecInteractiveMode::kUnset:
      return "";
    case rest::ExecInteractiveMode::kNever:
      return "Never";
    case rest::ExecInteractiveMode::kIfAvailable:
      return "IfAvailable";
    case rest::ExecInteractiveMode::kAlways:
      return "Always";
  }
  return "?";
}

std::string DescribeExec(const rest::ExecConfig& e) {
  std::vector<std::string> env;
  for (const auto& [name, value] : e.env) env.push_back(absl::StrCat(name, "=", value));
  return absl::StrCat("\nexec ", Quoted(e.command), " ", Quoted(absl::StrJoin(e.args, "|")), " ",
                      Quoted(absl::StrJoin(env, "|")), " ", Quoted(e.api_version), " ",
                      Quoted(e.install_hint), " ", e.provide_cluster_info ? "true" : "false", " ",
                      Quoted(e.cluster_config.view()), " ", Quoted(ModeName(e.interactive_mode)));
}

std::string DescribeConfig(const absl::StatusOr<rest::Config>& config) {
  if (!config.ok()) return Describe(config.status());
  const rest::Config& c = *config;
  std::vector<std::string> extra;
  for (const auto& [key, values] : c.impersonate.extra) {
    extra.push_back(absl::StrCat(key, "=", absl::StrJoin(values, "|")));
  }
  const rest::TlsClientConfig& t = c.tls;
  return absl::StrCat(
      "host ", Quoted(c.host), " user ", Quoted(c.username), " ", Quoted(c.password.Reveal()),
      " token ", Quoted(c.bearer_token.Reveal()), " ", Quoted(c.bearer_token_file), "\nas ",
      Quoted(c.impersonate.user_name), " ", Quoted(c.impersonate.uid), " ",
      Quoted(absl::StrJoin(c.impersonate.groups, "|")), " ", Quoted(absl::StrJoin(extra, ";")),
      absl::StrCat("\ntls ", t.insecure ? "true" : "false", " ", Quoted(t.server_name), " cert ",
                   Quoted(t.cert_file), " ", Quoted(t.cert_data), " key ", Quoted(t.key_file), " ",
                   Quoted(t.key_data.Reveal()), " ca ", Quoted(t.ca_file), " ", Quoted(t.ca_data)),
      absl::StrCat("\nproxy ", Quoted(c.proxy_url.value_or("none")), " compress ",
                   c.disable_compression ? "false" : "true", " timeout ",
                   absl::ToInt64Nanoseconds(c.timeout)),
      c.exec.has_value() ? DescribeExec(*c.exec) : "");
}

std::string SortedMessages(const absl::Status& status) {
  if (status.ok()) return "ok";
  absl::string_view text = status.message();
  absl::ConsumePrefix(&text, "invalid configuration: ");
  if (absl::ConsumePrefix(&text, "[")) text.remove_suffix(1);
  std::vector<absl::string_view> parts = absl::StrSplit(text, ", ");
  std::sort(parts.begin(), parts.end());
  return absl::StrJoin(parts, "\n");
}

// ---- our answers

std::string Resolve(const ClientcmdCase& c, const std::string& root) {
  LoadingRules rules = RulesOf(c, root);
  if (c.has_default) {
    rules.default_client_config = *LegacyDefaultClientConfig({});
  }
  const auto pod = []() -> absl::StatusOr<rest::Config> {
    rest::Config config{.host = "https://in-cluster",
                        .bearer_token = base::Secret("pod-token"),
                        .bearer_token_file = "/pod/token"};
    config.tls.ca_file = "/pod/ca.crt";
    return config;
  };
  DeferredLoadingClientConfig deferred(rules, OverridesOf(c, root),
                                       {.config = pod, .environment = EnvironmentOf(c, root)});
  const std::string config = DescribeConfig(deferred.ToRestConfig());
  const absl::StatusOr<ChosenNamespace> chosen = deferred.Namespace();
  if (!chosen.ok()) return absl::StrCat(config, "\nnamespace ", Describe(chosen.status()));
  return absl::StrCat(config, "\nnamespace ", Quoted(chosen->name), " ",
                      chosen->overridden ? "true" : "false");
}

std::string FromFlags(const ClientcmdCase& c, const std::string& root) {
  const ConfigOverrides overrides = OverridesOf(c, root);
  return DescribeConfig(LoadConfig({.kubeconfig = InRoot(c.kubeconfig, root),
                                    .master = overrides.cluster_info.server,
                                    .in_cluster = DefaultInCluster(EnvironmentOf(c, root))}));
}

std::string ValidateAll(const ClientcmdCase& c, const std::string& root) {
  const absl::StatusOr<Kubeconfig> config = Load(RulesOf(c, root));
  return config.ok() ? SortedMessages(Validate(*config)) : "error";
}

std::string Usable(const ClientcmdCase& c, const std::string& root) {
  const absl::StatusOr<Kubeconfig> config = Load(RulesOf(c, root));
  if (!config.ok()) return "error";
  return SortedMessages(ConfirmUsable(*config, OverridesOf(c, root).current_context));
}

std::string Merged(const ClientcmdCase& c, const std::string& root) {
  const absl::StatusOr<Kubeconfig> config = Load(RulesOf(c, root));
  if (!config.ok()) return "error";
  const absl::StatusOr<Kubeconfig> merged =
      DirectClientConfig(*config, "", OverridesOf(c, root)).MergedRawConfig();
  if (!merged.ok()) return Describe(merged.status());
  return EncodeKubeconfig(*merged).value_or("error");
}

std::string Transformed(const ClientcmdCase& c, const std::string& root,
                        absl::StatusOr<Kubeconfig> (*change)(Kubeconfig)) {
  LoadingRules rules = RulesOf(c, root);
  rules.resolve_paths = false;
  const absl::StatusOr<Kubeconfig> config = Load(rules);
  if (!config.ok()) return "error";
  const absl::StatusOr<Kubeconfig> changed = change(*config);
  return changed.ok() ? EncodeKubeconfig(*changed).value_or("error") : "error";
}

void Edit(Kubeconfig& config, const std::vector<std::string>& edits, const std::string& root) {
  for (const std::string& edit : edits) {
    const std::vector<std::string> f = absl::StrSplit(InRoot(edit, root), ' ');
    const std::string what = absl::StrCat(f[0], " ", f[1]);
    if (what == "set current") {
      config.current_context = f[2];
    } else if (what == "set colors") {
      config.preferences.colors = f[2] == "true";
    } else if (what == "set cluster") {
      config.clusters[f[2]].server = "https://edited";
      config.clusters[f[2]].certificate_authority = f[3];
    } else if (what == "set user") {
      config.users[f[2]].token = base::Secret("edited");
      config.users[f[2]].client_key = f[3];
    } else if (what == "set context") {
      config.contexts[f[2]].namespace_name = f[3];
    } else if (what == "delete cluster") {
      config.clusters.erase(f[2]);
    } else if (what == "delete user") {
      config.users.erase(f[2]);
    } else {
      config.contexts.erase(f[2]);
    }
  }
}

std::string ReadAll(const fs::path& path) {
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

std::string ListFiles(const std::string& root) {
  // In the order of filepath.Walk: by name within each folder.
  std::string out;
  const std::function<void(const fs::path&)> walk = [&](const fs::path& folder) {
    std::vector<fs::path> entries(fs::directory_iterator{folder}, fs::directory_iterator{});
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
      if (fs::is_directory(fs::symlink_status(entry))) {
        walk(entry);
      } else {
        const std::string link = fs::is_symlink(entry) ? fs::read_symlink(entry).string() : "";
        absl::StrAppend(&out, entry.string(), " ", link, "\n", ReadAll(entry));
      }
    }
  };
  walk(root);
  return out;
}

std::string Modify(const ClientcmdCase& c, const std::string& root) {
  LoadingRules rules = DefaultPathOptions(EnvironmentOf(c, root));
  rules.explicit_path = InRoot(c.kubeconfig, root);
  absl::StatusOr<Kubeconfig> config = StartingConfig(rules);
  if (!config.ok()) return "error";
  Edit(*config, c.edits, root);
  const absl::Status status =
      ModifyConfig(Context(), rules, *config,
                   {.relativize_paths = c.relativize, .lock_timeout = absl::ZeroDuration()});
  return absl::StrCat(status.ok() ? "ok" : "error", "\n", ListFiles(root));
}

std::string Addresses(const ClientcmdCase& c, const std::string&) {
  std::string out;
  for (const std::string& text : c.edits) {
    for (const bool both : {true, false}) {
      Kubeconfig config;
      config.clusters["c"] = {.server = text, .proxy_url = both ? text : ""};
      config.users["u"] = {.token = base::Secret("t")};
      config.contexts["x"] = {.cluster = "c", .user = "u"};
      config.current_context = "x";
      const absl::StatusOr<rest::Config> made = DirectClientConfig(config).ToRestConfig();
      absl::StrAppend(&out, Quoted(text), " ", made.ok() ? DescribeConfig(made) : "error", "\n");
    }
  }
  return out;
}

// Keeps the headers of a request, and sends nothing.
class Recorder final : public httpclient::Transport {
 public:
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context&,
                                                     httpclient::HttpRequest request) override {
    sent = std::move(request.headers);
    return absl::UnimplementedError("there is no network");
  }
  void CloseIdleConnections() override {}

  std::optional<http::Headers> sent = {};
};

// Describes the client that results from a case: whether one can be made, and with which
// credentials it sends requests. A credential that a header cannot contain is an error when the
// client is made; in client-go it is an error of each request. Neither sends it.
std::string ClientOf(const ClientcmdCase& c, const std::string& root) {
  absl::StatusOr<rest::Config> config =
      DeferredLoadingClientConfig(RulesOf(c, root), OverridesOf(c, root)).ToRestConfig();
  if (!config.ok()) return "no configuration";
  const auto recorder = std::make_shared<Recorder>();
  config->transport = recorder;
  const absl::StatusOr<rest::Client> client = rest::MakeClient(*config);
  if (!client.ok()) return "no client";
  // The plug-in is not run.
  if (config->exec.has_value()) return "client with a plug-in";
  (void)client->Do(Context(), {.absolute_path = "/version"});
  if (!recorder->sent.has_value()) return "no client";
  std::vector<std::string> lines;
  for (const http::Header& header : *recorder->sent) {
    if (header.name == "authorization" || absl::StartsWith(header.name, "impersonate-")) {
      lines.push_back(absl::StrCat(header.name, ": ", Quoted(header.value)));
    }
  }
  std::sort(lines.begin(), lines.end());
  return absl::StrCat("client\n", absl::StrJoin(lines, "\n"));
}

// ---- asking both

class ClientcmdDifferential : public testing::Test {
 protected:
  using Answer = std::string (*)(const ClientcmdCase&, const std::string&);

  void SetUp() override {
    absl::StatusOr<std::string> program = oracle::FindData("oracles", "clientcmd_oracle");
    if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
    ASSERT_TRUE(program.ok()) << program.status();
    program_ = *program;
    base_ = fs::path(testing::TempDir()) / "clientcmd" /
            testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(base_);
    fs::create_directories(base_);
    // Not below TEST_TMPDIR, which contains symbolic links: Go would see other paths.
    base_ = fs::canonical(base_);
  }
  void TearDown() override { fs::current_path(start_); }

  // Asks about a case with `files`. Each side has its own copy if the files are changed.
  void Ask(const char* function, const ClientcmdCase& c, const oracle::Files& files, Answer answer,
           bool own_files = false) {
    const std::string number = absl::StrCat(questions_.size());
    const std::string ours = (base_ / absl::StrCat(number, "c")).string();
    const std::string theirs = own_files ? (base_ / absl::StrCat(number, "g")).string() : ours;
    for (const std::string& root : {ours, theirs}) {
      WriteFiles(root, files);
      if (!own_files) break;
    }
    fs::current_path(ours);
    questions_.push_back({function, oracle::ToJson(c, theirs),
                          absl::StrReplaceAll(answer(c, ours), {{ours, "@ROOT@"}})});
  }

  void Check() {
    fs::current_path(start_);
    std::string input;
    for (const Question& q : questions_) {
      absl::StrAppend(&input, q.function, "\t", absl::BytesToHexString(q.text), "\n");
    }
    const absl::StatusOr<std::string> output = oracle::RunProgram(program_, {.input = input});
    ASSERT_TRUE(output.ok()) << output.status();
    const std::vector<absl::string_view> lines = absl::StrSplit(*output, '\n');
    ASSERT_EQ(lines.size(), questions_.size() + 1);
    int errors = 0;
    int different = 0;
    for (size_t i = 0; i < questions_.size(); ++i) {
      const std::string theirs = absl::HexStringToBytes(lines[i]);
      errors += absl::StartsWith(theirs, "error");
      if (theirs == questions_[i].ours) continue;
      if (++different > 3) continue;
      ADD_FAILURE() << questions_[i].function << " " << questions_[i].text << "\nGo:\n"
                    << theirs << "\nours:\n"
                    << questions_[i].ours;
    }
    EXPECT_EQ(different, 0) << "of " << questions_.size();
    std::cout << questions_.size() << " cases, " << errors << " errors\n";
  }

 private:
  struct Question {
    std::string function;
    std::string text;
    std::string ours;
  };
  std::string program_;
  fs::path base_;
  const fs::path start_ = fs::current_path();
  std::vector<Question> questions_;
};

// behaviour.md: KC-2, KC-4
TEST_F(ClientcmdDifferential, Resolve) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  for (int i = 0; i < 600; ++i) {
    oracle::Files files = oracle::RandomFiles(dice);
    files["pod/token"] = "t";
    Ask("resolve", oracle::RandomCase(dice), files, Resolve);
  }
  Check();
}

TEST_F(ClientcmdDifferential, Flags) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 1);
  for (int i = 0; i < 200; ++i) {
    Ask("flags", oracle::RandomCase(dice), oracle::RandomFiles(dice), FromFlags);
  }
  Check();
}

// behaviour.md: KC-9
TEST_F(ClientcmdDifferential, Validation) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 2);
  for (int i = 0; i < 150; ++i) {
    const ClientcmdCase c = oracle::RandomCase(dice);
    const oracle::Files files = oracle::RandomFiles(dice);
    Ask("validate", c, files, ValidateAll);
    Ask("usable", c, files, Usable);
    Ask("merged", c, files, Merged);
  }
  Check();
}

TEST_F(ClientcmdDifferential, Transformations) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 3);
  using Root = const std::string&;
  for (int i = 0; i < 80; ++i) {
    const ClientcmdCase c = oracle::RandomCase(dice);
    const oracle::Files files = oracle::RandomFiles(dice);
    Ask("write", c, files, [](const ClientcmdCase& q, Root root) {
      return Transformed(q, root, [](Kubeconfig k) { return absl::StatusOr<Kubeconfig>(k); });
    });
    Ask("flatten", c, files,
        [](const ClientcmdCase& q, Root root) { return Transformed(q, root, Flatten); });
    Ask("minify", c, files,
        [](const ClientcmdCase& q, Root root) { return Transformed(q, root, Minify); });
    Ask("shorten", c, files, [](const ClientcmdCase& q, Root root) {
      return Transformed(q, root,
                         [](Kubeconfig k) { return absl::StatusOr<Kubeconfig>(Shorten(k)); });
    });
    Ask("redact", c, files, [](const ClientcmdCase& q, Root root) {
      return Transformed(q, root,
                         [](Kubeconfig k) { return absl::StatusOr<Kubeconfig>(Redact(k)); });
    });
  }
  Check();
}

TEST_F(ClientcmdDifferential, Modify) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 4);
  for (int i = 0; i < 200; ++i) {
    ClientcmdCase c = oracle::RandomCase(dice);
    c.edits = oracle::RandomEdits(dice);
    c.relativize = dice.Below(2) == 0;
    Ask("modify", c, oracle::RandomFiles(dice), Modify, /*own_files=*/true);
  }
  Check();
}

// Compares requests, because comparing configurations would not show these differences.
TEST_F(ClientcmdDifferential, Clients) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 6);
  oracle::Files files = oracle::MakeCredentialFiles();
  for (int i = 0; i < 800; ++i) {
    files["one"] = oracle::RandomCredentials(dice);
    // If there is a plug-in, client-go checks nothing else before the first request.
    if (absl::StrContains(files["one"], "exec:")) continue;
    // client-go fails with each request; our client uses the token that is beside the file
    // (docs/rest.md).
    if (absl::StrContains(files["one"], "token/control") &&
        absl::StrContains(files["one"], "token:")) {
      continue;
    }
    ClientcmdCase c;
    c.kubeconfig = "@ROOT@/one";
    Ask("client", c, files, ClientOf);
  }
  Check();
}

TEST_F(ClientcmdDifferential, ClientsOfAnyConfiguration) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 7);
  for (int i = 0; i < 200; ++i) {
    ClientcmdCase c = oracle::RandomCase(dice);
    c.in_cluster = false;
    c.has_default = false;
    const oracle::Files files = oracle::RandomFiles(dice);
    // A proxy without a host is an error when our client is made, and with each request in
    // client-go.
    if (c.overrides.contains("proxy-url") && absl::StrContains(c.overrides["proxy-url"], ":///")) {
      continue;
    }
    Ask("client", c, files, ClientOf);
  }
  Check();
}

TEST_F(ClientcmdDifferential, Addresses) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 5);
  for (int i = 0; i < 50; ++i) {
    ClientcmdCase c;
    for (int j = 0; j < 50; ++j) c.edits.push_back(oracle::RandomAddress(dice));
    Ask("url", c, {{"x", ""}}, Addresses);
  }
  Check();
}

}  // namespace
}  // namespace kube::clientcmd
