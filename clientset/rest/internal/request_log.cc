#include "clientset/rest/internal/request_log.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "clientset/rest/internal/redaction.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {

namespace {

// "404 Not Found"
std::string StatusLine(int status) {
  const absl::string_view text = http::StatusText(status);
  return absl::StrCat(status, text.empty() ? "" : " ", text);
}

}  // namespace

void LogRequest(const Context& ctx, const httpclient::HttpRequest& request) {
  if (!log::V(7)) return;
  KUBE_VLOG_CTX(ctx, 7, "request", {"verb", request.method}, {"url", ShownUrl(request.url)},
                {"headers", ShownHeaders(request.headers)});
}

void LogResponse(const Context& ctx, absl::string_view method, absl::string_view url,
                 const absl::StatusOr<httpclient::HttpResponse>& response, absl::Duration took) {
  if (!log::V(6)) return;
  const int64_t milliseconds = absl::ToInt64Milliseconds(took);
  const std::string shown = ShownUrl(url);
  if (!response.ok()) {
    KUBE_VLOG_CTX(ctx, 6, "response", {"verb", method}, {"url", shown}, {"status", ""},
                  {"milliseconds", milliseconds}, {"err", response.status()});
    return;
  }
  const std::string status = StatusLine(response->status);
  if (!log::V(8)) {
    KUBE_VLOG_CTX(ctx, 6, "response", {"verb", method}, {"url", shown}, {"status", status},
                  {"milliseconds", milliseconds});
    return;
  }
  KUBE_VLOG_CTX(ctx, 8, "response", {"verb", method}, {"url", shown}, {"status", status},
                {"headers", ShownHeaders(response->headers)}, {"milliseconds", milliseconds});
}

void LogBody(const Context& ctx, absl::string_view what, absl::string_view body, bool is_secret) {
  if (!log::V(8)) return;
  const int verbosity = log::V(10) ? 10 : log::V(9) ? 9 : 8;
  const std::string shown =
      is_secret ? absl::StrCat("<", body.size(), " bytes>") : ShownBody(body, verbosity);
  KUBE_VLOG_CTX(ctx, 8, what, {"body", shown});
}

}  // namespace kube::rest::internal
