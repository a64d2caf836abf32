#ifndef CLIENTSET_TYPED_READER_H_
#define CLIENTSET_TYPED_READER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/message_type.h"
#include "clientset/typed/typed_client.h"

namespace kube::typed {

struct ReadOptions {
  // Default: all namespaces.
  std::string namespace_name = {};
  // Default: all objects.
  labels::Selector selector = {};
};

// Reads the objects of one resource, for code that should not depend on where they come from: a
// cache (listers::ReaderOf), the server (ReaderOf) or a test. (controller-runtime: `client.Reader`)
//
// Returned objects are shared and immutable. How current they are depends on the implementation.
// Thread-safe.
template <ApiStruct T>
class Reader {
 public:
  using Object = std::shared_ptr<const T>;

  virtual ~Reader() = default;

  // Returns the object, never null, or NOT_FOUND (errors::IsNotFound) if it does not exist.
  // `namespace_name` is empty for cluster-scoped objects. A reader that asks a server blocks.
  virtual absl::StatusOr<Object> Get(const Context& ctx, absl::string_view namespace_name,
                                     absl::string_view name) const = 0;
  // Returns the selected objects in any order.
  virtual absl::StatusOr<std::vector<Object>> List(const Context& ctx,
                                                   const ReadOptions& options) const = 0;
};

// Returns a Reader that sends one request per call. Its errors are those of the client.
template <ApiStruct T, ApiStruct ListT>
std::shared_ptr<const Reader<T>> ReaderOf(const TypedClient<T, ListT>& client);

// ---- implementation

namespace internal {

template <ApiStruct T, ApiStruct ListT>
class ClientReader final : public Reader<T> {
 public:
  using typename Reader<T>::Object;

  explicit ClientReader(TypedClient<T, ListT> client) : client_(std::move(client)) {}

  absl::StatusOr<Object> Get(const Context& ctx, absl::string_view namespace_name,
                             absl::string_view name) const override {
    absl::StatusOr<T> object = client_.Namespace(namespace_name).Get(ctx, name);
    if (!object.ok()) return std::move(object).status();
    return std::make_shared<const T>(*std::move(object));
  }

  absl::StatusOr<std::vector<Object>> List(const Context& ctx,
                                           const ReadOptions& options) const override {
    if (options.selector.MatchesNothing()) return std::vector<Object>();
    auto page = client_.Namespace(options.namespace_name)
                    .ListPage(ctx, {.label_selector = options.selector.ToString()});
    if (!page.ok()) return std::move(page).status();
    return std::move(page->items);
  }

 private:
  const TypedClient<T, ListT> client_;
};

}  // namespace internal

template <ApiStruct T, ApiStruct ListT>
std::shared_ptr<const Reader<T>> ReaderOf(const TypedClient<T, ListT>& client) {
  return std::make_shared<internal::ClientReader<T, ListT>>(client);
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_READER_H_
