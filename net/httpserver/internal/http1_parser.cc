#include "net/httpserver/internal/http1_parser.h"

#include <llhttp.h>

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/session.h"

namespace kube::httpserver::internal {

Http1Parser::Http1Parser(const Limits& limits) : limits_(limits) {
  llhttp_init(&parser_, HTTP_REQUEST, &Settings());
  parser_.data = this;
}

template <int (Http1Parser::*Method)(absl::string_view)>
int Http1Parser::Data(llhttp_t* parser, const char* data, size_t size) {
  return (static_cast<Http1Parser*>(parser->data)->*Method)(absl::string_view(data, size));
}

template <int (Http1Parser::*Method)()>
int Http1Parser::Event(llhttp_t* parser) {
  return (static_cast<Http1Parser*>(parser->data)->*Method)();
}

const llhttp_settings_t& Http1Parser::Settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_message_begin = Event<&Http1Parser::OnBegin>;
    made.on_url = Data<&Http1Parser::OnUrl>;
    made.on_header_field = Data<&Http1Parser::OnField>;
    made.on_header_value = Data<&Http1Parser::OnValue>;
    made.on_headers_complete = Event<&Http1Parser::OnHeadersComplete>;
    made.on_body = Data<&Http1Parser::OnBody>;
    made.on_message_complete = Event<&Http1Parser::OnComplete>;
    return made;
  }();
  return settings;
}

size_t Http1Parser::Parse(absl::string_view bytes) {
  if (state_ == State::kComplete || state_ == State::kFailed) return 0;
  const llhttp_errno_t error = llhttp_execute(&parser_, bytes.data(), bytes.size());
  if (error == HPE_OK) return bytes.size();
  const char* const position = llhttp_get_error_pos(&parser_);
  if (error == HPE_PAUSED) return static_cast<size_t>(position - bytes.data());
  // After "Connection: close" nothing counts any more.
  if (error == HPE_CLOSED_CONNECTION) return bytes.size();
  if (state_ != State::kFailed) {
    const char* const reason = llhttp_get_error_reason(&parser_);
    Fail(error == HPE_INVALID_VERSION ? 505 : 400, reason == nullptr ? "malformed" : reason);
  }
  return bytes.size();
}

Request Http1Parser::TakeRequest() { return std::move(request_); }

void Http1Parser::Next() {
  state_ = State::kStart;
  llhttp_resume(&parser_);
}

bool Http1Parser::TakeExpectsContinue() { return std::exchange(expects_continue_, false); }

int Http1Parser::OnBegin() {
  state_ = State::kHeader;
  request_ = {};
  header_bytes_ = 0;
  field_.clear();
  value_.clear();
  in_value_ = false;
  return HPE_OK;
}

int Http1Parser::OnUrl(absl::string_view part) {
  absl::StrAppend(&request_.target, part);
  return CountHeader(part.size());
}

int Http1Parser::OnField(absl::string_view part) {
  if (in_value_ && EndHeader() != HPE_OK) return HPE_USER;
  absl::StrAppend(&field_, part);
  return CountHeader(part.size());
}

int Http1Parser::OnValue(absl::string_view part) {
  in_value_ = true;
  absl::StrAppend(&value_, part);
  return CountHeader(part.size());
}

int Http1Parser::OnHeadersComplete() {
  if (!field_.empty() && EndHeader() != HPE_OK) return HPE_USER;
  parser_.upgrade = 0;  // nobody is upgraded here
  request_.method = llhttp_method_name(static_cast<llhttp_method_t>(parser_.method));
  is_http11_ = parser_.http_major == 1 && parser_.http_minor == 1;
  if (parser_.http_major != 1) return Fail(505, "HTTP version not supported");
  keep_alive_ = llhttp_should_keep_alive(&parser_) != 0;
  const size_t hosts = request_.headers.GetAll("host").size();
  if (hosts > 1 || (hosts == 0 && is_http11_)) return Fail(400, "one header \"host\" is needed");
  if (!NormaliseTarget()) return Fail(400, "the target is no path");
  const bool chunked = (parser_.flags & F_CHUNKED) != 0;
  if (!chunked && parser_.content_length > limits_.max_body_bytes) {
    return Fail(413, absl::StrCat("the body is longer than ", limits_.max_body_bytes, " bytes"));
  }
  expects_continue_ = is_http11_ && request_.headers.HasToken("expect", "100-continue") &&
                      (chunked || parser_.content_length != 0);
  request_.headers.Remove("expect");
  state_ = State::kBody;
  return HPE_OK;
}

int Http1Parser::OnBody(absl::string_view part) {
  if (request_.body.size() + part.size() > limits_.max_body_bytes) {
    return Fail(413, absl::StrCat("the body is longer than ", limits_.max_body_bytes, " bytes"));
  }
  absl::StrAppend(&request_.body, part);
  return HPE_OK;
}

int Http1Parser::OnComplete() {
  state_ = State::kComplete;
  expects_continue_ = false;
  return HPE_PAUSED;
}

int Http1Parser::CountHeader(size_t bytes) {
  // In trailers, too: they are counted as part of the header, and forgotten.
  header_bytes_ += bytes;
  if (header_bytes_ <= limits_.max_header_bytes) return HPE_OK;
  return Fail(431, absl::StrCat("the header is longer than ", limits_.max_header_bytes, " bytes"));
}

int Http1Parser::Fail(int status, absl::string_view reason) {
  state_ = State::kFailed;
  failure_ = {.status = status, .reason = std::string(reason)};
  return HPE_USER;
}

int Http1Parser::EndHeader() {
  // llhttp lets some spaces through.
  const absl::string_view value = absl::StripAsciiWhitespace(value_);
  if (!http::IsHeaderName(field_) || !http::IsHeaderValue(value)) {
    return Fail(400, "a header is malformed");
  }
  const bool is_trailer = state_ == State::kBody;
  if (!is_trailer) request_.headers.Add(field_, value);
  field_.clear();
  value_.clear();
  in_value_ = false;
  return HPE_OK;
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
