#include "net/http/http2_connection.h"

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::http {
namespace {

// The longest header block that is sent, instead of nghttp2's 64 KiB. A stream with a longer one is
// reset.
constexpr size_t kMaxHeaderBlock = size_t{16} << 20;

absl::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

Http2Connection::Events& EventsOf(void* self) {
  return *static_cast<Http2Connection::Events*>(self);
}

}  // namespace

Http2Connection::Http2Connection(const Options& options, Events& events) : events_(events) {
  nghttp2_option* option = nullptr;
  nghttp2_option_new(&option);
  const std::unique_ptr<nghttp2_option, Free> freed(option);
  nghttp2_option_set_no_auto_window_update(option, options.auto_window ? 0 : 1);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_max_send_header_block_length(option, kMaxHeaderBlock);
  if (options.max_resets != 0) {
    nghttp2_option_set_stream_reset_rate_limit(option, options.max_resets, options.max_resets);
  }
  nghttp2_session* session = nullptr;
  const auto make = options.server ? nghttp2_session_server_new2 : nghttp2_session_client_new2;
  make(&session, Callbacks(), &events_, option);
  session_.reset(session);
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, options.settings.data(),
                          options.settings.size());
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, options.window);
}

nghttp2_session_callbacks* Http2Connection::Callbacks() {
  static nghttp2_session_callbacks* const callbacks = [] {
    nghttp2_session_callbacks* made = nullptr;
    nghttp2_session_callbacks_new(&made);
    nghttp2_session_callbacks_set_on_begin_headers_callback(
        made, [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
          EventsOf(self).OnBeginHeaders(frame->hd.stream_id);
          return 0;
        });
    nghttp2_session_callbacks_set_on_header_callback(
        made, [](nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                 size_t name_size, const uint8_t* value, size_t value_size, uint8_t, void* self) {
          const bool goes_on = EventsOf(self).OnHeader(frame->hd.stream_id, View(name, name_size),
                                                       View(value, value_size));
          return goes_on ? 0 : static_cast<int>(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE);
        });
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        made, [](nghttp2_session*, uint8_t, int32_t stream, const uint8_t* data, size_t size,
                 void* self) {
          EventsOf(self).OnData(stream, View(data, size));
          return 0;
        });
    nghttp2_session_callbacks_set_on_frame_recv_callback(
        made, [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
          EventsOf(self).OnFrame(*frame);
          return 0;
        });
    nghttp2_session_callbacks_set_on_frame_send_callback(
        made, [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
          EventsOf(self).OnFrameSent(*frame);
          return 0;
        });
    // Called when a frame cannot be sent, mostly because its header block is too long. A server
    // resets the stream, so that its client does not wait; for a client nghttp2 closes the stream
    // by itself.
    nghttp2_session_callbacks_set_on_frame_not_send_callback(
        made, [](nghttp2_session* session, const nghttp2_frame* frame, int, void*) {
          if (frame->hd.type != NGHTTP2_HEADERS) return 0;
          if (nghttp2_session_check_server_session(session) == 0) return 0;
          return nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                           NGHTTP2_INTERNAL_ERROR);
        });
    nghttp2_session_callbacks_set_on_stream_close_callback(
        made, [](nghttp2_session*, int32_t stream, uint32_t error_code, void* self) {
          EventsOf(self).OnStreamClosed(stream, error_code);
          return 0;
        });
    return made;
  }();
  return callbacks;
}

const char* Http2Connection::Receive(absl::string_view bytes) {
  const ssize_t result =
      nghttp2_session_mem_recv(get(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return result < 0 ? nghttp2_strerror(static_cast<int>(result)) : nullptr;
}

const char* Http2Connection::Produce(std::string& out, size_t limit) {
  while (out.size() < limit) {
    const uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(get(), &data);
    if (size < 0) return nghttp2_strerror(static_cast<int>(size));
    if (size == 0) return nullptr;
    out.append(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
  }
  return nullptr;
}

void Http2Connection::Reset(int32_t stream, uint32_t error_code) {
  nghttp2_submit_rst_stream(get(), NGHTTP2_FLAG_NONE, stream, error_code);
}

void Http2Connection::GoAway(uint32_t error_code) {
  nghttp2_submit_goaway(get(), NGHTTP2_FLAG_NONE, nghttp2_session_get_last_proc_stream_id(get()),
                        error_code, nullptr, 0);
}

nghttp2_data_provider Http2Connection::body() {
  return {.source = {.ptr = nullptr},
          .read_callback = [](nghttp2_session*, int32_t stream, uint8_t* buffer, size_t size,
                              uint32_t* flags, nghttp2_data_source*, void* self) {
            return EventsOf(self).ReadBody(stream, reinterpret_cast<char*>(buffer), size, *flags);
          }};
}

}  // namespace kube::http
