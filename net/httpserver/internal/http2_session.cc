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

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/http/headers.h"
#include "net/http/http2_connection.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/internal/stream.h"

namespace kube::httpserver::internal {

// Each request has an Entry from its first HEADERS frame until nghttp2 closes its stream. Until
// END_STREAM the entry collects header and body; then it gets a Stream and the handler is called. A
// request that is refused gets a Stream that is already answered, and the rest of it is ignored; it
// stays open until the client ends it. Submit passes the head to nghttp2; the body is pulled by
// ReadBody when the client's windows allow. If the stream has nothing, ReadBody returns
// NGHTTP2_ERR_DEFERRED, and the stream's `wake` leads to Wake and Submit, which resumes it.
//
// An answer that the client's flow control holds back for write_timeout is reset by OnTick.

namespace {

using http::MakePair;

// The receive window of the connection, and of each stream.
constexpr int32_t kConnectionWindow = 1 << 20;

// RST_STREAM frames a second; a client that sends more is attacking and is disconnected. nghttp2's
// default of 33 is too low: libcurl 7.88 sends one after each response without content-length.
constexpr uint64_t kMaxResets = 20'000;

constexpr absl::string_view kTooMuch = "too many bytes of pending requests";

using Settings = std::array<nghttp2_settings_entry, 3>;
Settings SettingsOf(const ServerOptions& options) {
  return {{{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, options.max_concurrent_streams},
           {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<uint32_t>(options.max_header_bytes)},
           {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kConnectionWindow}}};
}

// Handles all requests of a connection concurrently, over nghttp2.
class Http2Session final : public Session, private http::Http2Connection::Events {
 public:
  explicit Http2Session(SessionEnvironment environment);

  void Receive(absl::string_view bytes) override;
  void EndOfInput() override { input_ended_ = true; }
  // Input is limited by nghttp2's flow control.
  bool wants_input() const override { return true; }
  void Produce(std::string& out, size_t limit) override;
  void OnOutputSent() override {}
  void Wake(int32_t number) override;
  void Shutdown() override;
  bool finished() const override;
  bool drops_output() const override { return false; }
  bool output_ended() const override { return false; }
  bool broken() const override { return broken_; }
  Activity activity() const override;
  bool awaits_handler() const override;
  bool OnTick(base::MonotonicTime now) override;
  void Close(const absl::Status& why) override;
  void SendGoAway(uint32_t error_code) override;
  void ResetStreams(uint32_t error_code) override;

 private:
  // A request that is being received, and then its answer.
  struct Entry {
    explicit Entry(std::shared_ptr<MemoryLimit> limit) : held(std::move(limit)) {}

    Request request;
    HeldMemory held;
    size_t header_bytes = 0;
    std::string cookies;             // all cookie headers so far, joined
    std::shared_ptr<Stream> stream;  // set at the end of the request
    bool headers_sent = false;
    bool trailers_sent = false;
    // Since when the client takes none of the waiting bytes; nullopt if it does.
    std::optional<base::MonotonicTime> blocked_since;
  };

  void OnBeginHeaders(int32_t number) override;
  bool OnHeader(int32_t number, absl::string_view name, absl::string_view value) override;
  void OnData(int32_t number, absl::string_view data) override;
  void OnFrame(const nghttp2_frame& frame) override;
  void OnFrameSent(const nghttp2_frame&) override {}
  void OnStreamClosed(int32_t number, uint32_t error_code) override;
  ssize_t ReadBody(int32_t number, char* buffer, size_t size, uint32_t& flags) override;

  void OnEndOfRequest(int32_t number);
  Entry* Find(int32_t number);
  // Returns whether nghttp2 has the complete answer. A client that continues to send a refused
  // request keeps the stream open, which must not keep the connection open.
  static bool IsDone(const Entry& entry);
  // Returns whether the client's flow control holds the answer back.
  bool IsHeldBack(int32_t number, const Entry& entry, bool others_move) const;
  void AddHeader(Entry& entry, absl::string_view name, absl::string_view value);
  // Answers a request without showing it to the handler.
  void Refuse(int32_t number, int status, absl::string_view reason);
  // Passes what the stream has to nghttp2.
  void Submit(int32_t number, Entry& entry);
  void SubmitHead(int32_t number, Entry& entry, const ResponseHead& head);

