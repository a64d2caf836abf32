// URLs and paths: whatever comes in, nothing crashes, and what has a host is accepted again as it
// is written, with the same parts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/url/path.h"
#include "net/url/url.h"

namespace kube::url {
namespace {

void Paths(absl::string_view text) {
  const absl::StatusOr<std::string> plain = UnescapePath(EscapePath(text));
  KUBE_CHECK(plain.ok() && *plain == text) << text;
  const std::string clean = CleanPath(text);
  KUBE_CHECK(CleanPath(clean) == clean) << clean;
}

// Of URLs without a host, escaping anew may make another URL ("/%2F\x80" is written "//%80"), and
// zones take bytes beyond ASCII, but not as they are then written: Go has the same.
void CheckWritten(const Url& url, const absl::StatusOr<Url>& again) {
  const bool ascii = std::all_of(url.host.begin(), url.host.end(),
                                 [](unsigned char c) { return absl::ascii_isascii(c); });
  if (url.host.empty() || !ascii) return;
  KUBE_CHECK(again.ok() && *again == url) << url.ToString() << ": " << again.status();
}

void Urls(absl::string_view text) {
  const absl::StatusOr<Url> url = Parse(text);
  if (!url.ok()) return;
  CheckWritten(*url, Parse(url->ToString()));
  KUBE_CHECK(HostName(url->host).size() + Port(url->host).size() <= url->host.size());
}

void RequestUris(absl::string_view text) {
  const absl::StatusOr<Url> url = ParseRequestUri(text);
  if (url.ok()) CheckWritten(*url, ParseRequestUri(url->ToString()));
}

void References(absl::string_view text) {
  const size_t newline = text.find('\n');
  if (newline == absl::string_view::npos) return;
  const absl::StatusOr<Url> base = Parse(text.substr(0, newline));
  const absl::StatusOr<Url> reference = Parse(text.substr(newline + 1));
  if (!base.ok() || !reference.ok()) return;
  const Url resolved = Resolve(*base, *reference);
  KUBE_CHECK(resolved.scheme == (reference->scheme.empty() ? base : reference)->scheme);
}

}  // namespace
}  // namespace kube::url

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  kube::url::Paths(text);
  kube::url::Urls(text);
  kube::url::RequestUris(text);
  kube::url::References(text);
  return 0;
}
