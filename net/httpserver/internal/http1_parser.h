#ifndef NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_
#define NET_HTTPSERVER_INTERNAL_HTTP1_PARSER_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "net/http/http1_reader.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver::internal {

// Takes requests of HTTP/1 out of a stream of bytes, one at a time, with a server's limits and what
// RFC 9112 wants of it. Thread-compatible.
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
  size_t request_bytes() const { return reader_.header_bytes() + request_.body.size(); }

  // Once true after a header which asks for "100 Continue" before its body.
  bool TakeExpectsContinue();

  // kFailed: the status to answer with, and why.
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
  // Makes the target begin with "/".
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
