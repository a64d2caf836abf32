#ifndef NET_HTTPCLIENT_TESTING_FAKE_HTTP2_PEER_H_
#define NET_HTTPCLIENT_TESTING_FAKE_HTTP2_PEER_H_

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::httpclient::internal {

// The server's side of an HTTP/2 connection, for tests of clients. It records what nghttp2
// receives, and sends what the test tells it to. Thread-compatible.
class Http2Peer {
 public:
  using HeaderList = std::vector<std::pair<std::string, std::string>>;

  struct Exchange {
    HeaderList header;
    std::string body;
    bool complete = false;
    std::optional<uint32_t> reset;
    // The response.
    std::string answer;
    size_t answer_sent = 0;
    bool answered = false;
    HeaderList trailers;
  };

  explicit Http2Peer(const std::vector<nghttp2_settings_entry>& settings = {}) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, &OnHeader);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &OnData);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &OnFrame);
    nghttp2_session_server_new(&session_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    Settings(settings);
  }
  ~Http2Peer() { nghttp2_session_del(session_); }
  Http2Peer(const Http2Peer&) = delete;
  Http2Peer& operator=(const Http2Peer&) = delete;

  nghttp2_session* session() { return session_; }
  // Returns the exchanges by stream number.
  std::map<int32_t, Exchange>& exchanges() { return exchanges_; }
  int pings() const { return pings_; }
  int pongs() const { return pongs_; }
  const std::optional<uint32_t>& goaway() const { return goaway_; }

  void Settings(const std::vector<nghttp2_settings_entry>& settings) {
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  }
  void Inform(int32_t number, const HeaderList& header) {
    const std::vector<nghttp2_nv> pairs = Pairs(header);
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, number, nullptr, pairs.data(), pairs.size(),
                           nullptr);
  }
  // Sends a response with `body`, which is complete if `end` is true; otherwise More continues it.
  void Answer(int32_t number, const HeaderList& header, const std::string& body, bool end = true,
              const HeaderList& trailers = {}) {
    Exchange& exchange = exchanges_[number];
    exchange.answer = body;
    exchange.answer_sent = 0;
    exchange.answered = end;
    exchange.trailers = trailers;
    const std::vector<nghttp2_nv> pairs = Pairs(header);
    nghttp2_data_provider provider = {.source = {.ptr = &exchange}, .read_callback = &ReadAnswer};
    nghttp2_submit_response(session_, number, pairs.data(), pairs.size(),
                            end && body.empty() && trailers.empty() ? nullptr : &provider);
  }
  void More(int32_t number, const std::string& body, bool end) {
    exchanges_[number].answer += body;
    exchanges_[number].answered = end;
    nghttp2_session_resume_data(session_, number);
  }
  void Reset(int32_t number, uint32_t code) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, number, code);
  }
  void GoAway(int32_t last, uint32_t code = 0) {
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, last, code, nullptr, 0);
  }

  void Receive(absl::string_view bytes) {
    EXPECT_EQ(nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(bytes.data()),
                                       bytes.size()),
              bytes.size());
  }
  std::string Produce() {
    std::string all;
    const uint8_t* data = nullptr;
    for (ssize_t size; (size = nghttp2_session_mem_send(session_, &data)) > 0;) {
      all.append(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
    }
    return all;
  }

 private:
  static Http2Peer& Of(void* peer) { return *static_cast<Http2Peer*>(peer); }
  static std::vector<nghttp2_nv> Pairs(const HeaderList& header) {
    std::vector<nghttp2_nv> pairs;
    for (const auto& [name, value] : header) {
      pairs.push_back({.name = reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                       .value = reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),
                       .namelen = name.size(),
                       .valuelen = value.size(),
                       .flags = NGHTTP2_NV_FLAG_NONE});
    }
    return pairs;
  }
  static int OnHeader(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                      size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                      void* self) {
    Of(self).exchanges_[frame->hd.stream_id].header.emplace_back(
        std::string(reinterpret_cast<const char*>(name), name_size),
        std::string(reinterpret_cast<const char*>(value), value_size));
    return 0;
  }
  static int OnData(nghttp2_session*, uint8_t, int32_t number, const uint8_t* data, size_t size,
                    void* self) {
    Of(self).exchanges_[number].body.append(reinterpret_cast<const char*>(data), size);
    return 0;
  }
  static int OnFrame(nghttp2_session*, const nghttp2_frame* frame, void* self) {
    Http2Peer& peer = Of(self);
    const bool ack = (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0;
    switch (frame->hd.type) {
      case NGHTTP2_HEADERS:
      case NGHTTP2_DATA:
        if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
          peer.exchanges_[frame->hd.stream_id].complete = true;
        }
        break;
      case NGHTTP2_RST_STREAM:
        peer.exchanges_[frame->hd.stream_id].reset = frame->rst_stream.error_code;
        break;
      case NGHTTP2_PING:
        ++(ack ? peer.pongs_ : peer.pings_);
        break;
      case NGHTTP2_GOAWAY:
        peer.goaway_ = frame->goaway.error_code;
        break;
      default:
        break;
    }
    return 0;
  }
  static ssize_t ReadAnswer(nghttp2_session* session, int32_t number, uint8_t* buffer, size_t room,
                            uint32_t* flags, nghttp2_data_source* source, void*) {
    Exchange& exchange = *static_cast<Exchange*>(source->ptr);
    const size_t size = std::min(room, exchange.answer.size() - exchange.answer_sent);
    if (size == 0 && !exchange.answered) return NGHTTP2_ERR_DEFERRED;
    std::copy_n(exchange.answer.data() + exchange.answer_sent, size, buffer);
    exchange.answer_sent += size;
    if (!exchange.answered || exchange.answer_sent < exchange.answer.size()) {
      return static_cast<ssize_t>(size);
    }
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (!exchange.trailers.empty()) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const std::vector<nghttp2_nv> pairs = Pairs(exchange.trailers);
      nghttp2_submit_trailer(session, number, pairs.data(), pairs.size());
    }
    return static_cast<ssize_t>(size);
  }

  nghttp2_session* session_ = nullptr;
  std::map<int32_t, Exchange> exchanges_;
  int pings_ = 0;
  int pongs_ = 0;
  std::optional<uint32_t> goaway_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_TESTING_FAKE_HTTP2_PEER_H_
