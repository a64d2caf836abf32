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
  // With the resources that it is one of.
  std::shared_ptr<const Resource> resource = {};
  std::string prefix = {};  // of keys
  Matcher matcher = {};
  Output output = {};
  // What happens after this revision is told.
  int64_t after = 0;
  // Before it, what is there, as ADDED; as soon as the storage has the revision `after`.
  bool initial = false;
  // The end of that is told by a bookmark.
  bool initial_bookmark = false;
  // Bookmarks are wanted now and then.
  bool bookmarks = false;
  // Between two. Nothing: as the server does it; infinite: none, whatever is wanted.
  std::optional<absl::Duration> bookmark_interval = {};
  // It ends after it.
  absl::Duration timeout = absl::Minutes(30);
  // May be null. Outlives the stream.
  ReadFaults* faults = nullptr;
};

// The body of a watch, piece by piece: a state machine that is asked for what there is to send now.
// It neither waits nor writes. Not for two threads at a time.
class WatchStream {
 public:
  WatchStream(Storage& storage, WatchParameters parameters)
      : storage_(storage), parameters_(std::move(parameters)), cursor_(parameters_.after) {}

  const WatchParameters& parameters() const { return parameters_; }

  struct Piece {
    std::string bytes = {};
    // Nothing comes after it.
    bool end = false;
    // There is more at once: ask again.
    bool more = false;
  };
  // What happened since the last one, in part: some 32 KiB, and at least one event. Empty: nothing.
  Piece Next();
  // One that says up to where nothing else happened; empty before the initial events are out.
  std::string Bookmark();
  // Whether it holds back what has happened already.
  bool lags() const { return lags_; }

 private:
  // What it may tell by now.
  int64_t CacheRevision();
  // False: not yet as fresh as it was asked for.
  bool BeginInitial();
  void AppendInitial(Piece& piece);
  void AppendChanges(Piece& piece);
  void AppendChange(const Change& change, Piece& piece);
  void AppendExpired(Piece& piece);
  void AppendObject(absl::string_view type, const StoredObject& object, Piece& piece);
  std::string Event(absl::string_view type, const StoredObject& object);
  std::string BookmarkAt(int64_t revision, bool initial_end);

  Storage& storage_;
  const WatchParameters parameters_;
  int64_t cursor_;
  // What there was at `cursor_`, and how much of it is out.
  std::vector<ObjectPtr> initial_;
  size_t initial_sent_ = 0;
  bool initial_begun_ = false;
  bool initial_done_ = false;
  bool sent_first_ = false;  // object or bookmark
  bool lags_ = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WATCH_WATCH_STREAM_H_
