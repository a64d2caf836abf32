// What Go's net/url and path packages make of the same URLs and paths: usual ones, broken ones and
// hostile ones.

#include "net/url/url.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "net/url/path.h"
#include "tests/oracle/go_cases.h"

namespace kube::url {
namespace {

using oracle::GoCases;
using oracle::Hex;
using oracle::TextMaker;

constexpr uint64_t kSeed = 20'261'121;

std::string Bool(bool value) { return value ? "true" : "false"; }

std::string Describe(const absl::StatusOr<Url>& url) {
  if (!url.ok()) return GoCases::kError;
  const std::string user = url->user.has_value() ? absl::StrCat("<", *url->user, ">") : "none";
  return absl::StrCat("scheme=", url->scheme, " opaque=", url->opaque, " user=", user,
                      " host=", Hex(url->host), " omits=", Bool(url->omits_host),
                      " path=", url->path, " forces=", Bool(url->forces_query),
                      " query=", url->query, " fragment=", url->fragment, " text=", url->ToString(),
                      " name=", Hex(HostName(url->host)), " port=", Port(url->host));
}

TextMaker Urls(uint64_t seed) {
  return TextMaker(seed,
                   {"",
                    "*",
                    "localhost",
                    "localhost:8080",
                    "10.0.0.1:6443",
                    "https://10.0.0.1:6443",
                    "HTTPS://User:pass%40word@Host.Example.org:443/a%2fb/c%20d/?x=1&y=%zz#f%20g",
                    "http://proxy/clusters/a",
                    "socks5://u:p@[fe80::1%25eth%200]:1080",
                    "https://[::ffff:1.2.3.4]:80/",
                    "https://[::1]",
                    "https://[1:2:3:4:5:6:7::]/x?",
                    "postgres://a:1,b:2/db",
                    "mailto:a@b.org?subject=x",
                    "file:///a//b",
                    "file:/a",
                    "//host/x",
                    "///x",
                    "/a/../b/./c//",
                    "?q#f",
                    "a:b/c",
                    "./a:b",
                    "https://host/!$&'()*+,;=:@[]",
                    "https://h%C3%A9/%c3%a9",
                    "https://u@v@h/x@y",
                    "https://host/a b|c"},
                   {"http", "https", "://", "//",    "/",   ":",  "@",    "?",   "#",   "%",
                    "%25",  "%20",   "%2f", "%zz",   "%C3", "[",  "]",    "::1", "%41", ":80",
                    "..",   ".",     "a",   "1.2.3", "é",   "<",  "\"",   "!",   "$&'", "*",
                    ";",    ",",     " ",   "\x7f",  "\\",  "^|", "\xff", "0",   "+",   "~"});
}

void CheckUrls(const char* function, uint64_t seed,
               absl::StatusOr<Url> (*parse)(absl::string_view)) {
  SCOPED_TRACE(seed);
  GoCases cases("url_oracle");
  for (const std::string& text : Urls(seed).Make(20'000)) {
    cases.Add(function, text, Describe(parse(text)));
  }
  cases.Check();
}

TEST(UrlDifferentialTest, Parse) { CheckUrls("parse", kSeed, Parse); }

TEST(UrlDifferentialTest, ParseRequestUri) { CheckUrls("request", kSeed + 1, ParseRequestUri); }

TEST(UrlDifferentialTest, Resolve) {
  SCOPED_TRACE(kSeed + 2);
  GoCases cases("url_oracle");
  TextMaker references(kSeed + 2,
                       {"", "a", "/a/b/", "../..", "./a/../b/.", "?q", "#f", "//h/../x", "?",
                        "https://h/a/../b", "a//..//b", "/..//a", "mailto:x", "*", "/%2e%2e/a b"},
                       {"/", "..", ".", "a", "//", "?", "#", "%2f", ":", "é", " ", "b", "http:"});
  const std::vector<std::string> bases = {"https://u@h:1/a/b/c?q#f",
                                          "https://h",
                                          "https://h/a%2fb/c",
                                          "/a/b",
                                          "a/b",
                                          "",
                                          "mailto:x?y#z",
                                          "file:/a/b/",
                                          "//h/a/b",
                                          "?q",
                                          "http:////x/y/"};
  for (const std::string& reference : references.Make(2000)) {
    for (const std::string& base : bases) {
      const absl::StatusOr<Url> parsed = Parse(reference);
      cases.Add("resolve", absl::StrCat(base, "\n", reference),
                parsed.ok() ? Describe(Resolve(Parse(base).value(), *parsed)) : GoCases::kError);
    }
  }
  cases.Check();
}

TEST(UrlDifferentialTest, HostsAndPorts) {
  SCOPED_TRACE(kSeed + 3);
  GoCases cases("url_oracle");
  TextMaker hosts(kSeed + 3,
                  {"", "h", "h:80", "[::1]", "[::1]:80", "a:1,b:2", "h:", "[fe80::1%e]:8"},
                  {"[", "]", ":", "1", "h", "::1", ":80", "%", "x"});
  for (const std::string& host : hosts.Make(3000)) {
    cases.Add("host", host, absl::StrCat(Hex(HostName(host)), " ", Hex(Port(host))));
  }
  cases.Check();
}

TEST(UrlDifferentialTest, Paths) {
  SCOPED_TRACE(kSeed + 4);
  GoCases cases("url_oracle");
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes.push_back(static_cast<char>(byte));
  TextMaker paths(
      kSeed + 4,
      {"", "*", "/", "/api/v1/pods", "/a/../b/./c//", "/a%20b%2F", "/..", "../a", "...", all_bytes},
      {"/", "//", ".", "..", "a", "%", "%2", "%41", "%2f", "é", " ", "?", "#", "*"});
  for (const std::string& path : paths.Make(10'000)) {
    const absl::StatusOr<std::string> plain = UnescapePath(path);
    cases.Add("unescape", path, plain.ok() ? Hex(*plain) : GoCases::kError);
    cases.Add("escape", path, EscapePath(path));
    cases.Add("clean", path, Hex(CleanPath(path)));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::url
