#include <llhttp.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using Kind = TransportErrorKind;

// Interim responses (1xx) that may come before the real one.
constexpr int kMaxInterim = 100;

// Said here, from what is sent.
bool IsFraming(absl::string_view name) {
  return name == "host" || name == "content-length" || name == "transfer-encoding" ||
         name == "expect" || name == "connection";
}

// Responses of HTTP/1 out of bytes: llhttp with our limits.
class Http1Session final : public Session {
 public:
  Http1Session(const SessionLimits& limits, PlainProxy proxy);

  void Start(Stream& stream) override;
  void Cancel(Stream& stream) override;
  void Resume(Stream&) override { behind_ = false; }
  void Receive(absl::string_view bytes) override;
  void EndOfInput() override;
  void Produce(std::string& out, size_t limit) override;

  int http_version() const override { return 1; }
  int limit() const override { return 1; }
  bool draining() const override { return draining_; }
  bool wants_input() const override { return !behind_; }
  const std::optional<StreamEnd>& failure() const override { return failure_; }

 private:
  template <int (Http1Session::*Method)(absl::string_view)>
  static int Data(llhttp_t* parser, const char* data, size_t size) {
    return (static_cast<Http1Session*>(parser->data)->*Method)(absl::string_view(data, size));
  }
  template <int (Http1Session::*Method)()>
  static int Event(llhttp_t* parser) {
    return (static_cast<Http1Session*>(parser->data)->*Method)();
  }
  static const llhttp_settings_t& Settings();

  int OnBegin();
  int OnField(absl::string_view part);
  int OnValue(absl::string_view part);
  int OnHeadersComplete();
  int OnBody(absl::string_view part);
  int OnComplete();

  int CountHeader(size_t bytes);
  // Adds field_ and value_ to the header. HPE_OK, or a failure.
  int EndHeader();
  int Fail(Kind kind, absl::string_view cause);
  bool request_sent() const { return head_sent_ && body_sent_ == body().size(); }
  absl::string_view body() const;

  const SessionLimits limits_;
  const PlainProxy proxy_;
  llhttp_t parser_;

  Stream* stream_ = nullptr;
  // Of the request: its header, until it is sent; and of the body so many bytes.
  std::string request_head_;
  bool head_sent_ = false;
  size_t body_sent_ = 0;
  // Of the response.
  ResponseHead head_;
  std::string field_;
  std::string value_;
  bool in_value_ = false;
  size_t header_bytes_ = 0;
  int interim_ = 0;
  bool responded_ = false;

  bool behind_ = false;
  bool draining_ = false;
  std::optional<StreamEnd> failure_;
};

Http1Session::Http1Session(const SessionLimits& limits, PlainProxy proxy)
    : limits_(limits), proxy_(std::move(proxy)) {
  llhttp_init(&parser_, HTTP_RESPONSE, &Settings());
  parser_.data = this;
}

const llhttp_settings_t& Http1Session::Settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_message_begin = Event<&Http1Session::OnBegin>;
    made.on_header_field = Data<&Http1Session::OnField>;
    made.on_header_value = Data<&Http1Session::OnValue>;
    made.on_headers_complete = Event<&Http1Session::OnHeadersComplete>;
    made.on_body = Data<&Http1Session::OnBody>;
    made.on_message_complete = Event<&Http1Session::OnComplete>;
    return made;
  }();
  return settings;
}

absl::string_view Http1Session::body() const {
  if (stream_ == nullptr || stream_->request().body == nullptr) return {};
  return *stream_->request().body;
}

// ---- The request

void Http1Session::Start(Stream& stream) {
  stream_ = &stream;
  head_sent_ = responded_ = behind_ = false;
  body_sent_ = 0;
  interim_ = 0;
  const HttpRequest& request = stream.request();
  const Endpoint& endpoint = stream.endpoint();
  const std::string target =
      proxy_.used ? absl::StrCat("http://", endpoint.authority, endpoint.target) : endpoint.target;
  request_head_ = absl::StrCat(request.method, " ", target, " HTTP/1.1\r\nhost: ",
                               request.headers.Get("host").value_or(endpoint.authority), "\r\n");
  for (const http::Header& header : request.headers) {
    if (!IsFraming(header.name)) {
      absl::StrAppend(&request_head_, header.name, ": ", header.value, "\r\n");
    }
  }
  if (!proxy_.authorization.empty()) {
    absl::StrAppend(&request_head_, "Proxy-Authorization: ", proxy_.authorization, "\r\n");
  }
  if (HasContentLength(request)) {
    absl::StrAppend(&request_head_, "content-length: ", body().size(), "\r\n");
  }
  request_head_ += "\r\n";
}

void Http1Session::Produce(std::string& out, size_t limit) {
  if (stream_ == nullptr || failure_.has_value()) return;
  if (!head_sent_) {
    out += request_head_;
    head_sent_ = true;
    stream_->OnSent();
  }
  if (out.size() >= limit) return;
  const absl::string_view piece = body().substr(body_sent_, limit - out.size());
  out.append(piece.data(), piece.size());
  body_sent_ += piece.size();
}

