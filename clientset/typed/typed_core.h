#ifndef CLIENTSET_TYPED_TYPED_CORE_H_
#define CLIENTSET_TYPED_TYPED_CORE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/stream_watcher.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"

namespace kube::typed {

// An API struct whose type is known only at run time: a pointer to it, and the table of its fields.
// The struct must outlive the call that it is given to.
struct AnyStruct {
  const void* data = nullptr;
  const kube::table::Message* message = nullptr;

  template <ApiStruct T>
  static AnyStruct Of(const T& object) {
    return {.data = &object, .message = &T::kMessage};
  }
};

// A struct that a call fills in place, since the type of its result is known only at run time. The
// struct is empty before the call. After an error it may be partly filled; it must still be
// destroyed by its owner.
struct AnyTarget {
  void* data = nullptr;
  const kube::table::Message* message = nullptr;

  template <ApiStruct T>
  static AnyTarget Of(T& object) {
    return {.data = &object, .message = &T::kMessage};
  }
};

// Returns the options of a StreamWatcher for objects of type `message`. Unless `options` have a
// projection of their own, the watcher drops kind and apiVersion of typed objects.
watch::StreamWatcherOptions MakeStreamWatcherOptions(const WatchStreamOptions& options,
                                                     const kube::table::Message& message);

// How the dynamic client and the metadata client talk to servers: they work on any resource, so
// the content types do not depend on the resource.
struct Dialect {
  // The Accept headers of requests that return an object, of lists, and of all others. None of them
  // may be empty. With a dialect a request is not repeated as JSON if the server refuses protobuf.
  std::string accept_object = {};
  std::string accept_list = {};
  std::string accept = {};
  // Whether the client gives up a watch that has not begun after ListOptions::timeout_seconds.
  bool limits_watch = false;
  // Checks a decoded response for what decoding does not require, and returns OK or an error. Null
  // if there is nothing to check. It is not called for what ListPage and Watch read.
  absl::Status (*check)(const void* answer, const kube::table::Message& message) = nullptr;
};

// The response to a watch request. `stream` is null if the connection was lost before the response
// began: the watch has ended without an event.
struct WatchBody {
  codec::ContentType content_type = codec::ContentType::kJson;
  std::unique_ptr<watch::ByteStream> stream = {};
};

// The part of a client of one resource that does not depend on the type of its objects. TypedClient
// and the clients of clientset/dynamic and clientset/metadata are thin templates and wrappers over
// it, and return it by core().
//
// It is for code that is generic over types, such as informers; programs use TypedClient. The
// caller must pass structs of the right types: objects of the type that the core was made for, and
// lists of its list type.
//
// Each method is the one of the same name of TypedClient, with the same errors. `to` is filled with
// what the server returns; an empty `to` (data is null) drops it.
//
// A handle: cheap to copy. Thread-safe.
class TypedCore {
 public:
  // Makes a client for a resource whose objects have the type `type`.
  TypedCore(rest::Client client, const Resource& resource, const kube::table::Message& type);
  // Makes a client for any resource, namespaced or not. Kind and apiVersion of objects are sent and
  // returned unchanged.
  TypedCore(rest::Client client, const schema::GroupVersionResource& resource, Dialect dialect);
  // Returns a client of one namespace; "" means all namespaces.
  TypedCore InNamespace(absl::string_view name) const;
  // Returns a client whose calls address this subresource unless they name another one. Create then
  // needs the object's name.
  TypedCore AtSubresource(std::vector<std::string> subresource) const;

  absl::Status Get(const Context& ctx, absl::string_view name, absl::string_view subresource,
                   const api::meta::v1::GetOptions& options, AnyTarget to) const;
  absl::Status List(const Context& ctx, const api::meta::v1::ListOptions& options,
                    AnyTarget to) const;
  // Decodes a list while it arrives. Calls `on_item` with each item, on this thread; if it returns
  // an error, the call ends with that error. Unstructured items without a kind get that of the
  // list; if the core knows none, they come last. `to` gets the list without its items.
  absl::Status ListPage(const Context& ctx, const api::meta::v1::ListOptions& options,
                        const PageOptions& page, const kube::table::Message& item, AnyTarget to,
                        absl::FunctionRef<absl::Status(std::shared_ptr<const void>)> on_item) const;
  // Returns when the response has begun. Of `watch_options` it obeys idle_timeout and bytes; the
  // others are for the StreamWatcher that reads the body: MakeStreamWatcherOptions.
  absl::StatusOr<WatchBody> Watch(const Context& ctx, const api::meta::v1::ListOptions& options,
                                  const WatchStreamOptions& watch_options) const;

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

  // Calls `change` on this thread after the object was read into `to`; `change` modifies it there.
  absl::Status Edit(const Context& ctx, absl::string_view name, const EditOptions& options,
                    absl::FunctionRef<absl::Status()> change, AnyTarget to) const;

  const rest::Client& client() const { return client_; }
  // "" means all namespaces.
  const std::string& namespace_name() const { return namespace_name_; }
  const schema::GroupVersionResource& resource() const { return shared_->resource; }
  // The kind and apiVersion of the objects; empty if the core was made with a dialect.
  const std::string& kind() const { return shared_->kind; }
  const std::string& api_version() const { return shared_->api_version; }

 private:
  // The part that copies share.
  struct Shared {
    schema::GroupVersionResource resource;
    std::string api_version;
    std::string kind;
    bool namespaced;
    bool built_in;
    std::optional<Dialect> dialect;
    // Lists and watches request only metadata.
    bool metadata_only;
  };
  struct Call;

  Call MakeCall(absl::string_view verb) const;
  Call MakeCall(absl::string_view verb, absl::string_view name) const;
  // Sets DeleteOptions as the body.
  void SetOptions(Call& call, const api::meta::v1::DeleteOptions& options) const;
  // Sets the object that is sent to a subresource, and the kind that is expected in return.
  void SetKind(Call& call, const Subresource& subresource, AnyStruct object, AnyTarget to) const;
  Call MakeListCall(const api::meta::v1::ListOptions& options, bool is_watch = false) const;
  absl::Status CheckNamespace(const rest::Request& request) const;
  // Passes the request to `send`, and once more in JSON if the server refuses protobuf.
  absl::Status SendWithFallback(Call& call,
                                absl::FunctionRef<absl::Status(const rest::Request&)> send) const;
  // Sends the request and decodes the response into `to`, unless that is empty.
  absl::Status Do(const Context& ctx, Call& call, AnyTarget to) const;

  rest::Client client_;
  std::shared_ptr<const Shared> shared_;
  std::string namespace_name_;
  std::vector<std::string> subresource_;
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_TYPED_CORE_H_
