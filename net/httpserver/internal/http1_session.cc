#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/http1_parser.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/internal/stream.h"
#include "net/httpserver/internal/switched_connection.h"

namespace kube::httpserver::internal {

// Requests are handled strictly one after the other. While one is being answered (`stream_` is
// set), further input is kept in `waiting_input_` (pipelining) and not parsed; wants_input stops
// the connection's reading when it is full. When an answer is complete, WriteEnd prepares the
// parser and parses the waiting input. A malformed or oversized request is answered by Refuse,
// after which the connection ends.
//
// A client that closes its sending side may still read: its current request and the complete ones
// in `waiting_input_` are answered, and then the session is finished.
//
// A request that asks for another protocol has an `upgrade_`, in case its handler agrees. The
// handler may do so on any thread; the session notices it when the stream's phase is kSwitched,
// behind the head with 101. From then on (`switched_`) bytes pass between the connection and
// `upgrade_` as they are, first those in `waiting_input_`, until the handler closes it, or both
// sides have ended their bytes, or the connection is lost.

namespace {

// Handles requests one after the other; input sent ahead of an answer ("pipelining") waits.
class Http1Session final : public Session {
 public:
  explicit Http1Session(SessionEnvironment environment);

  void Receive(absl::string_view bytes) override;
  void EndOfInput() override;
  bool wants_input() const override;
  void Produce(std::string& out, size_t limit) override;
  void OnOutputSent() override;
  void Wake(int32_t) override;
  void Shutdown() override;
  bool finished() const override { return finished_; }
  bool drops_output() const override { return drops_output_; }
  bool output_ended() const override { return output_ended_; }
  bool broken() const override { return broken_; }
  Activity activity() const override;
  bool awaits_handler() const override { return stream_ != nullptr && !stream_->is_answered(); }
  // The connection times out what waits for the client.
  bool OnTick(base::MonotonicTime) override { return false; }
  void Close(const absl::Status& why) override;
  void SendGoAway(uint32_t) override {}
  void ResetStreams(uint32_t) override {}

 private:
  static constexpr size_t kMaxWaitingInput = size_t{64} << 10;

  // How the end of a body is marked.
  enum class Framing { kNone, kLength, kChunks, kClose };

  void Parse();
  void Dispatch();
  // Sends an error response and ends the connection.
  void Refuse(const Http1Parser::Failure& failure);

  void WriteHead(const ResponseHead& head, std::string& out);
  Framing FramingOf(const ResponseHead& head) const;
  void WriteBody(std::string& out, size_t limit);
  void WriteEnd(std::string& out);
  void WriteSwitchedBytes(std::string& out, size_t limit);

  // Releases the stream, which is complete, or of which nobody takes any more.
  void EndStream(const absl::Status& why);
  void Abort();

