#ifndef APISERVER_WATCH_WATCH_STREAM_H_
#define APISERVER_WATCH_WATCH_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apiserver/encoding/output.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/object.h"
#include "apiserver/registry/selectors.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

struct WatchParameters {
  // The resource, which keeps its Resources alive.
  std::shared_ptr<const Resource> resource = {};
  std::string prefix = {};  // prefix of the keys to watch
  Matcher matcher = {};
  Output output = {};
  // Events are sent for changes after this revision.
  int64_t after = 0;
  // Whether the existing objects are sent first, as ADDED, once the storage has reached `after`.
  bool initial = false;
  // Whether a bookmark marks the end of the initial events.
  bool initial_bookmark = false;
  // Whether bookmarks are sent from time to time.
  bool bookmarks = false;
  // Time between two bookmarks. If unset, the server's default applies; if infinite, there are no
  // bookmarks, whatever the client asked for.
  std::optional<absl::Duration> bookmark_interval = {};
  // The watch ends after this time.
  absl::Duration timeout = absl::Minutes(30);
  // May be null. Must outlive the stream.
  ReadFaults* faults = nullptr;
};

// The body of a watch as a state machine: it is asked for the bytes that are due now. It neither
// waits nor writes. Thread-compatible.
class WatchStream {
 public:
  WatchStream(Storage& storage, WatchParameters parameters)
      : storage_(storage), parameters_(std::move(parameters)), cursor_(parameters_.after) {}

  const WatchParameters& parameters() const { return parameters_; }

  struct Piece {
    std::string bytes = {};
    // Nothing comes after this piece.
    bool end = false;
    // More is due at once: call Next again.
    bool more = false;
  };
  // Returns the bytes that are due, up to about 32 KiB and at least one event. Empty if nothing is
  // due.
  Piece Next();
  // Returns a bookmark of the revision that has been sent, or "" before the initial events are
  // sent.
  std::string Bookmark();
  // Returns whether it holds back changes that have already happened (fault::Lag).
  bool lags() const { return lags_; }

 private:
  // Returns the latest revision that may be sent.
  int64_t CacheRevision();
  // Returns false if the cache has not reached the requested revision, or if `unreadable_`.
  bool BeginInitial();
  void AppendInitial(Piece& piece);
  void AppendChanges(Piece& piece);
  void AppendChange(const Change& change, Piece& piece);
  // Converts an object to the version of the watch, or ends the stream and returns false.
  bool Read(ObjectPtr& object, Piece& piece) const;
  void AppendExpired(Piece& piece);
  void AppendObject(absl::string_view type, const StoredObject& object, Piece& piece);
  std::string Event(absl::string_view type, const StoredObject& object);
  std::string BookmarkAt(int64_t revision, bool initial_end);

  Storage& storage_;
  const WatchParameters parameters_;
  int64_t cursor_;
  // The objects at `cursor_`, and how many of them have been sent.
  std::vector<ObjectPtr> initial_;
  size_t initial_sent_ = 0;
  bool initial_begun_ = false;
  bool initial_done_ = false;
  bool unreadable_ = false;  // an initial object cannot be converted
  bool sent_first_ = false;  // an object or a bookmark
  bool lags_ = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WATCH_WATCH_STREAM_H_
