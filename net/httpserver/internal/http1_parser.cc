#include "net/httpserver/internal/http1_parser.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/http1_reader.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver::internal {

using Reader = http::Http1Reader;

Http1Parser::Http1Parser(const Limits& limits)
    : limits_(limits), reader_(Reader::Kind::kRequests, limits.max_header_bytes, *this) {}

size_t Http1Parser::Parse(absl::string_view bytes) {
  if (state_ == State::kComplete || state_ == State::kFailed) return 0;
  const size_t size = reader_.Read(bytes);
  if (reader_.mistake() != Reader::Mistake::kNone) FailByMistake();
  return size;
}

Request Http1Parser::TakeRequest() { return std::move(request_); }

void Http1Parser::Next() {
  state_ = State::kStart;
  reader_.Next();
}

bool Http1Parser::TakeExpectsContinue() { return std::exchange(expects_continue_, false); }

void Http1Parser::OnBegin() {
  state_ = State::kHeader;
  request_ = {};
}

Reader::Body Http1Parser::OnHead(Reader::Head head) {
  request_.method = std::move(head.method);
  request_.target = std::move(head.target);
  request_.headers = std::move(head.headers);
  is_http11_ = head.major == 1 && head.minor == 1;
  if (head.major != 1) {
    Fail(505, "HTTP version not supported");
    return Reader::Body::kStop;
  }
  keep_alive_ = reader_.keep_alive();
  const size_t hosts = request_.headers.GetAll("host").size();
  if (hosts > 1 || (hosts == 0 && is_http11_)) {
    Fail(400, "exactly one Host header is required");
    return Reader::Body::kStop;
  }
  if (!NormaliseTarget()) {
    Fail(400, "invalid request target");
    return Reader::Body::kStop;
  }
  if (!head.chunked && head.content_length > limits_.max_body_bytes) {
    FailByLength();
    return Reader::Body::kStop;
  }
  request_.wants_upgrade = is_http11_ && !head.chunked && head.content_length == 0 &&
                           request_.headers.HasToken("connection", "upgrade") &&
                           !request_.headers.Get("upgrade").value_or("").empty();
  expects_continue_ = is_http11_ && request_.headers.HasToken("expect", "100-continue") &&
                      (head.chunked || head.content_length != 0);
  request_.headers.Remove("expect");
  state_ = State::kBody;
  return Reader::Body::kRead;
}

bool Http1Parser::OnBody(absl::string_view piece) {
  if (request_.body.size() + piece.size() > limits_.max_body_bytes) return FailByLength();
  absl::StrAppend(&request_.body, piece);
  return true;
}

void Http1Parser::OnEnd() {
  state_ = State::kComplete;
  expects_continue_ = false;
}

void Http1Parser::Fail(int status, absl::string_view reason) {
  state_ = State::kFailed;
  failure_ = {.status = status, .reason = std::string(reason)};
}

bool Http1Parser::FailByLength() {
  Fail(413,
       absl::StrCat("request body too large: the limit is ", limits_.max_body_bytes, " bytes"));
  return false;
}

void Http1Parser::FailByMistake() {
  switch (reader_.mistake()) {
    case Reader::Mistake::kHeaderTooLong:
      return Fail(431, absl::StrCat("request headers too large: the limit is ",
                                    limits_.max_header_bytes, " bytes"));
    case Reader::Mistake::kHeader:
      return Fail(400, "malformed header");
    case Reader::Mistake::kVersion:
      return Fail(505, reader_.reason());
    case Reader::Mistake::kMalformed:
      return Fail(400, reader_.reason());
    case Reader::Mistake::kStopped:  // already failed
    case Reader::Mistake::kNone:
      return;
  }
}

bool Http1Parser::NormaliseTarget() {
  std::string& target = request_.target;
  for (const absl::string_view scheme : {"http://", "https://"}) {
    if (!absl::StartsWithIgnoreCase(target, scheme)) continue;
    const size_t path = target.find_first_of("/?", scheme.size());
    target = path == std::string::npos ? "/" : target.substr(path);
    if (target[0] == '?') target.insert(target.begin(), '/');
  }
  return absl::StartsWith(target, "/") || target == "*";
}

}  // namespace kube::httpserver::internal
