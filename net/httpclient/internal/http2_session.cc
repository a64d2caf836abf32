#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/http/http2_connection.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// Each Stream has an Entry, which is also nghttp2's user data for the stream number. An entry is
// removed as soon as the stream ends, whoever ends it (response complete, reset, Cancel, OnLimit);
// later frames for the number find no entry and are ignored. A stream gets OnEnd at most once: not
// after Cancel, and not if the whole session fails, when the session's user ends its streams.
//
// Flow control: bytes are returned to the connection's window at once, so that one slow reader does
// not stop other streams. They are returned to the stream's window only while the reader keeps up;
// bytes of a stream that is behind are counted in `unconsumed` and returned by Resume.
//
// A stream without a response is marked `unprocessed` if the server cannot have acted on it: it was
// not sent, its number is above the last one in GOAWAY, or it was reset with REFUSED_STREAM.

namespace {

using http::MakePair;

// The connection's receive window: in effect unlimited, since each stream has its own.
constexpr int32_t kConnectionWindow = 1 << 30;
// With a smaller window DATA frames would become tiny.
constexpr size_t kMinWindow = 16 << 10;
// Returns whether a header belongs to an HTTP/1.1 connection, or is sent in another form here.
bool IsFraming(absl::string_view name) {
  return name == "host" || name == "connection" || name == "content-length" ||
         name == "transfer-encoding" || name == "keep-alive" || name == "proxy-connection" ||
         name == "upgrade" || name == "expect";
}

using Settings = std::array<nghttp2_settings_entry, 3>;
Settings SettingsOf(const SessionLimits& limits) {
  const size_t window = std::clamp(limits.window_bytes, kMinWindow, size_t{INT32_MAX});
  const size_t header = std::min(limits.max_header_bytes, size_t{INT32_MAX});
  return {{{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
           {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<uint32_t>(window)},
           {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<uint32_t>(header)}}};
}

class Http2Session final : public Session, private http::Http2Connection::Events {
 public:
  explicit Http2Session(const SessionLimits& limits);

  void Start(Stream& stream) override;
  void Cancel(Stream& stream) override;
  void Resume(Stream& stream) override;
  void Receive(absl::string_view bytes) override;
  void EndOfInput() override;
  void Produce(std::string& out, size_t limit) override;
  void Ping() override { nghttp2_submit_ping(connection_.get(), NGHTTP2_FLAG_NONE, nullptr); }

  int http_version() const override { return 2; }
  int limit() const override { return limit_; }
  bool draining() const override {
    return going_away_ || nghttp2_session_check_request_allowed(connection_.get()) == 0;
  }
  bool wants_input() const override { return true; }
  const std::optional<StreamEnd>& failure() const override { return failure_; }

 private:
  // The state of a stream; nghttp2's user data.
  struct Entry {
    Stream* stream;
    int32_t number = 0;
    ResponseHead head = {.http_version = 2};
    size_t header_bytes = 0;
    size_t body_sent = 0;
    // Received bytes that were not yet returned to the stream's window.
    size_t unconsumed = 0;
    bool sent = false;
    bool responded = false;
    // What is wrong with the header; null if nothing.
    const char* mistake = nullptr;
  };

  // Returns the entry of a stream; null if it has ended or was cancelled.
  Entry* Find(int32_t number) const {
    return static_cast<Entry*>(nghttp2_session_get_stream_user_data(connection_.get(), number));
  }

  void OnBeginHeaders(int32_t number) override;
  bool OnHeader(int32_t number, absl::string_view name, absl::string_view value) override;
  void OnData(int32_t number, absl::string_view data) override;
  void OnFrame(const nghttp2_frame& frame) override;
  void OnFrameSent(const nghttp2_frame& frame) override;
  void OnStreamClosed(int32_t number, uint32_t error_code) override;
  ssize_t ReadBody(int32_t number, char* buffer, size_t size, uint32_t& flags) override;

  void OnLimit(uint32_t limit);
  static void OnHeadersEnd(Entry& entry);
  void OnResponseEnd(Stream& stream);
  void LookForMistakes();
  void Fail(TransportErrorKind kind, absl::string_view cause);

  const SessionLimits limits_;
  http::Http2Connection connection_;
  std::unordered_map<Stream*, Entry> entries_;
  // The headers of the request being submitted; kept for its memory.
  std::vector<nghttp2_nv> pairs_;
  int limit_ = 0;
  bool going_away_ = false;
  int32_t last_processed_ = INT32_MAX;
  std::optional<StreamEnd> failure_;
};

Http2Session::Http2Session(const SessionLimits& limits)
    : limits_(limits),
      connection_(
          {.settings = SettingsOf(limits), .window = kConnectionWindow, .auto_window = false},
          *this) {}

// ---- Requests

void Http2Session::Start(Stream& stream) {
  const HttpRequest& request = stream.request();
  const Endpoint& endpoint = stream.endpoint();
  Entry& entry = entries_.emplace(&stream, Entry{.stream = &stream}).first->second;
  const absl::string_view host = request.headers.Get("host").value_or(endpoint.authority);
  pairs_.assign({MakePair(":method", request.method),
                 MakePair(":scheme", endpoint.tls ? "https" : "http"), MakePair(":authority", host),
                 MakePair(":path", endpoint.target)});
  for (const http::Header& header : request.headers) {
    if (!IsFraming(header.name)) pairs_.push_back(MakePair(header.name, header.value));
  }
  const size_t size = request.body == nullptr ? 0 : request.body->size();
  std::string length;
  if (HasContentLength(request)) {
    length = absl::StrCat(size);
    pairs_.push_back(MakePair("content-length", length));
  }
  const nghttp2_data_provider body = connection_.body();
  entry.number = nghttp2_submit_request(connection_.get(), nullptr, pairs_.data(), pairs_.size(),
                                        size == 0 ? nullptr : &body, &entry);
  if (entry.number < 0) {
    // Stream numbers or memory are exhausted.
    going_away_ = true;
    const char* const cause = nghttp2_strerror(entry.number);
    entries_.erase(&stream);
    return stream.OnEnd({.error = TransportErrorKind::kLost, .cause = cause, .unprocessed = true});
  }
}

ssize_t Http2Session::ReadBody(int32_t number, char* buffer, size_t size, uint32_t& flags) {
  Entry* const entry = Find(number);
  if (entry == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const std::string& body = *entry->stream->request().body;
  const size_t count = std::min(size, body.size() - entry->body_sent);
  std::copy_n(body.data() + entry->body_sent, count, buffer);
  entry->body_sent += count;
  if (entry->body_sent == body.size()) flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(count);
}

void Http2Session::OnFrameSent(const nghttp2_frame& frame) {
  if (frame.hd.type != NGHTTP2_HEADERS) return;
  Entry* const entry = Find(frame.hd.stream_id);
  if (entry == nullptr) return;
  entry->sent = true;
  entry->stream->OnSent();
}

void Http2Session::Cancel(Stream& stream) {
  const auto entry = entries_.extract(&stream);
  if (entry.empty()) return;
  const int32_t number = entry.mapped().number;
  nghttp2_session_set_stream_user_data(connection_.get(), number, nullptr);
  connection_.Reset(number, NGHTTP2_CANCEL);
}

void Http2Session::Resume(Stream& stream) {
  const auto found = entries_.find(&stream);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  nghttp2_session_consume_stream(connection_.get(), entry.number,
                                 std::exchange(entry.unconsumed, 0));
}

// ---- Bytes

void Http2Session::Receive(absl::string_view bytes) {
  if (failure_.has_value()) return;
  if (const char* const mistake = connection_.Receive(bytes)) {
    Fail(TransportErrorKind::kProtocol, mistake);
  }
}

void Http2Session::EndOfInput() {
  Fail(TransportErrorKind::kEof, "the server closed the connection");
}

void Http2Session::Produce(std::string& out, size_t limit) {
  if (const char* const mistake = connection_.Produce(out, limit)) {
    Fail(TransportErrorKind::kProtocol, mistake);
  }
  if (out.size() < limit) LookForMistakes();
}

// Fails the session if nghttp2 has found a connection error, which it has reported to the server.
void Http2Session::LookForMistakes() {
  if (nghttp2_session_want_read(connection_.get()) == 0 && (!going_away_ || !entries_.empty())) {
    Fail(TransportErrorKind::kProtocol, "HTTP/2 protocol error");
  }
}

void Http2Session::Fail(TransportErrorKind kind, absl::string_view cause) {
  if (!failure_.has_value()) failure_ = {.error = kind, .cause = std::string(cause)};
}

// ---- Responses

void Http2Session::OnBeginHeaders(int32_t number) {
  Entry* const entry = Find(number);
  if (entry == nullptr || entry->responded) return;
  entry->head = {.http_version = 2};
}

bool Http2Session::OnHeader(int32_t number, absl::string_view name, absl::string_view value) {
  Entry* const entry = Find(number);
  if (entry == nullptr || entry->responded) return true;  // trailers are ignored
  // Counts as SETTINGS_MAX_HEADER_LIST_SIZE defines.
  entry->header_bytes += name.size() + value.size() + 32;
  if (entry->header_bytes > limits_.max_header_bytes) {
    entry->mistake = "response headers too large";
    return false;
  }
  if (name == ":status") {
    if (absl::SimpleAtoi(value, &entry->head.status) && entry->head.status >= 100) return true;
    entry->mistake = "malformed HTTP status code";
    return false;
  }
  if (!absl::StartsWith(name, ":")) {
    entry->head.headers.Add(name, value);
  }
  return true;
}

void Http2Session::OnFrame(const nghttp2_frame& frame) {
  switch (frame.hd.type) {
    case NGHTTP2_SETTINGS:
      if ((frame.hd.flags & NGHTTP2_FLAG_ACK) != 0) return;
      return OnLimit(nghttp2_session_get_remote_settings(connection_.get(),
                                                         NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS));
    case NGHTTP2_GOAWAY:
      going_away_ = true;
      last_processed_ = frame.goaway.last_stream_id;
      return;
    case NGHTTP2_HEADERS:
    case NGHTTP2_DATA: {
      Entry* const entry = Find(frame.hd.stream_id);
      if (entry == nullptr) return;
      if (frame.hd.type == NGHTTP2_HEADERS) OnHeadersEnd(*entry);
      if ((frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) OnResponseEnd(*entry->stream);
      return;
    }
    default:
      return;
  }
}

// Ends the streams that the server does not allow to start now. nghttp2 would delay them until
// others end, which may be watches; elsewhere they can start at once. A server that allows no
// streams at all is treated as if it had sent GOAWAY.
void Http2Session::OnLimit(uint32_t limit) {
  if (limit == 0) {
    going_away_ = true;
  } else {
    limit_ = static_cast<int>(std::min(limit, uint32_t{INT32_MAX}));
  }
  std::vector<Stream*> unsent;
  for (const auto& [stream, entry] : entries_) {
    if (!entry.sent) unsent.push_back(stream);
  }
  const size_t sent = entries_.size() - unsent.size();
  const size_t room = limit > sent ? limit - sent : 0;
  if (unsent.size() <= room) return;
  // nghttp2 sends requests in the order of their numbers.
  std::sort(unsent.begin(), unsent.end(),
            [this](Stream* a, Stream* b) { return entries_.at(a).number < entries_.at(b).number; });
  for (size_t i = room; i < unsent.size(); ++i) {
    Cancel(*unsent[i]);
    unsent[i]->OnEnd(
        {.error = TransportErrorKind::kLost,
         .cause = absl::StrCat("the server allows ", limit, " concurrent streams per connection"),
         .unprocessed = true});
  }
}

void Http2Session::OnHeadersEnd(Entry& entry) {
  if (entry.responded || entry.head.status < 200) return;  // trailers; or 1xx
  entry.responded = true;
  entry.stream->OnHead(std::move(entry.head));
}

// Ends the stream even if its request is not sent completely: the socket may have no room.
void Http2Session::OnResponseEnd(Stream& stream) {
  const auto node = entries_.extract(&stream);
  const Entry& entry = node.mapped();
  nghttp2_session_set_stream_user_data(connection_.get(), entry.number, nullptr);
  const auto& body = stream.request().body;
  if (body != nullptr && entry.body_sent < body->size()) {
    // The server does not need the rest of the request.
    connection_.Reset(entry.number, NGHTTP2_NO_ERROR);
  }
  stream.OnEnd({});
}

void Http2Session::OnData(int32_t number, absl::string_view data) {
  nghttp2_session_consume_connection(connection_.get(), data.size());
  Entry* const entry = Find(number);
  if (entry == nullptr) return;
  entry->unconsumed += data.size();
  if (!entry->stream->OnData(data)) return;
  nghttp2_session_consume_stream(connection_.get(), number, std::exchange(entry->unconsumed, 0));
}

// Called by nghttp2 when a stream is closed before its response is complete.
void Http2Session::OnStreamClosed(int32_t number, uint32_t error_code) {
  Entry* const found = Find(number);
  if (found == nullptr) return;
  Stream& stream = *found->stream;
  const auto node = entries_.extract(&stream);
  const Entry& entry = node.mapped();
  if (entry.mistake != nullptr) {
    return stream.OnEnd({.error = TransportErrorKind::kProtocol, .cause = entry.mistake});
  }
  if (number > last_processed_ || !entry.sent) {
    return stream.OnEnd({.error = TransportErrorKind::kLost,
                         .cause = "the server sent GOAWAY",
                         .unprocessed = !entry.responded});
  }
  StreamEnd end = {
      .error = TransportErrorKind::kReset,
      .cause = absl::StrCat("the server reset the stream: ", nghttp2_http2_strerror(error_code)),
      .unprocessed = error_code == NGHTTP2_REFUSED_STREAM && !entry.responded};
  // nghttp2 found the response malformed.
  if (error_code == NGHTTP2_PROTOCOL_ERROR) end.error = TransportErrorKind::kProtocol;
  stream.OnEnd(std::move(end));
}

}  // namespace

std::unique_ptr<Session> MakeHttp2Session(const SessionLimits& limits) {
  return std::make_unique<Http2Session>(limits);
}

}  // namespace kube::httpclient::internal
