#ifndef NET_HTTP_HTTP2_CONNECTION_H_
#define NET_HTTP_HTTP2_CONNECTION_H_

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::http {

// HTTP/2 on one connection over nghttp2: the part that clients and servers share. It has no socket;
// bytes come in through Receive and go out through Produce. What only one side needs, it asks of
// nghttp2 itself: see get(). Thread-compatible.
class Http2Connection {
 public:
  // Receives what arrives, by stream number. Called from within Receive and Produce.
  class Events {
   public:
    virtual ~Events() = default;

    virtual void OnBeginHeaders(int32_t stream) = 0;
    // Returns false to reset the stream.
    virtual bool OnHeader(int32_t stream, absl::string_view name, absl::string_view value) = 0;
    virtual void OnData(int32_t stream, absl::string_view data) = 0;
    // Called for each complete frame, after the callbacks for its contents.
    virtual void OnFrame(const nghttp2_frame& frame) = 0;
    virtual void OnFrameSent(const nghttp2_frame& frame) = 0;
    // nghttp2 has forgotten the stream. NGHTTP2_NO_ERROR means that it was complete.
    virtual void OnStreamClosed(int32_t stream, uint32_t error_code) = 0;
    // Writes the next part of a body that was submitted with body() to `buffer`. As nghttp2 defines
    // it, returns the number of bytes and sets NGHTTP2_DATA_FLAG_EOF in `flags` at the end, or
    // returns NGHTTP2_ERR_DEFERRED if no bytes are available yet.
    virtual ssize_t ReadBody(int32_t stream, char* buffer, size_t size, uint32_t& flags) = 0;
  };

  struct Options {
    bool server = false;
    absl::Span<const nghttp2_settings_entry> settings = {};
    // The receive window of the connection, for all streams together.
    int32_t window = 0;
    // Whether windows are replenished automatically, or by nghttp2_session_consume_….
    bool auto_window = true;
    // Maximum number of RST_STREAM frames a second; a peer that sends more is disconnected. Zero:
    // nghttp2's default.
    uint64_t max_resets = 0;
  };

  // Starts with the SETTINGS of `options`. `events` must outlive the connection.
  Http2Connection(const Options& options, Events& events);
  Http2Connection(const Http2Connection&) = delete;
  Http2Connection& operator=(const Http2Connection&) = delete;

  // Handles bytes from the peer. Returns null, or the reason if the connection is unusable.
  const char* Receive(absl::string_view bytes);
  // Appends bytes to be sent to `out`, until it has about `limit` bytes. Returns as Receive.
  const char* Produce(std::string& out, size_t limit);

  void Reset(int32_t stream, uint32_t error_code);
  void GoAway(uint32_t error_code);
  // Returns the data source of a message whose body Events::ReadBody supplies.
  nghttp2_data_provider body();

  nghttp2_session* get() const { return session_.get(); }

 private:
  struct Free {
    void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
    void operator()(nghttp2_option* option) const { nghttp2_option_del(option); }
  };

  static nghttp2_session_callbacks* Callbacks();

  Events& events_;
  std::unique_ptr<nghttp2_session, Free> session_;
};

// Makes a header for functions that copy name and value, such as nghttp2_submit_request.
inline nghttp2_nv MakePair(absl::string_view name, absl::string_view value) {
  return {.name = reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          .value = reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),
          .namelen = name.size(),
          .valuelen = value.size(),
          .flags = NGHTTP2_NV_FLAG_NONE};
}

}  // namespace kube::http

#endif  // NET_HTTP_HTTP2_CONNECTION_H_
