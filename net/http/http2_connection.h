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

// HTTP/2 on one connection over nghttp2, what both sides have in common: bytes come in and go out,
// without a socket. What only clients or only servers say, they say to nghttp2 themselves: see get.
// Thread-compatible.
class Http2Connection {
 public:
  // What comes in, by the number of its stream. Called from within Receive and Produce.
  class Events {
   public:
    virtual ~Events() = default;

    virtual void OnBeginHeaders(int32_t stream) = 0;
    // False: the stream is reset.
    virtual bool OnHeader(int32_t stream, absl::string_view name, absl::string_view value) = 0;
    virtual void OnData(int32_t stream, absl::string_view data) = 0;
    // A whole frame, after what was in it.
    virtual void OnFrame(const nghttp2_frame& frame) = 0;
    virtual void OnFrameSent(const nghttp2_frame& frame) = 0;
    // nghttp2 knows it no more. NGHTTP2_NO_ERROR: all was said.
    virtual void OnStreamClosed(int32_t stream, uint32_t error_code) = 0;
    // Fills `buffer` with what follows of a body that was submitted with body(). As nghttp2 has it:
    // how much, and NGHTTP2_DATA_FLAG_EOF in `flags`; or NGHTTP2_ERR_DEFERRED.
    virtual ssize_t ReadBody(int32_t stream, char* buffer, size_t size, uint32_t& flags) = 0;
  };

  struct Options {
    bool server = false;
    absl::Span<const nghttp2_settings_entry> settings = {};
    // What the peer may send ahead, for all streams together.
    int32_t window = 0;
    // Whether windows grow by themselves. False: by nghttp2_session_consume_….
    bool auto_window = true;
    // RST_STREAM frames a second; a peer with more is sent away. Zero: nghttp2's limit.
    uint64_t max_resets = 0;
  };

  // `events` outlives it.
  Http2Connection(const Options& options, Events& events);
  Http2Connection(const Http2Connection&) = delete;
  Http2Connection& operator=(const Http2Connection&) = delete;

  // Null; or what is so wrong with what came that there is no connection any more.
  const char* Receive(absl::string_view bytes);
  // Appends what is to be sent, until `out` has about `limit` bytes. As Receive.
  const char* Produce(std::string& out, size_t limit);

  void Reset(int32_t stream, uint32_t error_code);
  void GoAway(uint32_t error_code);
  // For a request or response whose body Events::ReadBody gives.
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

// A header for a call that copies name and value, such as nghttp2_submit_request.
inline nghttp2_nv MakePair(absl::string_view name, absl::string_view value) {
  return {.name = reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          .value = reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),
          .namelen = name.size(),
          .valuelen = value.size(),
          .flags = NGHTTP2_NV_FLAG_NONE};
}

}  // namespace kube::http

#endif  // NET_HTTP_HTTP2_CONNECTION_H_
