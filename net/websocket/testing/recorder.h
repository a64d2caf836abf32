#ifndef NET_WEBSOCKET_TESTING_RECORDER_H_
#define NET_WEBSOCKET_TESTING_RECORDER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"

namespace kube::websocket {

// Records what a peer has sent, such as "binary abc", "ping " and "close 1000 (normal)"; a piece of
// a message has "..." where the message goes on: "text ab...", "...c". Aborts the program if pieces
// do not fit together, or if something follows a close frame. Thread-compatible.
class Recorder final : public Connection::Events {
 public:
  void OnMessage(const Message& message) override {
    KUBE_CHECK(!closed_) << "a message after a close frame";
    KUBE_CHECK(message.begins != in_message_) << "pieces that do not fit together";
    in_message_ = !message.ends;
    const absl::string_view type = message.type == MessageType::kText ? "text " : "binary ";
    Add(absl::StrCat(message.begins ? type : "...", message.data, message.ends ? "" : "..."));
    if (message.begins) message_ = std::string(type);
    absl::StrAppend(&message_, message.data);
    if (message.ends) messages_.push_back(std::exchange(message_, ""));
  }
  void OnClose(const Close& close) override {
    Add(ToString(close));
    closed_ = true;
  }
  void OnPing(absl::string_view payload) override { Add(absl::StrCat("ping ", payload)); }
  void OnPong(absl::string_view payload) override { Add(absl::StrCat("pong ", payload)); }

  // Returns everything that was recorded since the last call.
  std::vector<std::string> Take() { return std::exchange(events_, {}); }

  // Returns the messages that were complete since the last call, each as a whole.
  std::vector<std::string> TakeMessages() { return std::exchange(messages_, {}); }

 private:
  void Add(std::string event) {
    KUBE_CHECK(!closed_) << event;
    events_.push_back(std::move(event));
  }

  std::vector<std::string> events_;
  std::vector<std::string> messages_;
  std::string message_;
  bool in_message_ = false;
  bool closed_ = false;
};

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_TESTING_RECORDER_H_
