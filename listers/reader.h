#ifndef LISTERS_READER_H_
#define LISTERS_READER_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/typed/reader.h"
#include "listers/lister.h"
#include "listers/stored_object.h"

namespace kube::listers {

namespace internal {

template <StoredObject T>
class ListerReader final : public typed::Reader<T> {
 public:
  using typename typed::Reader<T>::Object;

  explicit ListerReader(Lister<T> lister) : lister_(std::move(lister)) {}

  absl::StatusOr<Object> Get(const Context&, absl::string_view namespace_name,
                             absl::string_view name) const override {
    return lister_.Namespace(namespace_name).Get(name);
  }
  absl::StatusOr<std::vector<Object>> List(const Context&,
                                           const typed::ReadOptions& options) const override {
    if (options.namespace_name.empty()) return lister_.List(options.selector).ToVector();
    return lister_.Namespace(options.namespace_name).List(options.selector).ToVector();
  }

 private:
  const Lister<T> lister_;
};

}  // namespace internal

// Returns a Reader of a cache, for code that reads either from a cache or from the server. Never
// blocks; its only error is NOT_FOUND.
template <StoredObject T>
std::shared_ptr<const typed::Reader<T>> ReaderOf(Lister<T> lister) {
  return std::make_shared<internal::ListerReader<T>>(std::move(lister));
}

}  // namespace kube::listers

#endif  // LISTERS_READER_H_
