#ifndef CLIENTSET_REMOTECOMMAND_TESTING_PEERS_H_
#define CLIENTSET_REMOTECOMMAND_TESTING_PEERS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/remotecommand/protocol.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"

// The server's side of sessions, driven by tests: over a stream of bytes, after HTTP.
namespace kube::remotecommand {

// What both peers have in common. Thread-compatible.
class Peer {
 public:
  explicit Peer(std::unique_ptr<io::DuplexStream> connection)
      : connection_(std::move(connection)) {}
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Returns the next thing that the client does, such as "stdin abc" (see the classes), after
  // answering what it asks for. Returns "EOF" when it has closed the connection, and an error's
  // text, such as "CANCELLED: ...", if it cannot be read.
  std::string Next(const Context& ctx) {
    while (events_.empty()) {
      absl::StatusOr<std::string> bytes = connection_->Read(ctx);
      if (!bytes.ok()) {
        broken_ = true;
        return bytes.status().ToString();
      }
      if (bytes->empty()) return "EOF";
      const absl::Status status = Receive(*bytes);
      if (!status.ok()) Add(status.ToString());
      if (answers_) Flush(ctx);
    }
    std::string event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  // Reads and drops what the client does until it has closed the connection.
  void Drain(const Context& ctx) {
    while (Next(ctx) != "EOF" && !broken_) {
    }
  }

  // Whether pings and other questions are answered. Default: yes.
  void set_answers(bool answers) { answers_ = answers; }

  // Sends bytes as they are.
  void SendBytes(const Context& ctx, absl::string_view bytes) {
    connection_->Write(ctx, bytes).IgnoreError();  // the client may have gone
  }
  // Ends the connection without a word.
  void CloseConnection() { connection_->Close(); }

 protected:
  void Add(std::string event) { events_.push_back(std::move(event)); }
  virtual absl::Status Receive(absl::string_view bytes) = 0;
  virtual void Flush(const Context& ctx) = 0;

 private:
  const std::unique_ptr<io::DuplexStream> connection_;
  std::deque<std::string> events_;
  bool answers_ = true;
  bool broken_ = false;
};

// A server that speaks by WebSocket. Events: "stdin abc", "resize {...}\n", "end stdin" (version
// 5), "ping 1", "close 1000 (normal)".
class WebSocketPeer final : public Peer, private websocket::Connection::Events {
 public:
  explicit WebSocketPeer(std::unique_ptr<io::DuplexStream> connection)
      : Peer(std::move(connection)), websocket_({.role = websocket::Role::kServer}, *this) {}

  void Send(const Context& ctx, Channel channel, absl::string_view data) {
    const char number = static_cast<char>(channel);
    SendMessage(ctx, websocket::MessageType::kBinary,
                absl::StrCat(absl::string_view(&number, 1), data));
  }
  void SendMessage(const Context& ctx, websocket::MessageType type, absl::string_view message) {
    std::string out;
    KUBE_CHECK_OK(websocket_.SendMessage(type, message, out));
    SendBytes(ctx, out);
  }
  // Ends as Kubernetes does: the outcome, and a close frame.
  void Finish(const Context& ctx, const absl::Status& outcome) {
    Send(ctx, Channel::kError, EncodeOutcome(outcome));
    SendClose(ctx, websocket::CloseCode::kNormal);
  }
  void SendClose(const Context& ctx, websocket::CloseCode code) {
    std::string out;
    KUBE_CHECK_OK(websocket_.SendClose({.code = code}, out));
    SendBytes(ctx, out);
  }

 private:
  absl::Status Receive(absl::string_view bytes) override { return websocket_.Receive(bytes); }
  void Flush(const Context& ctx) override {
    std::string out;
    websocket_.Produce(out);
    if (!out.empty()) SendBytes(ctx, out);
  }

