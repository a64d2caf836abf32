#ifndef NET_SPDY_CONNECTION_H_
#define NET_SPDY_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"
#include "net/spdy/frame_writer.h"

namespace kube::spdy {

struct ConnectionOptions {
  Role role = Role::kClient;
  Limits limits = {};
  // The number of streams that the peer may have open at a time; it is told kRefusedStream for
  // more.
  size_t max_peer_streams = 10'000;
  // The id of the first stream that this side opens; zero means 1 for a client and 2 for a server.
  StreamId first_stream_id = 0;
};

// One side of a SPDY/3.1 connection as Kubernetes speaks it, without a socket, a clock and a queue:
// bytes come in through Receive, and what is to be written is appended to a string of the caller's.
// (spdystream: `Connection`; k8s.io/streaming: `httpstream.Connection`)
//
//   Connection connection({.role = Role::kClient}, events);
//   KUBE_ASSIGN_OR_RETURN(const StreamId id, connection.OpenStream(headers, out));
//   ...
//   KUBE_RETURN_IF_ERROR(connection.SendData(id, data, out));  // after OnReply
//   KUBE_RETURN_IF_ERROR(connection.Finish(id, out));
//
// A stream is opened by one side and accepted by the reply of the other one; then both send data,
// each until it finishes. It is over when both have finished, or when one has reset it; nothing is
// delivered for it any more, and its id is unknown. Call Produce after each Receive, also if it
// fails: it answers pings and streams that are refused, and tells the peer that it was wrong.
//
// There is no flow control: a user that wants no more data must not call Receive, which stops all
// streams. SETTINGS and WINDOW_UPDATE are ignored, and so is the content of HEADERS.
//
// Unlike in spdystream, a reset is not the end of data but an event of its own; data before the
// reply, which spdystream throws away, resets the stream; and a peer that breaks the protocol is
// told so by GOAWAY.
//
// Thread-compatible.
class Connection {
 public:
  // What a peer does. Called from within Receive. The methods may call the connection, except for
  // Receive and EndOfInput.
  class Events {
   public:
    virtual ~Events() = default;

    // The peer opens a stream. Call Reply or Reset, now or later.
    virtual void OnStream(StreamId id, const http::Headers& headers) = 0;
    // The peer accepts a stream that this side has opened.
    virtual void OnReply(StreamId id, const http::Headers& headers) = 0;
    virtual void OnData(StreamId id, absl::string_view data) = 0;
    // The peer sends no more data on this stream.
    virtual void OnEnd(StreamId id) = 0;
    // The stream is over, and data may be missing. Before OnReply: the peer has refused it.
    virtual void OnReset(StreamId id, ResetStatus status) = 0;
    // The answer to a ping has arrived.
    virtual void OnPong(uint32_t /*ping_id*/) {}
    // The peer opens and accepts no more streams. Those of this side that it has not seen, whose
    // ids are greater, are reset with kRefusedStream after this call; others go on.
    virtual void OnGoAway(StreamId last_good_id, GoAwayStatus status) = 0;
  };

  // `events` must outlive the connection.
  Connection(const ConnectionOptions& options, Events& events);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Reads bytes from the peer, cut anywhere. An error is final and ends all streams, without
  // further events: DATA_LOSS if the peer breaks the protocol, RESOURCE_EXHAUSTED if it exceeds a
  // limit, or if it asks for answers and Produce is not called.
  absl::Status Receive(absl::string_view bytes);

  // Says that no more bytes come. Returns UNAVAILABLE if streams were open, which this ends.
  absl::Status EndOfInput();

  // Opens a stream. It carries data after OnReply. Returns FAILED_PRECONDITION after Close and
  // OnGoAway, RESOURCE_EXHAUSTED if all ids are used, and INVALID_ARGUMENT if the headers cannot be
  // sent (see FrameWriter).
  absl::StatusOr<StreamId> OpenStream(const http::Headers& headers, std::string& out);

  // Accepts a stream of the peer. Kubernetes sends no headers. Returns NOT_FOUND if the stream is
  // over, FAILED_PRECONDITION if it has a reply, and INVALID_ARGUMENT if the headers cannot be
  // sent.
  absl::Status Reply(StreamId id, std::string& out, const http::Headers& headers = {});

  // Append data, in frames of at most kMaxDataBytes, or the end of what this side sends, which is
  // an empty frame as in Kubernetes. Return NOT_FOUND if the stream is over, and
  // FAILED_PRECONDITION if it has no reply or this side has finished.
  absl::Status SendData(StreamId id, absl::string_view data, std::string& out);
  absl::Status Finish(StreamId id, std::string& out);

  // Ends a stream in both directions, without an event. Does nothing if it is over.
  void Reset(StreamId id, std::string& out, ResetStatus status = ResetStatus::kCancel);

  // Appends a ping, and returns the id with which OnPong is called.
  uint32_t SendPing(std::string& out);

  // Resets all streams and says GOAWAY, as Kubernetes does before it closes the TCP connection.
  // Streams that the peer opens from now on are ignored. Does nothing if called again.
  void Close(std::string& out);

  // Appends the answers that are due.
  void Produce(std::string& out);
  // Returns whether Produce has something to append.
  bool wants_output() const { return !answers_.empty(); }

  // Returns the number of streams that are not over.
  size_t open_streams() const { return streams_.size(); }
  // Returns whether no stream is open and none can be opened, so that the TCP connection may be
  // closed after what was appended has been written.
  bool done() const;

  static constexpr size_t kMaxDataBytes = size_t{32} << 10;

 private:
  struct Stream {
    bool replied = false;
    bool finished = false;       // this side sends no more
    bool peer_finished = false;  // the peer sends no more
  };

  absl::Status ReceiveFrames(absl::string_view bytes);
  void On(const SynStreamFrame& frame);
  void On(const SynReplyFrame& frame);
  void On(const RstStreamFrame& frame);
  void On(const HeadersFrame& frame);
  void On(const PingFrame& frame);
  void On(const GoAwayFrame& frame);
  void On(const DataPiece& piece);
  void On(const SettingsFrame&) {}
  void On(const WindowUpdateFrame&) {}

  // The peer sends no more on a stream, which may be over.
  void EndPeer(StreamId id);
  // Removes a stream from the table. Returns whether it was there.
  bool Forget(StreamId id);
  void Fail(absl::Status status);
  bool IsOwn(uint32_t id) const { return id % 2 == own_parity_; }
  // Returns the stream if this side may send on it.
  absl::StatusOr<Stream*> Writable(StreamId id);
  absl::StatusOr<Stream*> Find(StreamId id);

  const ConnectionOptions options_;
  Events& events_;
  const uint32_t own_parity_;
  FrameReader reader_;
  FrameWriter writer_;

  absl::btree_map<StreamId, Stream> streams_;
  size_t peer_streams_ = 0;  // those that the peer has opened
  uint64_t next_stream_id_;
  StreamId last_peer_id_ = 0;
  uint32_t next_ping_id_;

  std::string answers_;
  bool going_away_ = false;  // this side has said GOAWAY
  bool peer_going_away_ = false;
  bool input_ended_ = false;
  absl::Status failure_;
};

}  // namespace kube::spdy

#endif  // NET_SPDY_CONNECTION_H_
