#include "apiserver/request_log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/internal/flag_pairs.h"

namespace kube::apiserver {

using unstructured::Value;

namespace {

absl::Status SetPart(absl::string_view key, absl::string_view value, RequestLogFilter& filter) {
  std::string* const text = key == "verb"        ? &filter.verb
                            : key == "resource"  ? &filter.resource
                            : key == "namespace" ? &filter.namespace_name
                            : key == "user"      ? &filter.user
                                                 : nullptr;
  if (text != nullptr) {
    if (value.empty()) return apiserver::internal::WrongPair(key, value, "a name");
    *text = std::string(value);
    return absl::OkStatus();
  }
  if (key == "code") {
    if (absl::SimpleAtoi(value, &filter.code) && filter.code >= 100 && filter.code <= 599) {
      return absl::OkStatus();
    }
    return apiserver::internal::WrongPair(key, value, "a status code from 100 to 599");
  }
  return apiserver::internal::WrongPair(key, value, "one of verb, resource, namespace, user, code");
}

bool Passes(absl::string_view wanted, absl::string_view is) {
  return wanted.empty() || wanted == is;
}

}  // namespace

absl::StatusOr<RequestLogFilter> ParseRequestLogFilter(absl::string_view text) {
  RequestLogFilter filter;
  KUBE_RETURN_IF_ERROR(apiserver::internal::ReadFlagPairs(
      text, [&filter](absl::string_view key, absl::string_view value) {
        return SetPart(key, value, filter);
      }));
  return filter;
}

std::string RequestLine(const LoggedRequest& request) {
  Map<Value> line;
  line["time"] = absl::FormatTime("%Y-%m-%d%ET%H:%M:%E6SZ", request.time, absl::UTCTimeZone());
  line["code"] = request.code;
  const std::pair<absl::string_view, absl::string_view> texts[] = {
      {"method", request.method},
      {"target", request.target},
      {"verb", request.verb},
      {"group", request.group},
      {"version", request.version},
      {"resource", request.resource},
      {"subresource", request.subresource},
      {"namespace", request.namespace_name},
      {"name", request.object_name.empty() ? request.name : request.object_name},
      {"user", request.user},
      {"userAgent", request.user_agent},
      {"contentType", request.content_type},
      {"accept", request.accept},
      {"decision", request.decision},
      {"reason", request.reason},
      {"fault", request.fault},
  };
  for (const auto& [key, text] : texts) {
    if (!text.empty()) line[key] = Value(text);
  }
  if (request.changed) line["changed"] = true;
  // Only numbers that are infinite cannot be written.
  const absl::StatusOr<std::string> json = unstructured::EncodeJson(Value(std::move(line)));
  return absl::StrCat(json.value(), "\n");
}

absl::StatusOr<std::shared_ptr<RequestLogFile>> RequestLogFile::Open(const std::string& path,
                                                                     RequestLogFilter filter) {
  int fd = STDERR_FILENO;
  if (path != "-") {
    // Only the user may read it: requests may name what is secret.
    fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("open request log \"", path, "\""));
  }
  return std::make_shared<RequestLogFile>(Key(), fd, std::move(filter));
}

RequestLogFile::RequestLogFile(Key, int fd, RequestLogFilter filter)
    : fd_(fd), filter_(std::move(filter)) {}

RequestLogFile::~RequestLogFile() {
  if (fd_ != STDERR_FILENO) close(fd_);
}

void RequestLogFile::Write(const LoggedRequest& request) const {
  if (!Passes(filter_.verb, request.verb) || !Passes(filter_.resource, request.resource) ||
      !Passes(filter_.namespace_name, request.namespace_name) ||
      !Passes(filter_.user, request.user) || (filter_.code != 0 && filter_.code != request.code)) {
    return;
  }
  const std::string line = RequestLine(request);
  while (write(fd_, line.data(), line.size()) < 0 && errno == EINTR) {
  }
}

}  // namespace kube::apiserver
