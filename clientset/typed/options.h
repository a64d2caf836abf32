#ifndef CLIENTSET_TYPED_OPTIONS_H_
#define CLIENTSET_TYPED_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/stream_watcher.h"
#include "clientset/retry/retry.h"

// What a call is given and gives besides the options that the server sees, which are metav1's.
namespace kube::codec {
class SharingStore;
}  // namespace kube::codec

namespace kube::typed {

// Of ListPage.
struct PageOptions {
  // How to decode each object. Default: as client-go's typed clients do.
  codec::DecodeOptions decode = {};
  // Where objects share what they have in common; outlives them only as its own comment says.
  // Null, the default: they share nothing.
  codec::SharingStore* store = nullptr;
  codec::ListReaderOptions reader = {};
  // The list has failed, with an error of the transport kind kLost, when for so long not one more
  // byte of it has come. Zero, the default: never.
  absl::Duration idle_timeout = absl::ZeroDuration();
  // Counts the bytes of the list, uncompressed, while they come. Default: nobody does.
  base::Counter bytes = {};
};

// A list, or one page of it, whose objects nobody changes: for caches.
template <ApiStruct T, ApiStruct ListT>
struct Page {
  // Its metadata: the resourceVersion, where the next page begins. No items.
  ListT list = {};
  // Never null.
  std::vector<std::shared_ptr<const T>> items = {};
};

// Of Watch.
struct WatchStreamOptions {
  // Decoding, sharing, limits: as StreamWatcher's.
  watch::StreamWatcherOptions stream = {};
  // The watch ends with an error, of the transport kind kLost, when Next has waited this long and
  // not one byte has come. For servers that are gone without a word, where the connection itself
  // looks sound, as through a proxy. Longer than bookmarks are apart, which is about a minute, and
  // ask for those. Zero, the default: never.
  absl::Duration idle_timeout = absl::ZeroDuration();
  // Counts the bytes of the watch, uncompressed, while they come. Default: nobody does.
  base::Counter bytes = {};
};

// Of Edit.
struct EditOptions {
  // Dry run, field manager, field validation. `force` is not for this.
  api::meta::v1::PatchOptions patch = {};
  // What to send the change to: "status", "scale" if its object is a T. Default: the object itself.
  std::string subresource = {};
  // Between tries, of which there are backoff.steps.
  base::Backoff backoff = retry::kDefaultRetry;
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_OPTIONS_H_
