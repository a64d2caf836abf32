#ifndef CLIENTSET_TYPED_INTERNAL_TYPED_CORE_H_
#define CLIENTSET_TYPED_INTERNAL_TYPED_CORE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/stream_watcher.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"

namespace kube::typed::internal {

// A struct of the API, whatever it is.
struct AnyStruct {
  const void* data = nullptr;
  const kube::internal::Message* message = nullptr;
};
// One to fill: zero, with memory of its own. After an error it may be changed, and is still one to
// destroy.
struct AnyTarget {
  void* data = nullptr;
  const kube::internal::Message* message = nullptr;
};

template <typename T>
AnyStruct In(const T& object) {
  return {.data = &object, .message = &T::kMessage};
}
template <typename T>
AnyTarget Out(T& object) {
  return {.data = &object, .message = &T::kMessage};
}

// The end of a call that fills `result` in place: moving an object is more code than all else. Once
// for each type, not in each verb.
template <typename R>
ABSL_ATTRIBUTE_NOINLINE void Settle(absl::StatusOr<R>& result, absl::Status status) {
  if (!status.ok()) result = std::move(status);
}

// Objects of watches have no kind and apiVersion, unless the options have a projection already.
watch::StreamWatcherOptions WatcherOptions(const WatchStreamOptions& options,
                                           const kube::internal::Message& message);

// What clients of objects whose type is not known send otherwise: the dynamic one and that of
// metadata.
struct Dialect {
  // Accept, of what answers with an object, of List, and of the rest. Never empty: the formats are
  // settled by that, and nothing is asked for again in JSON.
  std::string accept_object = {};
  std::string accept_list = {};
  std::string accept = {};
  // A watch is also given up by the client if it has not begun after timeout_seconds.
  bool limits_watch = false;
};

// The body of a watch. No stream: it has ended already.
struct WatchBody {
  codec::ContentType content_type = codec::ContentType::kJson;
  std::unique_ptr<watch::ByteStream> stream = {};
};

// TypedClient of any type: what 170 kinds need once. Cheap to copy; thread-safe.
class TypedCore {
 public:
  // `type` is that of the objects.
  TypedCore(rest::Client client, const Resource& resource, const kube::internal::Message& type);
  // Of any resource, in a namespace or not: what the objects say of themselves is sent as it is,
  // and comes back as it is.
  TypedCore(rest::Client client, const schema::GroupVersionResource& resource, Dialect dialect);
  // The same in one namespace; "" for all.
  TypedCore InNamespace(absl::string_view name) const;
  // The same of a subresource: all calls that do not name one themselves. Create then needs the
  // object's name.
  TypedCore AtSubresource(std::vector<std::string> subresource) const;

  absl::Status Get(const Context& ctx, absl::string_view name, absl::string_view subresource,
                   const api::meta::v1::GetOptions& options, AnyTarget to) const;
  absl::Status List(const Context& ctx, const api::meta::v1::ListOptions& options,
                    AnyTarget to) const;
  // `to` gets what is no item. The error of `on_item` ends it, and is returned.
  absl::Status ListPage(const Context& ctx, const api::meta::v1::ListOptions& options,
                        const PageOptions& page, const kube::internal::Message& item, AnyTarget to,
                        absl::FunctionRef<absl::Status(std::shared_ptr<const void>)> on_item) const;
  absl::StatusOr<WatchBody> Watch(const Context& ctx, const api::meta::v1::ListOptions& options,
                                  absl::Duration idle_timeout) const;

  absl::Status Create(const Context& ctx, AnyStruct object,
                      const api::meta::v1::CreateOptions& options, AnyTarget to) const;
  absl::Status Update(const Context& ctx, AnyStruct object, absl::string_view subresource,
                      const api::meta::v1::UpdateOptions& options, AnyTarget to) const;
  absl::Status Patch(const Context& ctx, absl::string_view name, patch::PatchType type,
                     absl::string_view data, const api::meta::v1::PatchOptions& options,
                     const std::vector<std::string>& subresource, AnyTarget to) const;
  absl::Status Apply(const Context& ctx, AnyStruct configuration, absl::string_view subresource,
                     const api::meta::v1::ApplyOptions& options, AnyTarget to) const;
  absl::Status Delete(const Context& ctx, absl::string_view name,
                      const api::meta::v1::DeleteOptions& options) const;
  absl::Status DeleteCollection(const Context& ctx, const api::meta::v1::DeleteOptions& options,
                                const api::meta::v1::ListOptions& list_options) const;

  absl::Status CreateSubresource(const Context& ctx, absl::string_view name,
                                 const Subresource& subresource, AnyStruct object,
                                 const api::meta::v1::CreateOptions& options, AnyTarget to) const;
  absl::Status UpdateSubresource(const Context& ctx, absl::string_view name,
                                 const Subresource& subresource, AnyStruct object,
                                 const api::meta::v1::UpdateOptions& options, AnyTarget to) const;
  absl::Status ApplySubresource(const Context& ctx, absl::string_view name,
                                const Subresource& subresource, AnyStruct configuration,
                                const api::meta::v1::ApplyOptions& options, AnyTarget to) const;

  // `change` gets `to`, after it was read.
  absl::Status Edit(const Context& ctx, absl::string_view name, const EditOptions& options,
                    absl::FunctionRef<absl::Status()> change, AnyTarget to) const;

  const rest::Client& client() const { return client_; }
  const std::string& namespace_name() const { return namespace_; }
  const schema::GroupVersionResource& resource() const { return shared_->resource; }
  // Of its objects.
  const std::string& kind() const { return shared_->kind; }
  const std::string& api_version() const { return shared_->api_version; }

 private:
  // What copies share.
  struct Shared {
    schema::GroupVersionResource resource;
    std::string api_version;
    std::string kind;
    bool namespaced;
    bool built_in;
    std::optional<Dialect> dialect;
    // Lists and watches ask for metadata alone.
    bool metadata_only;
  };
  struct Call;

  Call MakeCall(absl::string_view verb) const;
  Call MakeCall(absl::string_view verb, absl::string_view name) const;
  // Of a call whose body is DeleteOptions.
  void SetOptions(Call& call, const api::meta::v1::DeleteOptions& options) const;
  // Of what is sent to a subresource and comes back.
  void SetKind(Call& call, const Subresource& subresource, AnyStruct object, AnyTarget to) const;
  Call MakeListCall(const api::meta::v1::ListOptions& options, bool is_watch = false) const;
  absl::Status CheckNamespace(const rest::Request& request) const;
  // Gives `send` the request, and once again in JSON if the server refuses protobuf.
  absl::Status Exchange(Call& call,
                        absl::FunctionRef<absl::Status(const rest::Request&)> send) const;
  // Sends, and decodes what comes back, if `to` is there.
  absl::Status Do(const Context& ctx, Call& call, AnyTarget to) const;

  rest::Client client_;
  std::shared_ptr<const Shared> shared_;
  std::string namespace_;
  std::vector<std::string> subresource_;
};

}  // namespace kube::typed::internal

#endif  // CLIENTSET_TYPED_INTERNAL_TYPED_CORE_H_
