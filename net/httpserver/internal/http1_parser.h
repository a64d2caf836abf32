#ifndef NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_
#define NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "net/http/http1_reader.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver::internal {

// Reads HTTP/1 requests from a stream of bytes, one at a time, with a server's limits and the
// checks of RFC 9112. Thread-compatible.
class Http1Parser final : private http::Http1Reader::Events {
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
    kComplete,  // a request is complete: call TakeRequest and Next
    kFailed,    // the input is not a valid request: see failure()
  };
  State state() const { return state_; }

  // Parses up to the end of a request, and returns the number of bytes consumed.
  size_t Parse(absl::string_view bytes);

  // In state kComplete: returns the request, with its connection headers.
  Request TakeRequest();
  bool keep_alive() const { return keep_alive_; }
  // Returns whether the request is HTTP/1.1, which has chunked bodies, and not 1.0.
  bool is_http11() const { return is_http11_; }
  // Prepares for the next request.
  void Next();

  // Returns the size of the header and body of the current request so far.
  size_t request_bytes() const { return reader_.header_bytes() + request_.body.size(); }

  // Returns true once after a header that asks for "100 Continue" before its body.
  bool TakeExpectsContinue();

  // In state kFailed: the status to answer with, and why.
  struct Failure {
    int status = 400;
    std::string reason = {};
  };
  const Failure& failure() const { return failure_; }

 private:
  void OnBegin() override;
  http::Http1Reader::Body OnHead(http::Http1Reader::Head head) override;
  bool OnBody(absl::string_view piece) override;
  void OnEnd() override;

  void Fail(int status, absl::string_view reason);
  bool FailByLength();
  void FailByMistake();
  // Makes the target begin with "/". Returns false if it is not a path.
  bool NormaliseTarget();

  const Limits limits_;
  http::Http1Reader reader_;
  State state_ = State::kStart;
  Request request_;
  bool keep_alive_ = false;
  bool is_http11_ = false;
  bool expects_continue_ = false;
  Failure failure_;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_