  SessionEnvironment environment_;
  Http1Parser parser_;
  std::string waiting_input_;
  std::string own_output_;  // 100 Continue, refusals
  HeldMemory held_;         // for the request being read
  std::shared_ptr<Stream> stream_;
  // The connection after SwitchProtocols; null if the request does not ask for it.
  std::shared_ptr<SwitchedConnection> upgrade_;
  bool switched_ = false;
  bool head_only_ = false;  // the request was HEAD
  Framing framing_ = Framing::kNone;
  bool keep_alive_ = true;
  bool input_ended_ = false;
  bool finished_ = false;
  bool drops_output_ = false;
  bool output_ended_ = false;
  bool broken_ = false;
};

Http1Session::Http1Session(SessionEnvironment environment)
    : environment_(std::move(environment)),
      parser_({.max_header_bytes = environment_.options->max_header_bytes,
               .max_body_bytes = environment_.options->max_body_bytes}),
      held_(environment_.memory) {}

bool Http1Session::wants_input() const {
  if (switched_ && upgrade_ != nullptr) return upgrade_->WantsInput();
  return waiting_input_.size() < kMaxWaitingInput;
}

void Http1Session::Receive(absl::string_view bytes) {
  if (finished_) return;
  if (switched_) return upgrade_->Receive(bytes);
  absl::StrAppend(&waiting_input_, bytes);
  Parse();
}

void Http1Session::Parse() {
  while (stream_ == nullptr && !finished_ && !waiting_input_.empty()) {
    const bool in_body = parser_.state() == Http1Parser::State::kBody;
    const size_t parsed = parser_.Parse(waiting_input_);
    if (in_body) environment_.progress->body_bytes += static_cast<int64_t>(parsed);
    waiting_input_.erase(0, parsed);
    if (parser_.state() == Http1Parser::State::kFailed) return Refuse(parser_.failure());
    if (!held_.GrowTo(parser_.request_bytes())) {
      return Refuse({.status = 503, .reason = "too many bytes of pending requests"});
    }
    if (parser_.TakeExpectsContinue()) own_output_ += "HTTP/1.1 100 Continue\r\n\r\n";
    if (parser_.state() == Http1Parser::State::kComplete) Dispatch();
  }
}

void Http1Session::Dispatch() {
  keep_alive_ = keep_alive_ && parser_.keep_alive();
  Request request = WithConnection(environment_, parser_.TakeRequest());
  head_only_ = request.method == "HEAD";
  for (const absl::string_view name : {"keep-alive", "proxy-connection", "transfer-encoding"}) {
    request.headers.Remove(name);
  }
  if (request.wants_upgrade) {
    upgrade_ = std::make_shared<SwitchedConnection>(environment_.make_wake(1));
  } else {
    request.headers.Remove("connection");
    request.headers.Remove("upgrade");
  }
  stream_ = OpenStream(environment_, std::move(request), std::move(held_), 1, upgrade_);
  held_ = HeldMemory(environment_.memory);
  // A request sent before the client closed its side: its disconnection will not be noticed later.
  if (input_ended_) stream_->EndInput();
  environment_.handler->Handle(ForHandler(stream_));
}

void Http1Session::EndOfInput() {
  if (std::exchange(input_ended_, true)) return;
  if (switched_ && upgrade_ != nullptr) {
    upgrade_->EndInput();
    finished_ |= output_ended_;
    return;
  }
  // Requests that were sent ahead are still answered.
  if (waiting_input_.empty()) keep_alive_ = false;
  if (stream_ == nullptr) {
    // An incomplete request gets no answer.
    finished_ = true;
    return;
  }
  // As in Go, the context informs the handler, whose answer is still sent.
  stream_->EndInput();
}

void Http1Session::Refuse(const Http1Parser::Failure& failure) {
  const std::string body = absl::StrCat(failure.reason, "\n");
  absl::StrAppend(&own_output_, "HTTP/1.1 ", failure.status, " ", http::StatusText(failure.status),
                  "\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n",
                  failure.status == 503 ? "retry-after: 1\r\n" : "",
                  "content-length: ", body.size(), "\r\ndate: ", HttpDate(), "\r\n\r\n", body);
  finished_ = true;
}

void Http1Session::Produce(std::string& out, size_t limit) {
  out += std::exchange(own_output_, {});
  while (stream_ != nullptr && out.size() < limit) {
    switch (stream_->phase()) {
      case Stream::Phase::kWaiting:
        return;
      case Stream::Phase::kAborted:
        return Abort();
      case Stream::Phase::kReady:
        if (const std::optional<ResponseHead> head = stream_->TakeHead()) {
          WriteHead(*head, out);
        } else {
          WriteBody(out, limit);
        }
        break;
      case Stream::Phase::kFinished:
        WriteEnd(out);
        break;
      case Stream::Phase::kSwitched:
        return WriteSwitchedBytes(out, limit);
    }
  }
}

void Http1Session::WriteSwitchedBytes(std::string& out, size_t limit) {
  if (!std::exchange(switched_, true)) {
    upgrade_->Receive(std::exchange(waiting_input_, {}));
    if (input_ended_) upgrade_->EndInput();
  }
  const SwitchedConnection::Output output = upgrade_->Produce(out, limit);
  output_ended_ = output == SwitchedConnection::Output::kEnded;
  drops_output_ = output == SwitchedConnection::Output::kClosed;
  finished_ = drops_output_ || (output_ended_ && input_ended_);
}

void Http1Session::OnOutputSent() {
  if (switched_ && upgrade_ != nullptr) upgrade_->NoteSent();
}

// Looks whether the handler has aborted or closed a connection whose client takes nothing, so that
// Produce is not called.
void Http1Session::Wake(int32_t) {
  if (upgrade_ == nullptr) return;
  upgrade_->NoteAwake();
  if (!switched_) return;
  if (stream_->phase() == Stream::Phase::kAborted) return Abort();
  if (upgrade_->is_closed()) finished_ = drops_output_ = true;
}

void Http1Session::EndStream(const absl::Status& why) {
  CloseStream(environment_, *std::exchange(stream_, nullptr), why);
  // Afterwards, so that a handler whose calls fail finds the context done. It may have the
  // connection although the session has not noticed it yet.
  if (upgrade_ != nullptr) std::exchange(upgrade_, nullptr)->Disconnect(why);
}

void Http1Session::Abort() {
  broken_ = true;
  finished_ = true;
  EndStream(absl::CancelledError("the response was aborted"));
}

Http1Session::Framing Http1Session::FramingOf(const ResponseHead& head) const {
  if (head.status < 200 || head.status == 204 || head.status == 304) return Framing::kNone;
  if (head.content_length.has_value()) return Framing::kLength;
  return parser_.is_http11() ? Framing::kChunks : Framing::kClose;
}

void Http1Session::WriteHead(const ResponseHead& head, std::string& out) {
  const bool informational = head.status < 200;
  if (informational && !parser_.is_http11()) return;
  const Framing framing = FramingOf(head);
  if (!informational) {
    framing_ = framing;
    if (framing == Framing::kClose) keep_alive_ = false;
  }
  absl::StrAppend(&out, "HTTP/1.1 ", head.status, " ", http::StatusText(head.status), "\r\n");
  for (const http::Header& header : head.headers) {
    if (IsConnectionHeader(header.name) && !head.switches) continue;
    // For HEAD the handler may state the length that a body would have.
    if (header.name == "content-length" && !(head_only_ && framing != Framing::kLength)) continue;
    absl::StrAppend(&out, header.name, ": ", header.value, "\r\n");
  }
  if (framing == Framing::kLength) {
    absl::StrAppend(&out, "content-length: ", *head.content_length, "\r\n");
  } else if (framing == Framing::kChunks && !head_only_) {
    out += "transfer-encoding: chunked\r\n";
  }
  if (!informational) {
    if (!head.headers.Get("date").has_value()) absl::StrAppend(&out, "date: ", HttpDate(), "\r\n");
    // HTTP/1.0 clients assume "close"; both headers state what differs from the client's default.
    if (!keep_alive_) out += "connection: close\r\n";
    if (keep_alive_ && !parser_.is_http11()) out += "connection: keep-alive\r\n";
  }
  out += "\r\n";
}

void Http1Session::WriteBody(std::string& out, size_t limit) {
  std::array<char, 16384> buffer;
  const size_t room = std::min(buffer.size(), limit - std::min(limit, out.size()));
  const size_t size = stream_->Read(buffer.data(), std::max<size_t>(room, 1));
  environment_.progress->answer_bytes += static_cast<int64_t>(size);
  if (head_only_ || framing_ == Framing::kNone) return;
  if (framing_ == Framing::kChunks) absl::StrAppendFormat(&out, "%x\r\n", size);
  out.append(buffer.data(), size);
  if (framing_ == Framing::kChunks) out += "\r\n";
}

void Http1Session::WriteEnd(std::string& out) {
  if (framing_ == Framing::kChunks && !head_only_) {
    out += "0\r\n";
    for (const http::Header& header : stream_->TakeTrailers()) {
      absl::StrAppend(&out, header.name, ": ", header.value, "\r\n");
    }
    out += "\r\n";
  }
  EndStream(absl::CancelledError("the response is complete"));
  parser_.Next();
  if (!keep_alive_) {
    finished_ = true;
    return;
  }
  Parse();
  if (input_ended_ && stream_ == nullptr) finished_ = true;
  if (input_ended_ && waiting_input_.empty()) keep_alive_ = false;
}

void Http1Session::Shutdown() {
  keep_alive_ = false;
  if (stream_ == nullptr && parser_.state() == Http1Parser::State::kStart) finished_ = true;
}

Activity Http1Session::activity() const {
  if (stream_ != nullptr) return switched_ ? Activity::kSwitched : Activity::kResponding;
  switch (parser_.state()) {
    case Http1Parser::State::kHeader:
      return Activity::kReadingHeader;
    case Http1Parser::State::kBody:
      return Activity::kReadingBody;
    default:
      return Activity::kIdle;
  }
}

void Http1Session::Close(const absl::Status& why) {
  finished_ = true;
  if (stream_ != nullptr) EndStream(why);
}

}  // namespace

std::unique_ptr<Session> MakeHttp1Session(SessionEnvironment environment) {
  return std::make_unique<Http1Session>(std::move(environment));
}

}  // namespace kube::httpserver::internal
