#ifndef NET_SPDY_TESTING_RECORDER_H_
#define NET_SPDY_TESTING_RECORDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/http/headers.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"

namespace kube::spdy {

// Records what a peer does, such as "stream 1 streamtype=data", "reply 1", "data 1 abc", "end 1",
// "reset 1 status 5", "pong 1" and "goaway 3 status 0". Aborts the program if something happens on
// a stream that is not open, in a wrong order, or after the stream's end. Thread-compatible.
class Recorder final : public Connection::Events {
 public:
  void OnStream(StreamId id, const http::Headers& headers) override {
    KUBE_CHECK(!ended_.contains(id)) << id;
    ended_[id] = false;
    Add(absl::StrCat("stream ", id, Lines(headers)));
  }
  void OnReply(StreamId id, const http::Headers& headers) override {
    KUBE_CHECK(!ended_.contains(id)) << id;
    ended_[id] = false;
    Add(absl::StrCat("reply ", id, Lines(headers)));
  }
  void OnData(StreamId id, absl::string_view data) override {
    KUBE_CHECK(ended_.contains(id) && !ended_[id]) << id;
    KUBE_CHECK(!data.empty()) << id;
    absl::StrAppend(&data_[id], data);
    const bool continues = !events_.empty() && last_data_ == id;
    if (continues) {
      absl::StrAppend(&events_.back(), data);
    } else {
      Add(absl::StrCat("data ", id, " ", data));
    }
    last_data_ = id;
  }
  void OnEnd(StreamId id) override {
    KUBE_CHECK(ended_.contains(id) && !ended_[id]) << id;
    ended_[id] = true;
    Add(absl::StrCat("end ", id));
  }
  void OnReset(StreamId id, ResetStatus status) override {
    ended_[id] = true;
    Add(absl::StrCat("reset ", id, " status ", static_cast<uint32_t>(status)));
  }
  void OnPong(uint32_t ping_id) override { Add(absl::StrCat("pong ", ping_id)); }
  void OnGoAway(StreamId last_good_id, GoAwayStatus status) override {
    Add(absl::StrCat("goaway ", last_good_id, " status ", static_cast<uint32_t>(status)));
  }

  // Returns everything that was recorded since the last call. Data of one stream is one event as
  // long as nothing else happens, however it has arrived.
  std::vector<std::string> Take() { return std::exchange(events_, {}); }

  // Returns all data of a stream.
  const std::string& data(StreamId id) { return data_[id]; }
  // Returns whether the peer has ended or reset a stream.
  bool ended(StreamId id) const { return ended_.contains(id) && ended_.at(id); }

 private:
  static std::string Lines(const http::Headers& headers) {
    std::string lines;
    for (const http::Header& header : headers) {
      absl::StrAppend(&lines, " ", header.name, "=", header.value);
    }
    return lines;
  }

  void Add(std::string event) {
    events_.push_back(std::move(event));
    last_data_ = 0;
  }

  std::vector<std::string> events_;
  StreamId last_data_ = 0;  // the stream, if the last event is data
  std::map<StreamId, bool> ended_;
  std::map<StreamId, std::string> data_;
};

}  // namespace kube::spdy

#endif  // NET_SPDY_TESTING_RECORDER_H_