// The rest of its response would have to be read for nothing: the connection ends with it.
void Http1Session::Cancel(Stream&) {
  stream_ = nullptr;
  draining_ = true;
  if (!failure_.has_value()) failure_ = {.error = Kind::kEof, .cause = "given up"};
}

// ---- The response

void Http1Session::Receive(absl::string_view bytes) {
  if (failure_.has_value()) return;
  // Nor has anybody asked whose request is not sent yet: it may be the end of a connection that was
  // idle for too long (408).
  if (stream_ == nullptr || !head_sent_) {
    Fail(Kind::kProtocol, "the server answers what nobody has asked");
    return;
  }
  llhttp_errno_t error = HPE_OK;
  do {
    error = llhttp_execute(&parser_, bytes.data(), bytes.size());
    if (error == HPE_OK || failure_.has_value()) return;
    if (error != HPE_PAUSED) break;
    bytes.remove_prefix(static_cast<size_t>(llhttp_get_error_pos(&parser_) - bytes.data()));
    // A new one for each: after "connection: close" the parser takes nothing more, but with an
    // interim response that says nothing of the real one, as for Go.
    llhttp_init(&parser_, HTTP_RESPONSE, &Settings());
    parser_.data = this;
    // Nothing may follow the response: it would answer the next request.
    if (stream_ == nullptr) {
      if (!bytes.empty()) draining_ = true;
      return;
    }
  } while (!bytes.empty());
  if (error == HPE_PAUSED) return;
  const char* const reason = llhttp_get_error_reason(&parser_);
  Fail(Kind::kProtocol, absl::StrCat("no HTTP: ", reason == nullptr ? "malformed" : reason));
}

void Http1Session::EndOfInput() {
  if (failure_.has_value()) return;
  // The end of a response without a length is the end of the connection.
  if (stream_ != nullptr && responded_) llhttp_finish(&parser_);
  Fail(Kind::kEof, "the server has closed");
}

int Http1Session::Fail(Kind kind, absl::string_view cause) {
  draining_ = true;
  if (!failure_.has_value()) failure_ = {.error = kind, .cause = std::string(cause)};
  return HPE_USER;
}

int Http1Session::OnBegin() {
  head_ = {};
  header_bytes_ = 0;
  field_.clear();
  value_.clear();
  in_value_ = false;
  return HPE_OK;
}

int Http1Session::OnField(absl::string_view part) {
  if (in_value_ && EndHeader() != HPE_OK) return HPE_USER;
  absl::StrAppend(&field_, part);
  return CountHeader(part.size());
}

int Http1Session::OnValue(absl::string_view part) {
  in_value_ = true;
  absl::StrAppend(&value_, part);
  return CountHeader(part.size());
}

// In trailers, too: they are counted as part of the header, and forgotten.
int Http1Session::CountHeader(size_t bytes) {
  header_bytes_ += bytes;
  if (header_bytes_ <= limits_.max_header_bytes) return HPE_OK;
  return Fail(Kind::kProtocol, "the header is too large");
}

int Http1Session::EndHeader() {
  const absl::string_view value = absl::StripAsciiWhitespace(value_);
  if (!http::IsHeaderName(field_) || !http::IsHeaderValue(value)) {
    return Fail(Kind::kProtocol, "a header is malformed");
  }
  if (!responded_) head_.headers.Add(field_, value);
  field_.clear();
  value_.clear();
  in_value_ = false;
  return HPE_OK;
}

// Zero: a body may follow; one: none does, whatever the header says.
int Http1Session::OnHeadersComplete() {
  if ((in_value_ || !field_.empty()) && EndHeader() != HPE_OK) return HPE_USER;
  head_.status = parser_.status_code;
  if (parser_.http_major != 1) return Fail(Kind::kProtocol, "another version of HTTP");
  if (head_.status == 101) return Fail(Kind::kProtocol, "the server changes the protocol");
  if (head_.status < 100) return Fail(Kind::kProtocol, "there is no such status");
  if (head_.status < 200) {
    if (++interim_ > kMaxInterim) return Fail(Kind::kProtocol, "too many interim responses");
    return 1;  // the real one follows
  }
  responded_ = true;
  const bool no_body =
      stream_->request().method == "HEAD" || head_.status == 204 || head_.status == 304;
  stream_->OnHead(std::move(head_));
  return no_body ? 1 : 0;
}

int Http1Session::OnBody(absl::string_view part) {
  if (!stream_->OnData(part)) behind_ = true;
  return HPE_OK;
}

int Http1Session::OnComplete() {
  if (!responded_) return HPE_PAUSED;  // of 1xx
  // Trailers that came to nothing.
  field_.clear();
  value_.clear();
  in_value_ = false;
  if (llhttp_should_keep_alive(&parser_) == 0 || !request_sent()) draining_ = true;
  behind_ = false;
  std::exchange(stream_, nullptr)->OnEnd({});
  return HPE_PAUSED;
}

}  // namespace

std::unique_ptr<Session> MakeHttp1Session(const SessionLimits& limits, PlainProxy proxy) {
  return std::make_unique<Http1Session>(limits, std::move(proxy));
}

}  // namespace kube::httpclient::internal
