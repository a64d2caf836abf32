#ifndef CONTROLLER_CACHE_READER_H_
#define CONTROLLER_CACHE_READER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/typed/reader.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/view.h"
#include "controller/cache/watched.h"
#include "listers/stored_object.h"

namespace kube::controller {

namespace internal {

template <listers::StoredObject K>
class WatchedReader final : public typed::Reader<K> {
 public:
  using typename typed::Reader<K>::Object;

  explicit WatchedReader(Watched<K> watched) : watched_(std::move(watched)) {}

  absl::StatusOr<Object> Get(const Context&, absl::string_view namespace_name,
                             absl::string_view name) const override {
    return watched_.Get(View(), meta::ObjectName{.namespace_name = std::string(namespace_name),
                                                 .name = std::string(name)});
  }
  absl::StatusOr<std::vector<Object>> List(const Context&,
                                           const typed::ReadOptions& options) const override {
    ListScope scope = {.label_selector = options.selector};
    if (!options.namespace_name.empty()) {
      if (!watched_.core()->Covers(options.namespace_name)) {
        return absl::FailedPreconditionError(absl::StrCat(
            "list ", watched_.core()->resource().group_resource().ToString(),
            ": the watch does not cover the namespace \"", options.namespace_name, "\""));
      }
      scope.namespace_name = options.namespace_name;
    }
    return watched_.List(View(), scope).ToVector();
  }

 private:
  const Watched<K> watched_;
};

}  // namespace internal

// Returns a reader of what a watch has now, for code that is not to know whether it reads from a
// cache or from the server, such as a generic::Client:
//
//   const generic::Client client = generic::Client(rest_client).WithReader(ReaderOf(config_maps));
//
// It never blocks and copies no object. It keeps the watch alive, like a copy of the handle. Errors
// are those of Watched::Get, and FAILED_PRECONDITION from a list of a namespace that the watch does
// not cover. (controller-runtime: the `client.Reader` of a cache)
template <listers::StoredObject K>
std::shared_ptr<const typed::Reader<K>> ReaderOf(Watched<K> watched) {
  return std::make_shared<internal::WatchedReader<K>>(std::move(watched));
}

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_READER_H_
