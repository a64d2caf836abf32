#include "clientset/clientcmd/differential/clientcmd_cases.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tests/dice.h"

namespace kube::oracle {
namespace {

template <size_t N>
std::string OneOf(Dice& dice, const char* const (&values)[N]) {
  return values[dice.Below(N)];
}

bool OneIn(Dice& dice, size_t n) { return dice.Below(n) == 0; }

// Returns `line` in one of `n` cases, and otherwise nothing.
void Maybe(Dice& dice, size_t n, std::string& out, absl::string_view line) {
  if (OneIn(dice, n)) absl::StrAppend(&out, "    ", line, "\n");
}

constexpr const char* kNames[] = {"a", "a", "a", "a", "b", "prod west"};
constexpr const char* kAddresses[] = {"https://10.0.0.1:6443",
                                      "https://10.0.0.1:6443",
                                      "https://10.0.0.1:6443",
                                      "https://10.0.0.1:6443",
                                      "https://10.0.0.1:6443",
                                      "https://Host/Path/a?x=1#f",
                                      "https://h/p?",
                                      "https://h//a%2Fb",
                                      "https://h/\xC3\xA9!",
                                      "http://localhost:8080",
                                      "http://h/sub",
                                      "10.0.0.1:6443",
                                      "localhost",
                                      "host/path",
                                      "HTTPS://h",
                                      "https://[::1]:1",
                                      "https://[fe80::1%25en0]:1/x",
                                      "https://[1.2.3.4]",
                                      "https://h:1:2",
                                      "https://u:p@h:1/x",
                                      "https:opaque",
                                      "https:///only/path",
                                      "socks5://p:1080",
                                      "http://proxy:3128",
                                      "http://proxy:3128",
                                      "socks5://a:1,b:2",
                                      "ftp://p",
                                      "://x",
                                      "*",
                                      "https://h/%zz",
                                      "https://h%20x/",
                                      "https://a b/",
                                      "http://p/x y",
                                      "https://h/a/../b",
                                      "/just/path?q",
                                      "https://h/#"};
constexpr const char* kPaths[] = {
    "@ROOT@/certs/a.pem", "@ROOT@/certs/a.pem", "certs/a.pem", "./certs/a.pem",
    "../certs/a.pem",     "@ROOT@/certs/a.pem", "missing.pem", "@ROOT@/kube/certs/a.pem"};

void AppendExtensions(Dice& dice, std::string& out) {
  if (!OneIn(dice, 4)) return;
  out += "    extensions:\n";
  if (OneIn(dice, 2))
    out += "    - {name: client.authentication.k8s.io/exec, extension: {b: 1, a: [x]}}\n";
  if (OneIn(dice, 2)) out += "    - {name: other, extension: null}\n";
  if (OneIn(dice, 12)) out += "    - {name: other, extension: text}\n";
}

void AppendCluster(Dice& dice, std::string& out) {
  absl::StrAppend(&out, "- name: ", OneOf(dice, kNames), "\n  cluster:\n");
  if (!OneIn(dice, 8)) absl::StrAppend(&out, "    server: '", OneOf(dice, kAddresses), "'\n");
  Maybe(dice, 4, out, "tls-server-name: tls.example");
  Maybe(dice, 5, out, "insecure-skip-tls-verify: true");
  Maybe(dice, 4, out, absl::StrCat("certificate-authority: '", OneOf(dice, kPaths), "'"));
  Maybe(dice, 4, out, "certificate-authority-data: Y2E=");
  Maybe(dice, 6, out, absl::StrCat("proxy-url: '", OneOf(dice, kAddresses), "'"));
  Maybe(dice, 5, out, "disable-compression: true");
  Maybe(dice, 9, out, "unknown-field: {a: 1}");
  AppendExtensions(dice, out);
}

void AppendExec(Dice& dice, std::string& out) {
  constexpr const char* kCommands[] = {"aws",         "aws",        "./bin/plug-in",
                                       "bin/plug-in", "/usr/bin/x", "''"};
  constexpr const char* kVersions[] = {"client.authentication.k8s.io/v1",
                                       "client.authentication.k8s.io/v1beta1", "other/v1", "''"};
  constexpr const char* kModes[] = {"Never", "Never", "IfAvailable", "Always", "Sometimes"};
  absl::StrAppend(&out, "    exec:\n      command: ", OneOf(dice, kCommands),
                  "\n      apiVersion: ", OneOf(dice, kVersions), "\n");
  if (OneIn(dice, 2)) out += "      args: [get-token, \"yes\", -v]\n";
  if (OneIn(dice, 2)) out += "      env: [{name: A, value: \"1\"}, {name: B, value: x}]\n";
  if (OneIn(dice, 9)) out += "      env: [{value: x}]\n";
  if (OneIn(dice, 2)) out += "      installHint: \"get it\\e[1m \\tnow \\u00a0\\u200b\"\n";
  if (OneIn(dice, 3)) out += "      provideClusterInfo: true\n";
  if (OneIn(dice, 2)) absl::StrAppend(&out, "      interactiveMode: ", OneOf(dice, kModes), "\n");
}

void AppendUser(Dice& dice, std::string& out) {
  absl::StrAppend(&out, "- name: ", OneOf(dice, kNames), "\n  user:\n    x: y\n");
  Maybe(dice, 3, out, "token: secret-token");
  Maybe(dice, 5, out, absl::StrCat("tokenFile: '", OneOf(dice, kPaths), "'"));
  Maybe(dice, 5, out, "username: me");
  Maybe(dice, 5, out, "password: \"p: ss\"");
  Maybe(dice, 5, out, absl::StrCat("client-certificate: '", OneOf(dice, kPaths), "'"));
  Maybe(dice, 5, out, "client-certificate-data: Y2VydA==");
  Maybe(dice, 5, out, absl::StrCat("client-key: '", OneOf(dice, kPaths), "'"));
  Maybe(dice, 5, out, "client-key-data: a2V5");
  Maybe(dice, 5, out, "as: somebody");
  Maybe(dice, 7, out, "as-uid: uid-1");
  Maybe(dice, 7, out, "as-groups: [g1, g2]");
  Maybe(dice, 7, out, "as-user-extra: {scopes: [a, b], Other: []}");
  Maybe(dice, 14, out, "auth-provider: {name: gcp, config: {access-token: x}}");
  if (OneIn(dice, 4)) AppendExec(dice, out);
  AppendExtensions(dice, out);
}

void AppendContext(Dice& dice, std::string& out) {
  constexpr const char* kNamespaces[] = {"web", "default", "Not_A_Label", "''"};
  absl::StrAppend(&out, "- name: ", OneOf(dice, kNames), "\n  context:\n    x: y\n");
  if (!OneIn(dice, 9)) absl::StrAppend(&out, "    cluster: ", OneOf(dice, kNames), "\n");
  if (!OneIn(dice, 9)) absl::StrAppend(&out, "    user: ", OneOf(dice, kNames), "\n");
  if (OneIn(dice, 2)) absl::StrAppend(&out, "    namespace: ", OneOf(dice, kNamespaces), "\n");
  AppendExtensions(dice, out);
}

std::string Malformed(Dice& dice) {
  constexpr const char* kTexts[] = {
      "",
      "\n",
      "# nothing\n",
      "---\n",
      "null",
      "{}",
      "[]",
      "text",
      "kind: Pod\n",
      "apiVersion: v2\nkind: Config\n",
      "apiVersion: example.com/v1\n",
      "kind: Config\n",
      "clusters: 7\n",
      "clusters: [7]\n",
      "clusters: null\nusers: []\n",
      "clusters: [{name: a, cluster: {server: [x]}}]\n",
      "clusters: [{name: a, cluster: {certificate-authority-data: '%%'}}]\n",
      "clusters: [{name: a}, {name: a}]\n",
      "contexts: [{name: a}, {name: a}]\n",
      "users: [{name: a, user: {token: 5}}]\n",
      "{\"current-context\": \"a\"\n",
      R"({"current-context": "a", "clusters": [{"name": "a", "cluster": {"server": "https://j"}}]})",
      "current-context: a\n---\ncurrent-context: b\n",
      "current-context: a\ncurrent-context: b\n",
      "a: [\n",
      "\tx: 1\n",
      "Current-Context: a\n",
      "clusters:\n- name: a\n  cluster: &x {server: https://x}\n- name: b\n  cluster: *x\n",
  };
  return OneOf(dice, kTexts);
}

std::string Json(absl::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// A valid file, unless another file removes a part of it.
std::string Plain(Dice& dice) {
  std::string out =
      "current-context: a\ncontexts:\n- name: a\n  context:\n    cluster: a\n    user: a\n";
  Maybe(dice, 2, out, "namespace: web");
  absl::StrAppend(&out, "clusters:\n- name: a\n  cluster:\n    server: '", OneOf(dice, kAddresses),
                  "'\n");
  Maybe(dice, 3, out, "tls-server-name: tls.example");
  Maybe(dice, 3, out,
        OneIn(dice, 2) ? "certificate-authority-data: Y2E="
                       : "certificate-authority: '@ROOT@/certs/a.pem'");
  Maybe(dice, 3, out, "proxy-url: 'socks5://user:p%40ss@proxy:1080'");
  Maybe(dice, 3, out, "disable-compression: true");
  AppendExtensions(dice, out);
  out += "users:\n- name: a\n  user:\n    x: y\n";
  Maybe(dice, 2, out, OneIn(dice, 2) ? "token: secret-token" : "password: p");
  Maybe(dice, 4, out, "tokenFile: '@ROOT@/certs/a.pem'");
  Maybe(dice, 3, out, "client-certificate-data: Y2VydA==\n    client-key-data: a2V5");
  Maybe(dice, 3, out, "as: somebody\n    as-groups: [g]\n    as-user-extra: {s: [x, y]}");
  if (OneIn(dice, 3)) AppendExec(dice, out);
  return out;
}

}  // namespace

std::string ToJson(const ClientcmdCase& c, const std::string& root) {
  const auto map = [](const std::map<std::string, std::string>& values) {
    std::string out;
    for (const auto& [key, value] : values) {
      absl::StrAppend(&out, out.empty() ? "" : ",", Json(key), ":", Json(value));
    }
    return absl::StrCat("{", out, "}");
  };
  std::string edits;
  for (const std::string& edit : c.edits) {
    absl::StrAppend(&edits, edits.empty() ? "" : ",", Json(edit));
  }
  const auto boolean = [](bool value) { return value ? "true" : "false"; };
  return absl::StrCat("{\"Root\":", Json(root), ",\"Env\":", map(c.env),
                      ",\"Kubeconfig\":", Json(c.kubeconfig),
                      ",\"Default\":", boolean(c.has_default),
                      ",\"InCluster\":", boolean(c.in_cluster), ",\"Overrides\":", map(c.overrides),
                      ",\"Edits\":[", edits, "],\"Relativize\":", boolean(c.relativize),
                      ",\"ServerDefault\":", Json(c.server_default), "}");
}

std::string RandomKubeconfig(Dice& dice) {
  if (OneIn(dice, 14)) return Malformed(dice);
  if (OneIn(dice, 2)) return Plain(dice);
  std::string out = OneIn(dice, 2) ? "apiVersion: v1\nkind: Config\n" : "# mine\n";
  if (!OneIn(dice, 4)) absl::StrAppend(&out, "current-context: ", OneOf(dice, kNames), "\n");
  if (OneIn(dice, 6)) out += "preferences: {colors: true, extensions: [{name: p, extension: 1}]}\n";
  if (OneIn(dice, 6)) out += "extensions: [{name: top, extension: {z: 1.5}}]\n";
  // A duplicate name is an error; keep it rare.
  const auto list = [&](absl::string_view name, void (*append)(Dice&, std::string&)) {
    const size_t count = OneIn(dice, 8) ? 2 : dice.Below(5) == 0 ? 0 : 1;
    if (count != 0) absl::StrAppend(&out, name, ":\n");
    for (size_t i = 0; i < count; ++i) append(dice, out);
  };
  list("clusters", AppendCluster);
  list("users", AppendUser);
  list("contexts", AppendContext);
  return out;
}

Files RandomFiles(Dice& dice) {
  Files files = {{"certs/a.pem", "PEM\n"}, {"kube/certs/a.pem", "PEM 2\n"}};
  for (const char* name : {"one", "kube/two", "kube/deep/three", "home/.kube/config"}) {
    if (!OneIn(dice, 4)) files[name] = RandomKubeconfig(dice);
  }
  return files;
}

ClientcmdCase RandomCase(Dice& dice) {
  constexpr const char* kLists[] = {"",
                                    "@ROOT@/one",
                                    "@ROOT@/one:@ROOT@/kube/two",
                                    "@ROOT@/kube/two:@ROOT@/one:@ROOT@/kube/two",
                                    "one:kube/two:kube/deep/three",
                                    "@ROOT@/kube/deep/three:@ROOT@/none:@ROOT@/one",
                                    ":@ROOT@/one::",
                                    "@ROOT@/none",
                                    "@ROOT@/kube"};
  ClientcmdCase c;
  c.env["KUBECONFIG"] = OneOf(dice, kLists);
  if (!OneIn(dice, 5)) c.env["HOME"] = "@ROOT@/home";
  if (OneIn(dice, 3)) {
    c.env["KUBERNETES_SERVICE_HOST"] = "10.0.0.1";
    if (!OneIn(dice, 4)) c.env["KUBERNETES_SERVICE_PORT"] = "443";
    c.in_cluster = !OneIn(dice, 3);
    if (OneIn(dice, 2)) c.env["POD_NAMESPACE"] = "pod-ns";
  }
  constexpr const char* kExplicit[] = {"@ROOT@/one", "kube/two", "@ROOT@/none", "@ROOT@/kube"};
  if (OneIn(dice, 5)) c.kubeconfig = OneOf(dice, kExplicit);
  if (OneIn(dice, 3)) c.server_default = "http://localhost:8080";
  c.has_default = !c.server_default.empty() && OneIn(dice, 2);
  constexpr const char* kTimeouts[] = {"0", "7", "5", "1m30s", "-3s", "-3", "x", "1.5h", "+4"};
  const auto override_with = [&](size_t n, const char* key, std::string value) {
    if (OneIn(dice, n)) c.overrides[key] = std::move(value);
  };
  override_with(12, "context", OneOf(dice, kNames));
  override_with(9, "cluster", OneOf(dice, kNames));
  override_with(9, "user", OneOf(dice, kNames));
  override_with(9, "namespace", "over-ns");
  override_with(7, "server", OneOf(dice, kAddresses));
  override_with(12, "tls-server-name", "over.tls");
  override_with(12, "insecure", "true");
  override_with(12, "ca", OneOf(dice, kPaths));
  override_with(12, "proxy-url", OneOf(dice, kAddresses));
  override_with(12, "cert", OneOf(dice, kPaths));
  override_with(12, "key", OneOf(dice, kPaths));
  override_with(9, "token", "over-token");
  override_with(16, "username", "over-user");
  override_with(16, "password", "over-password");
  override_with(12, "as", "over-as");
  override_with(16, "as-group", "over-group");
  override_with(9, "timeout", OneOf(dice, kTimeouts));
  return c;
}

std::vector<std::string> RandomEdits(Dice& dice) {
  constexpr const char* kPlain[] = {"a", "b", "c", "new"};
  constexpr const char* kEdited[] = {"@ROOT@/kube/certs/a.pem", "certs/a.pem", "@ROOT@/x.pem",
                                     "kube/../y.pem"};
  std::vector<std::string> edits;
  for (size_t i = dice.Below(4); i > 0; --i) {
    const std::string name = OneOf(dice, kPlain);
    switch (dice.Below(8)) {
      case 0:
        edits.push_back(absl::StrCat("set current ", OneIn(dice, 3) ? "" : name));
        break;
      case 1:
        edits.push_back(absl::StrCat("set colors ", OneIn(dice, 2) ? "true" : "false"));
        break;
      case 2:
        edits.push_back(absl::StrCat("set cluster ", name, " ", OneOf(dice, kEdited)));
        break;
      case 3:
        edits.push_back(absl::StrCat("set user ", name, " ", OneOf(dice, kEdited)));
        break;
      case 4:
        edits.push_back(absl::StrCat("set context ", name, " ns-edited"));
        break;
      case 5:
        edits.push_back(absl::StrCat("delete cluster ", name));
        break;
      case 6:
        edits.push_back(absl::StrCat("delete user ", name));
        break;
      default:
        edits.push_back(absl::StrCat("delete context ", name));
    }
  }
  return edits;
}

std::string RandomAddress(Dice& dice) {
  constexpr const char* kPieces[] = {"http",  "https", "socks5", "://", ":",   "//",  "/",    "h",
                                     "1.2.3", "[::1]", "[",      "]",   ":80", "@",   "u:p@", "?",
                                     "#",     "%20",   "%zz",    "%2f", " ",   "a b", "..",   "*",
                                     "é",     "<",     "!",      "$&'", ",",   ";",   "^",    "|"};
  if (OneIn(dice, 3)) return OneOf(dice, kAddresses);
  std::string address = OneIn(dice, 3) ? "" : "https://h";
  for (size_t i = dice.Below(6); i > 0; --i) address += OneOf(dice, kPieces);
  return address;
}

}  // namespace kube::oracle
