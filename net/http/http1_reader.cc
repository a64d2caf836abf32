#include "net/http/http1_reader.h"

#include <llhttp.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"

namespace kube::http {

// llhttp calls the On methods while Read feeds it bytes. Names and values of headers arrive in
// pieces; a header is complete (EndHeader) when the next name begins or the header ends. `in_body_`
// is set after the header, so that lines which follow are known to be trailers: they are checked
// and counted, but not kept. OnComplete pauses llhttp, so that Read stops exactly at the end of a
// message; Next starts a new parser for the following one.

Http1Reader::Http1Reader(Kind kind, size_t max_header_bytes, Events& events)
    : kind_(kind), max_header_bytes_(max_header_bytes), events_(events) {
  Next();
}

template <int (Http1Reader::*Method)(absl::string_view)>
int Http1Reader::Data(llhttp_t* parser, const char* data, size_t size) {
  return (static_cast<Http1Reader*>(parser->data)->*Method)(absl::string_view(data, size));
}

template <int (Http1Reader::*Method)()>
int Http1Reader::Event(llhttp_t* parser) {
  return (static_cast<Http1Reader*>(parser->data)->*Method)();
}

const llhttp_settings_t& Http1Reader::Settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_message_begin = Event<&Http1Reader::OnBegin>;
    made.on_url = Data<&Http1Reader::OnUrl>;
    made.on_header_field = Data<&Http1Reader::OnField>;
    made.on_header_value = Data<&Http1Reader::OnValue>;
    made.on_headers_complete = Event<&Http1Reader::OnHeadersComplete>;
    made.on_body = Data<&Http1Reader::OnBody>;
    made.on_message_complete = Event<&Http1Reader::OnComplete>;
    return made;
  }();
  return settings;
}

// Makes a new parser for each message: after "connection: close" llhttp accepts nothing more, but
// in an interim response that header does not concern the final one. Go behaves the same.
void Http1Reader::Next() {
  llhttp_init(&parser_, kind_ == Kind::kRequests ? HTTP_REQUEST : HTTP_RESPONSE, &Settings());
  parser_.data = this;
}

size_t Http1Reader::Read(absl::string_view bytes) {
  if (mistake_ != Mistake::kNone) return 0;
  const llhttp_errno_t error = llhttp_execute(&parser_, bytes.data(), bytes.size());
  if (error == HPE_OK) return bytes.size();
  if (error == HPE_PAUSED) {
    return static_cast<size_t>(llhttp_get_error_pos(&parser_) - bytes.data());
  }
  if (mistake_ == Mistake::kNone) {
    const char* const reason = llhttp_get_error_reason(&parser_);
    reason_ = reason == nullptr ? "malformed" : reason;
    Fail(error == HPE_INVALID_VERSION ? Mistake::kVersion : Mistake::kMalformed);
  }
  return bytes.size();
}

int Http1Reader::Fail(Mistake mistake) {
  mistake_ = mistake;
  return HPE_USER;
}

int Http1Reader::OnBegin() {
  head_ = {};
  header_bytes_ = 0;
  field_.clear();
  value_.clear();
  in_value_ = false;
  in_body_ = false;
  events_.OnBegin();
  return HPE_OK;
}

int Http1Reader::OnUrl(absl::string_view part) {
  absl::StrAppend(&head_.target, part);
  return CountHeader(part.size());
}

int Http1Reader::OnField(absl::string_view part) {
  if (in_value_ && EndHeader() != HPE_OK) return HPE_USER;
  absl::StrAppend(&field_, part);
  return CountHeader(part.size());
}

int Http1Reader::OnValue(absl::string_view part) {
  in_value_ = true;
  absl::StrAppend(&value_, part);
  return CountHeader(part.size());
}

// Also counts trailers, which are otherwise ignored.
int Http1Reader::CountHeader(size_t bytes) {
  header_bytes_ += bytes;
  return header_bytes_ <= max_header_bytes_ ? HPE_OK : Fail(Mistake::kHeaderTooLong);
}

int Http1Reader::EndHeader() {
  // llhttp leaves some spaces around values.
  const absl::string_view value = absl::StripAsciiWhitespace(value_);
  if (!IsHeaderName(field_) || !IsHeaderValue(value)) return Fail(Mistake::kHeader);
  if (!in_body_) head_.headers.Add(field_, value);
  field_.clear();
  value_.clear();
  in_value_ = false;
  return HPE_OK;
}

int Http1Reader::OnHeadersComplete() {
  if ((in_value_ || !field_.empty()) && EndHeader() != HPE_OK) return HPE_USER;
  in_body_ = true;
  parser_.upgrade = 0;  // upgrades are not supported
  if (kind_ == Kind::kRequests) {
    head_.method = llhttp_method_name(static_cast<llhttp_method_t>(parser_.method));
  } else {
    head_.status = parser_.status_code;
  }
  head_.major = parser_.http_major;
  head_.minor = parser_.http_minor;
  head_.chunked = (parser_.flags & F_CHUNKED) != 0;
  head_.content_length = parser_.content_length;
  switch (events_.OnHead(std::move(head_))) {
    case Body::kRead:
      return HPE_OK;
    case Body::kNone:
      return 1;  // llhttp's code for "no body", valid only here
    case Body::kStop:
      return Fail(Mistake::kStopped);
  }
  return HPE_OK;
}

int Http1Reader::OnBody(absl::string_view part) {
  return events_.OnBody(part) ? HPE_OK : Fail(Mistake::kStopped);
}

int Http1Reader::OnComplete() {
  events_.OnEnd();
  return HPE_PAUSED;
}

}  // namespace kube::http
