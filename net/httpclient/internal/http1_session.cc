#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/http/http1_reader.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// A session has at most one stream at a time. Start formats its header, Produce sends header and
// body, and the reader (llhttp) delivers the response through OnHead, OnBody and OnEnd. After OnEnd
// the next stream may start, unless the session is draining: because the server does not keep the
// connection open, the request was not sent completely, or bytes followed the response. A failure,
// or the cancellation of a stream, ends the connection, since HTTP/1.1 cannot skip the rest of a
// response. The session wants no input while the reader of the body is behind.
//
// A request with `upgrade` makes the session draining at once. If its response is 101, HTTP has
// ended (`switched_`): all further bytes belong to the stream, in both directions, until one side
// closes the connection.

namespace {

using Kind = TransportErrorKind;
using Reader = http::Http1Reader;

// Maximum number of interim responses (1xx) before the final one.
constexpr int kMaxInterim = 100;

// Returns whether the session itself writes this header, or leaves it out.
bool IsFraming(absl::string_view name, bool upgrade) {
  return name == "host" || name == "content-length" || name == "transfer-encoding" ||
         name == "expect" || (name == "connection" && !upgrade);
}

// Sends requests one after the other.
class Http1Session final : public Session, private Reader::Events {
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
  void OnBegin() override {}
  Reader::Body OnHead(Reader::Head head) override;
  bool OnBody(absl::string_view piece) override;
  void OnEnd() override;

  void Fail(Kind kind, absl::string_view cause);
  Reader::Body Refuse(absl::string_view cause);
  Reader::Body Switch(Reader::Head head);
  void ReceiveSwitched(absl::string_view bytes);
  bool request_sent() const { return head_sent_ && body_sent_ == body().size(); }
  absl::string_view body() const;

  const PlainProxy proxy_;
  Reader reader_;

  Stream* stream_ = nullptr;
  // The header of the request, and how much of header and body has been sent.
  std::string request_head_;
  bool head_sent_ = false;
  size_t body_sent_ = 0;
  // State of the response.
  int interim_ = 0;
  bool responded_ = false;
  bool switched_ = false;  // to another protocol
  bool ended_ = false;     // in the current call of Receive

  bool behind_ = false;
  bool draining_ = false;
  std::optional<StreamEnd> failure_;
};

Http1Session::Http1Session(const SessionLimits& limits, PlainProxy proxy)
    : proxy_(std::move(proxy)), reader_(Reader::Kind::kResponses, limits.max_header_bytes, *this) {}

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
  if (request.upgrade) draining_ = true;
  const std::string target =
      proxy_.used ? absl::StrCat("http://", endpoint.authority, endpoint.target) : endpoint.target;
  request_head_ = absl::StrCat(request.method, " ", target, " HTTP/1.1\r\nhost: ",
                               request.headers.Get("host").value_or(endpoint.authority), "\r\n");
  for (const http::Header& header : request.headers) {
    if (!IsFraming(header.name, request.upgrade)) {
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
  if (switched_) return stream_->TakeOutgoing(out);
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

// The connection ends with the stream, because the rest of its response would have to be read.
void Http1Session::Cancel(Stream&) {
  stream_ = nullptr;
  draining_ = true;
  if (!failure_.has_value()) failure_ = {.error = Kind::kEof, .cause = "request canceled"};
}

// ---- The response

void Http1Session::Receive(absl::string_view bytes) {
  if (failure_.has_value()) return;
  if (switched_) return ReceiveSwitched(bytes);
  // A response before the request was sent may be a 408 for a connection that was idle too long.
  if (stream_ == nullptr || !head_sent_) {
    Fail(Kind::kProtocol, "unsolicited response");
    return;
  }
  while (!bytes.empty()) {
    bytes.remove_prefix(reader_.Read(bytes));
    switch (reader_.mistake()) {
      case Reader::Mistake::kNone:
        break;
      case Reader::Mistake::kStopped:
        return;
      case Reader::Mistake::kHeaderTooLong:
        return Fail(Kind::kProtocol, "response headers too large");
      case Reader::Mistake::kHeader:
        return Fail(Kind::kProtocol, "malformed response header");
      case Reader::Mistake::kMalformed:
      case Reader::Mistake::kVersion:
        return Fail(Kind::kProtocol, absl::StrCat("malformed HTTP response: ", reader_.reason()));
    }
    if (!std::exchange(ended_, false)) return;
    if (switched_) return ReceiveSwitched(bytes);
    reader_.Next();
    // Bytes after the response would be taken for the answer to the next request.
    if (stream_ == nullptr) {
      if (!bytes.empty()) draining_ = true;
      return;
    }
  }
}

void Http1Session::ReceiveSwitched(absl::string_view bytes) {
  if (!bytes.empty() && !stream_->OnData(bytes)) behind_ = true;
}

void Http1Session::EndOfInput() {
  if (failure_.has_value()) return;
  if (switched_) {
    std::exchange(stream_, nullptr)->OnEnd({});
  } else if (stream_ != nullptr && responded_) {
    // A response without a length ends with the connection.
    reader_.EndOfInput();
  }
  Fail(Kind::kEof, "the server closed the connection");
}

void Http1Session::Fail(Kind kind, absl::string_view cause) {
  draining_ = true;
  if (!failure_.has_value()) failure_ = {.error = kind, .cause = std::string(cause)};
}

Reader::Body Http1Session::Refuse(absl::string_view cause) {
  Fail(Kind::kProtocol, cause);
  return Reader::Body::kStop;
}

Reader::Body Http1Session::OnHead(Reader::Head head) {
  if (head.major != 1) return Refuse("unsupported HTTP version");
  if (head.status == 101) return Switch(std::move(head));
  if (head.status < 100) return Refuse("malformed HTTP status code");
  if (head.status < 200) {
    if (++interim_ > kMaxInterim) return Refuse("too many 1xx informational responses");
    return Reader::Body::kNone;  // the final response follows
  }
  responded_ = true;
  const bool no_body =
      stream_->request().method == "HEAD" || head.status == 204 || head.status == 304;
  stream_->OnHead({.status = head.status, .headers = std::move(head.headers)});
  return no_body ? Reader::Body::kNone : Reader::Body::kRead;
}

Reader::Body Http1Session::Switch(Reader::Head head) {
  if (!stream_->request().upgrade) return Refuse("unexpected 101 Switching Protocols response");
  // The rest of the request would be taken for bytes of the new protocol.
  if (!request_sent()) return Refuse("101 Switching Protocols before the end of the request");
  responded_ = switched_ = true;
  stream_->OnHead({.status = head.status, .headers = std::move(head.headers)});
  return Reader::Body::kNone;
}

bool Http1Session::OnBody(absl::string_view piece) {
  if (!stream_->OnData(piece)) behind_ = true;
  return true;
}

void Http1Session::OnEnd() {
  ended_ = true;
  if (!responded_) return;  // it was an interim response
  if (switched_) return;    // the stream goes on
  if (!reader_.keep_alive() || !request_sent()) draining_ = true;
  behind_ = false;
  std::exchange(stream_, nullptr)->OnEnd({});
}

}  // namespace

std::unique_ptr<Session> MakeHttp1Session(const SessionLimits& limits, PlainProxy proxy) {
  return std::make_unique<Http1Session>(limits, std::move(proxy));
}

}  // namespace kube::httpclient::internal
