#ifndef NET_HTTPCLIENT_TESTING_FAKE_STREAM_H_
#define NET_HTTPCLIENT_TESTING_FAKE_STREAM_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// A request that records what its session reports. Aborts the program if calls come in a wrong
// order, twice, or after the end. Thread-compatible.
class FakeStream final : public Stream {
 public:
  explicit FakeStream(HttpRequest request = {}, std::string target = "/")
      : request_(std::move(request)),
        endpoint_({.host = "host", .port = 80, .authority = "host", .target = std::move(target)}) {}

  const HttpRequest& request() const override { return request_; }
  const Endpoint& endpoint() const override { return endpoint_; }

  void OnSent() override {
    KUBE_CHECK(!over_ && !sent_) << "sent";
    sent_ = true;
  }
  void OnHead(ResponseHead head) override {
    KUBE_CHECK(!over_ && sent_ && !head_.has_value()) << "a header";
    KUBE_CHECK(head.status >= 200 || (head.status == 101 && request_.upgrade)) << head.status;
    head_ = std::move(head);
  }
  bool OnData(absl::string_view data) override {
    KUBE_CHECK(!over_ && head_.has_value()) << "data";
    absl::StrAppend(&body_, data);
    return !reluctant;
  }
  void TakeOutgoing(std::string& out) override {
    KUBE_CHECK(!over_ && head_.has_value() && head_->status == 101) << "outgoing bytes";
    out += std::exchange(outgoing, {});
  }
  void OnEnd(StreamEnd end) override {
    KUBE_CHECK(!over_) << "the end";
    KUBE_CHECK(end.error.has_value() || head_.has_value()) << "the end of nothing";
    over_ = true;
    end_ = std::move(end);
  }

  // Call it after Session::Cancel: the session must not report anything from then on.
  void OnCancel() { over_ = true; }

  bool sent() const { return sent_; }
  // Returns whether the stream has neither ended nor been cancelled.
  bool open() const { return !over_; }
  const std::optional<ResponseHead>& head() const { return head_; }
  const std::string& body() const { return body_; }
  const std::optional<StreamEnd>& end() const { return end_; }

  // Returns everything reported so far, such as "200 a=b; body; ok", "200; body..." or "eof".
  std::string Told() const {
    std::string told;
    if (head_.has_value()) {
      told = absl::StrCat(head_->status);
      for (const http::Header& header : head_->headers) {
        absl::StrAppend(&told, " ", header.name, "=", header.value);
      }
      absl::StrAppend(&told, "; ", body_);
    }
    if (!end_.has_value()) return absl::StrCat(told, "...");
    absl::StrAppend(&told, told.empty() ? "" : "; ",
                    end_->error.has_value() ? ToString(*end_->error) : "ok",
                    end_->unprocessed ? " unprocessed" : "");
    return told;
  }

  // Makes OnData return false from now on.
  bool reluctant = false;
  // What TakeOutgoing takes.
  std::string outgoing;

 private:
  const HttpRequest request_;
  const Endpoint endpoint_;
  bool sent_ = false;
  bool over_ = false;
  std::optional<ResponseHead> head_;
  std::string body_;
  std::optional<StreamEnd> end_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_TESTING_FAKE_STREAM_H_
