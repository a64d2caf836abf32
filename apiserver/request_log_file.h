#ifndef APISERVER_REQUEST_LOG_FILE_H_
#define APISERVER_REQUEST_LOG_FILE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"

namespace kube::apiserver {

// Which requests a RequestLogFile writes. An empty field matches everything.
struct RequestLogFilter {
  std::string verb = {};
  std::string resource = {};
  std::string namespace_name = {};
  std::string user = {};
  // A status code, or zero.
  int code = 0;
};

// Reads a filter from the command line, such as "verb=create,resource=pods". The keys are verb,
// resource, namespace, user and code. Returns INVALID_ARGUMENT with the pair that is wrong and what
// is allowed.
absl::StatusOr<RequestLogFilter> ParseRequestLogFilter(absl::string_view text);

// Returns the request as a JSON object in a line, with the line feed. Fields without a value are
// left out. The target has the query as the client sent it.
std::string RequestLine(const LoggedRequest& request);

// Writes requests to a file, a line for each, for HandlerOptions::on_request. Thread-safe.
class RequestLogFile {
 private:
  // Makes the constructor usable by Open only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Opens the file, to which lines are appended; "-" is standard error. Returns the error of
  // open(2) with the path.
  static absl::StatusOr<std::shared_ptr<RequestLogFile>> Open(const std::string& path,
                                                              RequestLogFilter filter = {});

  RequestLogFile(Key, int fd, RequestLogFilter filter);
  RequestLogFile(const RequestLogFile&) = delete;
  RequestLogFile& operator=(const RequestLogFile&) = delete;
  ~RequestLogFile();

  // Writes the request if the filter lets it pass, in one write, so that lines of several threads
  // do not mix. A line that cannot be written, for example because the disk is full, is lost.
  void Write(const LoggedRequest& request) const;

 private:
  const int fd_;
  const RequestLogFilter filter_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_REQUEST_LOG_FILE_H_