  void OnMessage(const websocket::Message& message) override {
    KUBE_CHECK(message.type == websocket::MessageType::kBinary && !message.data.empty());
    const auto channel = static_cast<Channel>(static_cast<uint8_t>(message.data.front()));
    const absl::string_view data = message.data.substr(1);
    if (channel != Channel::kClose) return Add(absl::StrCat(StreamTypeOf(channel), " ", data));
    KUBE_CHECK(data.size() == 1) << absl::CHexEscape(data);
    const auto ended = static_cast<Channel>(static_cast<uint8_t>(data.front()));
    Add(absl::StrCat("end ", StreamTypeOf(ended)));
  }
  void OnClose(const websocket::Close& close) override { Add(websocket::ToString(close)); }
  void OnPing(absl::string_view payload) override { Add(absl::StrCat("ping ", payload)); }

  websocket::Connection websocket_;
};

// A server that speaks by SPDY. Events: "open stdin", "stdin abc", "end stdin", "reset stdin",
// "goaway"; pings are answered without an event.
class SpdyPeer final : public Peer, private spdy::Connection::Events {
 public:
  explicit SpdyPeer(std::unique_ptr<io::DuplexStream> connection)
      : Peer(std::move(connection)), spdy_({.role = spdy::Role::kServer}, *this) {}

  // Whether streams are accepted as they are opened, which is the default. Otherwise they wait for
  // Accept or Reset.
  void set_accepts(bool accepts) { accepts_ = accepts; }
  void Accept(const Context& ctx, Channel channel) {
    std::string out;
    KUBE_CHECK_OK(spdy_.Reply(ids_.at(channel), out));
    SendBytes(ctx, out);
  }

  void Send(const Context& ctx, Channel channel, absl::string_view data) {
    std::string out;
    KUBE_CHECK_OK(spdy_.SendData(ids_.at(channel), data, out));
    SendBytes(ctx, out);
  }
  void End(const Context& ctx, Channel channel) {
    std::string out;
    KUBE_CHECK_OK(spdy_.Finish(ids_.at(channel), out));
    SendBytes(ctx, out);
  }
  void Reset(const Context& ctx, Channel channel) {
    std::string out;
    spdy_.Reset(ids_.at(channel), out);
    SendBytes(ctx, out);
  }
  // Ends as a kubelet does: it closes the outputs, writes the outcome, and closes the connection,
  // which resets the error stream.
  void Finish(const Context& ctx, const absl::Status& outcome) {
    for (const Channel channel : {Channel::kStdout, Channel::kStderr}) {
      if (ids_.contains(channel)) End(ctx, channel);
    }
    Send(ctx, Channel::kError, EncodeOutcome(outcome));
    std::string out;
    spdy_.Close(out);
    SendBytes(ctx, out);
  }

 private:
  absl::Status Receive(absl::string_view bytes) override { return spdy_.Receive(bytes); }
  void Flush(const Context& ctx) override {
    std::string out = std::exchange(replies_, std::string());
    spdy_.Produce(out);
    if (!out.empty()) SendBytes(ctx, out);
  }

  void OnStream(spdy::StreamId id, const http::Headers& headers) override {
    const absl::string_view type = headers.Get("streamtype").value_or("");
    KUBE_CHECK(ChannelOf(type).has_value()) << type;
    ids_[*ChannelOf(type)] = id;
    types_[id] = std::string(type);
    Add(absl::StrCat("open ", type));
    if (accepts_) KUBE_CHECK_OK(spdy_.Reply(id, replies_));
  }
  void OnReply(spdy::StreamId, const http::Headers&) override {}
  void OnData(spdy::StreamId id, absl::string_view data) override {
    Add(absl::StrCat(types_[id], " ", data));
  }
  void OnEnd(spdy::StreamId id) override { Add(absl::StrCat("end ", types_[id])); }
  void OnReset(spdy::StreamId id, spdy::ResetStatus) override {
    Add(absl::StrCat("reset ", types_[id]));
  }
  void OnGoAway(spdy::StreamId, spdy::GoAwayStatus) override { Add("goaway"); }

  spdy::Connection spdy_;
  std::map<Channel, spdy::StreamId> ids_;
  std::map<spdy::StreamId, std::string> types_;
  std::string replies_;
  bool accepts_ = true;
};

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_TESTING_PEERS_H_