  SessionEnvironment environment_;
  http::Http2Connection connection_;
  std::unordered_map<int32_t, Entry> entries_;
  int64_t seen_answer_bytes_ = 0;  // progress->answer_bytes at the last tick
  bool input_ended_ = false;
  bool broken_ = false;
  bool closed_ = false;
};

Http2Session::Http2Session(SessionEnvironment environment)
    : environment_(std::move(environment)),
      connection_({.server = true,
                   .settings = SettingsOf(*environment_.options),
                   .window = kConnectionWindow,
                   .max_resets = kMaxResets},
                  *this) {}

void Http2Session::OnFrame(const nghttp2_frame& frame) {
  const bool carries_request = frame.hd.type == NGHTTP2_HEADERS || frame.hd.type == NGHTTP2_DATA;
  if (!carries_request || (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return;
  OnEndOfRequest(frame.hd.stream_id);
}

void Http2Session::Receive(absl::string_view bytes) {
  if (closed_ || broken_) return;
  // The client does not speak HTTP/2 at all. nghttp2 itself answers errors within HTTP/2.
  if (connection_.Receive(bytes) != nullptr) broken_ = true;
}

void Http2Session::Produce(std::string& out, size_t limit) {
  if (!closed_ && connection_.Produce(out, limit) != nullptr) broken_ = true;
}

void Http2Session::Wake(int32_t number) {
  Entry* const entry = Find(number);
  if (entry == nullptr || entry->stream == nullptr) return;
  Submit(number, *entry);
}

void Http2Session::Shutdown() {
  if (closed_) return;
  connection_.GoAway(NGHTTP2_NO_ERROR);
}

bool Http2Session::finished() const {
  // A client that closes its sending side is not expected to read any longer.
  if (closed_ || broken_ || input_ended_) return true;
  return nghttp2_session_want_read(connection_.get()) == 0 &&
         nghttp2_session_want_write(connection_.get()) == 0;
}

Activity Http2Session::activity() const {
  Activity activity = Activity::kIdle;
  for (const auto& [number, entry] : entries_) {
    if (entry.stream == nullptr) {
      activity = Activity::kReadingBody;
    } else if (!IsDone(entry)) {
      return Activity::kResponding;
    }
  }
  return activity;
}

bool Http2Session::IsDone(const Entry& entry) {
  return entry.headers_sent && entry.stream->is_answered() && entry.stream->buffered_bytes() == 0;
}

bool Http2Session::awaits_handler() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& numbered) {
    const std::shared_ptr<Stream>& stream = numbered.second.stream;
    return stream != nullptr && !stream->is_answered();
  });
}

// Times out what waits for a WINDOW_UPDATE; what waits for the socket is the connection's task.
bool Http2Session::OnTick(base::MonotonicTime now) {
  const absl::Duration timeout = environment_.options->write_timeout;
  if (closed_ || timeout <= absl::ZeroDuration()) return false;
  const int64_t answer_bytes = environment_.progress->answer_bytes;
  const bool others_move = std::exchange(seen_answer_bytes_, answer_bytes) != answer_bytes;
  bool has_reset = false;
  for (auto& [number, entry] : entries_) {
    if (!IsHeldBack(number, entry, others_move)) {
      entry.blocked_since.reset();
    } else if (!entry.blocked_since.has_value()) {
      entry.blocked_since = now;
    } else if (now - *entry.blocked_since >= timeout) {
      ++environment_.counters->slow_readers;
      entry.blocked_since = base::MonotonicTime::Infinite();  // only once
      connection_.Reset(number, NGHTTP2_CANCEL);
      has_reset = true;
    }
  }
  return has_reset;
}

// An answer that waits for its turn is not held back: the answers share the connection's window,
// and as long as one of them makes progress, the client reads.
bool Http2Session::IsHeldBack(int32_t number, const Entry& entry, bool others_move) const {
  if (entry.stream == nullptr || entry.stream->buffered_bytes() == 0) return false;
  if (nghttp2_session_get_stream_remote_window_size(connection_.get(), number) <= 0) return true;
  return !others_move && nghttp2_session_get_remote_window_size(connection_.get()) <= 0;
}

void Http2Session::Close(const absl::Status& why) {
  if (std::exchange(closed_, true)) return;
  for (auto& [number, entry] : entries_) {
    if (entry.stream != nullptr) CloseStream(environment_, *entry.stream, why);
  }
  entries_.clear();
}

void Http2Session::SendGoAway(uint32_t error_code) {
  if (closed_) return;
  connection_.GoAway(error_code);
}

void Http2Session::ResetStreams(uint32_t error_code) {
  if (closed_) return;
  for (const auto& [number, entry] : entries_) {
    connection_.Reset(number, error_code);
  }
}

void Http2Session::OnBeginHeaders(int32_t number) {
  entries_.try_emplace(number, environment_.memory);
}

bool Http2Session::OnHeader(int32_t number, absl::string_view name, absl::string_view value) {
  Entry* const entry = Find(number);
  if (entry == nullptr || entry->stream != nullptr) return true;
  // Counts as SETTINGS_MAX_HEADER_LIST_SIZE defines.
  entry->header_bytes += name.size() + value.size() + 32;
  if (entry->header_bytes > environment_.options->max_header_bytes) {
    Refuse(number, 431, "request headers too large");
    return true;
  }
  if (!entry->held.Add(name.size() + value.size() + 32)) {
    Refuse(number, 503, kTooMuch);
    return true;
  }
  AddHeader(*entry, name, value);
  return true;
}

void Http2Session::AddHeader(Entry& entry, absl::string_view name, absl::string_view value) {
  Request& request = entry.request;
  if (name == ":method") {
    request.method = std::string(value);
  } else if (name == ":path") {
    request.target = std::string(value);
  } else if (name == ":authority") {
    request.headers.Set("host", value);
  } else if (name == "cookie") {
    // HTTP/2 clients split cookies to compress them better; handlers see a single header.
    absl::StrAppend(&entry.cookies, entry.cookies.empty() ? "" : "; ", value);
  } else if (!absl::StartsWith(name, ":")) {
    request.headers.Add(name, value);
  }
}

void Http2Session::OnData(int32_t number, absl::string_view data) {
  Entry* const entry = Find(number);
  if (entry == nullptr || entry->stream != nullptr) return;
  if (entry->request.body.size() + data.size() > environment_.options->max_body_bytes) {
    Refuse(number, 413,
           absl::StrCat("request body too large: the limit is ",
                        environment_.options->max_body_bytes, " bytes"));
    return;
  }
  if (!entry->held.Add(data.size())) {
    Refuse(number, 503, kTooMuch);
    return;
  }
  environment_.progress->body_bytes += static_cast<int64_t>(data.size());
  absl::StrAppend(&entry->request.body, data);
}

void Http2Session::OnEndOfRequest(int32_t number) {
  Entry* const entry = Find(number);
  if (entry == nullptr || entry->stream != nullptr) return;
  entry->request.http_version = 2;
  entry->request.headers.Remove("expect");
  if (!entry->cookies.empty()) entry->request.headers.Add("cookie", entry->cookies);
  entry->cookies = {};
  entry->stream = OpenStream(environment_, WithConnection(environment_, std::move(entry->request)),
                             std::move(entry->held), number);
  environment_.handler->Handle(ForHandler(entry->stream));
  Submit(number, *entry);
}

void Http2Session::OnStreamClosed(int32_t number, uint32_t error_code) {
  const auto found = entries_.find(number);
  if (found == entries_.end()) return;
  const std::shared_ptr<Stream> stream = std::move(found->second.stream);
  entries_.erase(found);
  if (stream == nullptr) return;
  CloseStream(environment_, *stream,
              absl::CancelledError(error_code == NGHTTP2_NO_ERROR
                                       ? "the response is complete"
                                       : absl::StrCat("the client reset the stream: ",
                                                      nghttp2_http2_strerror(error_code))));
}

Http2Session::Entry* Http2Session::Find(int32_t number) {
  const auto found = entries_.find(number);
  return found == entries_.end() ? nullptr : &found->second;
}

void Http2Session::Refuse(int32_t number, int status, absl::string_view reason) {
  Entry* const entry = Find(number);
  // The stream has an empty request; the rest of the client's request is read and ignored.
  entry->stream = OpenStream(environment_, {}, {}, number);
  Response response = {.status = status,
                       .headers = {{"content-type", "text/plain; charset=utf-8"}},
                       .body = absl::StrCat(reason, "\n")};
  if (status == 503) response.headers.Add("retry-after", "1");
  entry->stream->Respond(std::move(response));
  entry->request = {};
  entry->cookies = {};
  entry->held = {};
  Submit(number, *entry);
}

void Http2Session::Submit(int32_t number, Entry& entry) {
  if (entry.headers_sent) {
    nghttp2_session_resume_data(connection_.get(), number);
    if (entry.stream->phase() == Stream::Phase::kAborted) {
      connection_.Reset(number, NGHTTP2_INTERNAL_ERROR);
    }
    return;
  }
  while (entry.stream->phase() == Stream::Phase::kReady && !entry.headers_sent) {
    const std::optional<ResponseHead> head = entry.stream->TakeHead();
    if (!head.has_value()) break;
    SubmitHead(number, entry, *head);
  }
  if (!entry.headers_sent && entry.stream->phase() == Stream::Phase::kAborted) {
    connection_.Reset(number, NGHTTP2_INTERNAL_ERROR);
  }
}

void Http2Session::SubmitHead(int32_t number, Entry& entry, const ResponseHead& head) {
  const std::string status = absl::StrCat(head.status);
  const std::string length = absl::StrCat(head.content_length.value_or(0));
  const std::string date = HttpDate();
  const bool informational = head.status < 200;
  const bool has_no_body = head.status == 204 || head.status == 304;
  const bool is_head = entry.stream->request().method == "HEAD";
  std::vector<nghttp2_nv> pairs = {MakePair(":status", status)};
  for (const http::Header& header : head.headers) {
    if (IsConnectionHeader(header.name)) continue;
    if (header.name == "content-length" && !(is_head && !head.content_length)) continue;
    pairs.push_back(MakePair(header.name, header.value));
  }
  if (head.content_length && !has_no_body) pairs.push_back(MakePair("content-length", length));
  if (!informational && !head.headers.Get("date")) pairs.push_back(MakePair("date", date));
  if (informational) {
    nghttp2_submit_headers(connection_.get(), NGHTTP2_FLAG_NONE, number, nullptr, pairs.data(),
                           pairs.size(), nullptr);
    return;
  }
  entry.headers_sent = true;
  const nghttp2_data_provider body = connection_.body();
  const bool without_body = has_no_body || is_head;
  nghttp2_submit_response(connection_.get(), number, pairs.data(), pairs.size(),
                          without_body ? nullptr : &body);
}

ssize_t Http2Session::ReadBody(int32_t number, char* buffer, size_t size, uint32_t& flags) {
  Entry* const entry = Find(number);
  if (entry == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  Stream& stream = *entry->stream;
  const size_t taken = stream.Read(buffer, size);
  if (taken != 0) entry->blocked_since.reset();
  environment_.progress->answer_bytes += static_cast<int64_t>(taken);
  switch (stream.phase()) {
    case Stream::Phase::kAborted:
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // RST_STREAM
    case Stream::Phase::kWaiting:
      if (taken == 0) return NGHTTP2_ERR_DEFERRED;
      break;
    case Stream::Phase::kReady:
    case Stream::Phase::kSwitched:  // not over HTTP/2
      break;
    case Stream::Phase::kFinished: {
      flags |= NGHTTP2_DATA_FLAG_EOF;
      const http::Headers trailers = stream.TakeTrailers();
      if (trailers.empty()) break;
      std::vector<nghttp2_nv> pairs;
      for (const http::Header& trailer : trailers) {
        pairs.push_back(MakePair(trailer.name, trailer.value));
      }
      flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      nghttp2_submit_trailer(connection_.get(), number, pairs.data(), pairs.size());
      break;
    }
  }
  return static_cast<ssize_t>(taken);
}

}  // namespace

std::unique_ptr<Session> MakeHttp2Session(SessionEnvironment environment) {
  return std::make_unique<Http2Session>(std::move(environment));
}

}  // namespace kube::httpserver::internal
