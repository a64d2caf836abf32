#ifndef NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_
#define NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_

#include <llhttp.h>

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver::internal {

// Takes requests of HTTP/1 out of a stream of bytes, one at a time: llhttp with our limits and what
// RFC 9112 wants besides. Thread-compatible.
class Http1Parser {
 public:
  struct Limits {
    size_t max_header_bytes;
    size_t max_body_bytes;
  };

  explicit Http1Parser(const Limits& limits);
  Http1Parser(const Http1Parser&) = delete;
  Http1Parser& operator=(const Http1Parser&) = delete;

  enum class State {
    kStart,     // between requests
    kHeader,    // within a header
    kBody,      // within a body
    kComplete,  // at the end of a request: take it and call Next
    kFailed,    // what came is no request: see failure()
  };
  State state() const { return state_; }

  // Takes bytes until the end of a request, and returns how many.
  size_t Parse(absl::string_view bytes);

  // kComplete: the request, without what belongs to its connection.
  Request TakeRequest();
  bool keep_alive() const { return keep_alive_; }
  // HTTP/1.1, which knows chunks, as opposed to 1.0.
  bool is_http11() const { return is_http11_; }
  // Ready for the next request.
  void Next();

  // Of the request that is coming in, or has: what its header and body hold.
  size_t request_bytes() const { return header_bytes_ + request_.body.size(); }

  // Once true after a header which asks for "100 Continue" before its body.
  bool TakeExpectsContinue();

  // kFailed: the status to answer with, and why.
  struct Failure {
    int status = 400;
    std::string reason = {};
  };
  const Failure& failure() const { return failure_; }

 private:
  template <int (Http1Parser::*Method)(absl::string_view)>
  static int Data(llhttp_t* parser, const char* data, size_t size);
  template <int (Http1Parser::*Method)()>
  static int Event(llhttp_t* parser);
  static const llhttp_settings_t& Settings();

  int OnBegin();
  int OnUrl(absl::string_view part);
  int OnField(absl::string_view part);
  int OnValue(absl::string_view part);
  int OnHeadersComplete();
  int OnBody(absl::string_view part);
  int OnComplete();

  // Counts a piece of the header. HPE_OK, or a failure.
  int CountHeader(size_t bytes);
  int Fail(int status, absl::string_view reason);
  // Adds field_ and value_ to the headers. HPE_OK, or a failure.
  int EndHeader();
  // Makes the target begin with "/".
  bool NormaliseTarget();

  const Limits limits_;
  llhttp_t parser_;
  State state_ = State::kStart;
  Request request_;
  std::string field_;
  std::string value_;
  bool in_value_ = false;
  size_t header_bytes_ = 0;
  bool keep_alive_ = false;
  bool is_http11_ = false;
  bool expects_continue_ = false;
  Failure failure_;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_
