// The stream sends the initial events, if they were asked for, and then the changes after
// `cursor_`, which it pulls from the storage's history. The list of the initial objects is taken
// once, when the cache has reached the requested revision, and its revision becomes the cursor.
// Each change becomes at most one event: the object before and after it is matched against the
// selectors, so that an object that begins to match is ADDED and one that no longer matches is
// DELETED. If the history no longer reaches back to the cursor, the stream ends with a 410. If an
// object cannot be converted, it ends without a word: upstream's watch cache begins again then, and
// ends the watches that it serves.
//
// CacheRevision bounds all of this: it is the latest revision, or an older one under fault::Lag.

#include "apiserver/watch/watch_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/encoding/output.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/object.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/custom.h"

namespace kube::apiserver::internal {
namespace {

// Size of a piece, which is exceeded by its last event. It bounds the memory of a watch that is far
// behind.
constexpr size_t kPieceBytes = 32 * 1024;
// Maximum number of changes that are looked up at a time.
constexpr size_t kMaxChanges = 500;

}  // namespace

WatchStream::Piece WatchStream::Next() {
  Piece piece;
  if (parameters_.initial && !initial_done_) {
    if (!initial_begun_ && !BeginInitial()) {
      piece.end = unreadable_;
      return piece;
    }
    AppendInitial(piece);
    if (piece.more || piece.end) return piece;
  }
  AppendChanges(piece);
  return piece;
}

int64_t WatchStream::CacheRevision() {
  const int64_t lag = parameters_.faults == nullptr ? 0 : parameters_.faults->Lag();
  lags_ = lag > 0;
  return LaggingRevision(storage_, parameters_.resource->storage, lag);
}

bool WatchStream::BeginInitial() {
  const int64_t cache = CacheRevision();
  if (cache < parameters_.after) return false;
  absl::StatusOr<ListResult> list = storage_.List(
      parameters_.resource->storage, {.prefix = parameters_.prefix, .revision = lags_ ? cache : 0});
  if (!list.ok()) return false;
  unreadable_ = !ReadItems(*parameters_.resource, list->items).ok();
  if (unreadable_) return false;
  for (ListItem& item : list->items) {
    if (parameters_.matcher.Matches(*item.object)) initial_.push_back(std::move(item.object));
  }
  cursor_ = list->revision;
  initial_begun_ = true;
  return true;
}

void WatchStream::AppendInitial(Piece& piece) {
  while (initial_sent_ < initial_.size()) {
    if (piece.bytes.size() >= kPieceBytes) {
      piece.more = true;
      return;
    }
    // Releases each object once it is sent.
    AppendObject("ADDED", *std::exchange(initial_[initial_sent_++], nullptr), piece);
    if (piece.end) return;
  }
  initial_ = {};
  initial_done_ = true;
  if (parameters_.initial_bookmark) piece.bytes += BookmarkAt(cursor_, /*initial_end=*/true);
}

void WatchStream::AppendExpired(Piece& piece) {
  const std::string message =
      absl::StrCat("too old resource version: ", cursor_, " (",
                   storage_.OldestRevision(parameters_.resource->storage), ")");
  Output plain = parameters_.output;
  plain.transform = Transform::kNone;
  piece.bytes +=
      EncodeEvent("ERROR", EncodeStruct(StatusFor(errors::ResourceExpired(message)), plain), plain);
  piece.end = true;
}

void WatchStream::AppendChanges(Piece& piece) {
  const int64_t cache = CacheRevision();
  const absl::StatusOr<ChangesResult> changes =
      storage_.ChangesAfter(parameters_.resource->storage, cursor_, kMaxChanges);
  if (!changes.ok()) return AppendExpired(piece);
  for (const ChangePtr& change : changes->changes) {
    if (piece.bytes.size() >= kPieceBytes) {
      piece.more = true;
      return;
    }
    if (lags_ && change->revision > cache) {
      cursor_ = std::max(cursor_, cache);
      return;
    }
    AppendChange(*change, piece);
    if (piece.end) return;
    cursor_ = change->revision;
  }
  cursor_ = lags_ ? std::max(cursor_, std::min(cache, changes->revision)) : changes->revision;
  piece.more = changes->changes.size() == kMaxChanges;
}

void WatchStream::AppendChange(const Change& change, Piece& piece) {
  if (change.key.compare(0, parameters_.prefix.size(), parameters_.prefix) != 0) return;
  const Matcher& matcher = parameters_.matcher;
  ObjectPtr was = change.before;
  ObjectPtr is = change.after;
  // Spares a conversion of a state that is not sent.
  if (!Read(is, piece) || (!matcher.everything() && !Read(was, piece))) return;
  const bool before = was != nullptr && matcher.Matches(*was);
  const bool after = !change.deleted && matcher.Matches(*is);
  if (after) {
    AppendObject(before ? "MODIFIED" : "ADDED", *is, piece);
  } else if (before && change.deleted) {
    AppendObject("DELETED", *is, piece);
  } else if (before) {
    // The object no longer matches: the event has its previous state, with the revision of the
    // change.
    AppendObject("DELETED", StoredObject(was->object().Copy(), change.revision), piece);
  }
}

bool WatchStream::Read(ObjectPtr& object, Piece& piece) const {
  absl::StatusOr<ObjectPtr> read = AsResource(*parameters_.resource, std::move(object));
  piece.end = !read.ok();
  if (read.ok()) object = *std::move(read);
  return read.ok();
}

std::string WatchStream::Event(absl::string_view type, const StoredObject& object) {
  const bool first = !std::exchange(sent_first_, true);
  return EncodeEvent(type, EncodeEventObject(object, parameters_.output, first),
                     parameters_.output);
}

void WatchStream::AppendObject(absl::string_view type, const StoredObject& object, Piece& piece) {
  EventFate fate = EventFate::kSend;
  if (parameters_.faults != nullptr) {
    const api::meta::v1::ObjectMeta& metadata = object.metadata();
    fate = parameters_.faults->BeforeEvent(metadata.namespace_.view(), metadata.name.view());
  }
  if (fate == EventFate::kDrop) return;
  if (fate == EventFate::kExpire) return AppendExpired(piece);
  piece.end = fate == EventFate::kEnd;
  if (piece.end) return;
  for (int i = 0; i < (fate == EventFate::kTwice ? 2 : 1); ++i) piece.bytes += Event(type, object);
}

std::string WatchStream::Bookmark() {
  if (parameters_.initial && !initial_done_) return {};
  return BookmarkAt(cursor_, /*initial_end=*/false);
}

std::string WatchStream::BookmarkAt(int64_t revision, bool initial_end) {
  Object object = NewObject(*parameters_.resource);
  if (initial_end) object.metadata().annotations["k8s.io/initial-events-end"] = "true";
  return Event("BOOKMARK", StoredObject(std::move(object), revision));
}

}  // namespace kube::apiserver::internal
