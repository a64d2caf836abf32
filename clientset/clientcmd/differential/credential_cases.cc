#include "clientset/clientcmd/differential/credential_cases.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/differential/clientcmd_cases.h"
#include "net/certificates/certificate_authority.h"
#include "tests/dice.h"

namespace kube::oracle {
namespace {

template <size_t N>
const char* OneOf(Dice& dice, const char* const (&values)[N]) {
  return values[dice.Below(N)];
}

// `key: VALUE` in one of `n` cases.
template <size_t N>
void Maybe(Dice& dice, size_t n, std::string& out, absl::string_view key,
           const char* const (&values)[N]) {
  if (dice.Below(n) == 0) absl::StrAppend(&out, "    ", key, ": ", OneOf(dice, values), "\n");
}

// As YAML writes them.
constexpr const char* kTokens[] = {"secret", "secret",   R"("s\n")",  R"("a\nb")",  R"("\u00a0t ")",
                                   R"("")",  R"(" t ")", R"("t\t")",  R"("t\x01")", R"("t\x7f")",
                                   "tö",     R"("\0")",  R"("t\r\n")"};
constexpr const char* kTokenFiles[] = {"@ROOT@/token/plain",
                                       "@ROOT@/token/newline",
                                       "@ROOT@/token/windows",
                                       "@ROOT@/token/spaces",
                                       "@ROOT@/token/two-lines",
                                       "@ROOT@/token/empty",
                                       "@ROOT@/token/blank",
                                       "@ROOT@/token/wide-space",
                                       "@ROOT@/token/only-wide-space",
                                       "@ROOT@/token/control",
                                       "@ROOT@/token/zero",
                                       "@ROOT@/token/byte-order-mark",
                                       "@ROOT@/token/none",
                                       "@ROOT@/token",
                                       "token/newline",
                                       "token/none",
                                       R"("@ROOT@/token/plain\0x")",
                                       R"("@ROOT@/token/plain\n")"};
constexpr const char* kNames[] = {"me", "me", R"("me\n")", "ö", R"("a:b")", R"(" me ")", R"("")"};
constexpr const char* kPasswords[] = {"pass", R"("p: ss")", R"("p\n")", R"("")"};
constexpr const char* kGroups[] = {"[g, h]", R"(["g\n"])", R"([""])", "[]", R"([" g "])"};
constexpr const char* kExtra[] = {"{scopes: [a, b]}", "{Other: [c]}", "{a/b: [c], 'x y': [d]}",
                                  R"({k: ["v\n"]})",  R"({k: [""]})", R"({"": [v]})",
                                  "{k: []}"};
constexpr const char* kCertificates[] = {"@ROOT@/pki/a.crt",   "@ROOT@/pki/a.crt",
                                         "@ROOT@/pki/b.crt",   "@ROOT@/pki/none",
                                         "@ROOT@/token/plain", R"("@ROOT@/pki/a.crt\0x")"};
constexpr const char* kKeys[] = {"@ROOT@/pki/a.key", "@ROOT@/pki/a.key", "@ROOT@/pki/b.key",
                                 "@ROOT@/pki/none", "@ROOT@/token/empty"};
constexpr const char* kAuthorities[] = {"@ROOT@/pki/ca.crt", "@ROOT@/pki/ca.crt", "@ROOT@/pki/none",
                                        "@ROOT@/token/plain", R"("@ROOT@/pki/ca.crt\0x")"};
constexpr const char* kServerNames[] = {"tls.example", R"("a\nb")", "a/b", R"("")", "'*'"};
constexpr const char* kTrue[] = {"true"};
constexpr const char* kBadData[] = {"Y2E=", "''"};

}  // namespace

Files MakeCredentialFiles() {
  Files files = {{"token/plain", "plain"},
                 {"token/newline", "newline\n"},
                 {"token/windows", "windows\r\n"},
                 {"token/spaces", " \t spaces \n\n"},
                 {"token/two-lines", "two\nlines\n"},
                 {"token/empty", ""},
                 {"token/blank", " \n"},
                 {"token/wide-space", "\xC2\xA0wide\xE3\x80\x80\n"},
                 {"token/only-wide-space", "\xC2\xA0\n"},
                 {"token/control", "a\x01z\n"},
                 {"token/zero", std::string("a\0z", 3)},
                 {"token/byte-order-mark", "\xEF\xBB\xBFmark"}};
  const auto authority = *certificates::CertificateAuthority::Make("ca");
  files["pki/ca.crt"] = authority.certificate();
  for (const char* name : {"a", "b"}) {
    const auto certificate = *authority.Issue({.common_name = name});
    files[absl::StrCat("pki/", name, ".crt")] = certificate.certificate;
    files[absl::StrCat("pki/", name, ".key")] = std::string(certificate.key.Reveal());
  }
  return files;
}

std::string RandomCredentials(Dice& dice) {
  std::string out =
      "current-context: a\ncontexts: [{name: a, context: {cluster: a, user: a}}]\n"
      "clusters:\n- name: a\n  cluster:\n    server: https://10.0.0.1:6443/base\n";
  Maybe(dice, 3, out, "certificate-authority", kAuthorities);
  Maybe(dice, 20, out, "certificate-authority-data", kBadData);
  Maybe(dice, 4, out, "tls-server-name", kServerNames);
  Maybe(dice, 12, out, "insecure-skip-tls-verify", kTrue);
  absl::StrAppend(&out, "users:\n- name: a\n  user:\n    x: y\n");
  Maybe(dice, 3, out, "token", kTokens);
  Maybe(dice, 2, out, "tokenFile", kTokenFiles);
  Maybe(dice, 5, out, "username", kNames);
  Maybe(dice, 5, out, "password", kPasswords);
  if (dice.Below(3) == 0) {
    Maybe(dice, 1, out, "client-certificate", kCertificates);
    Maybe(dice, 1, out, "client-key", kKeys);
  }
  Maybe(dice, 30, out, "client-certificate-data", kBadData);
  Maybe(dice, 4, out, "as", kNames);
  Maybe(dice, 8, out, "as-uid", kNames);
  Maybe(dice, 6, out, "as-groups", kGroups);
  Maybe(dice, 6, out, "as-user-extra", kExtra);
  if (dice.Below(10) == 0) {
    out += "    exec: {command: none, apiVersion: client.authentication.k8s.io/v1,";
    out += " interactiveMode: Never}\n";
  }
  return out;
}

}  // namespace kube::oracle
