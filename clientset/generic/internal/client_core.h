#ifndef CLIENTSET_GENERIC_INTERNAL_CLIENT_CORE_H_
#define CLIENTSET_GENERIC_INTERNAL_CLIENT_CORE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "clientset/generic/call.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_core.h"

namespace kube::generic::internal {

// A kind, and how to call its resource.
struct KindClient {
  schema::GroupVersionKind kind;
  bool namespaced;
  typed::TypedCore core;
};

// What all calls of a client have in common.
struct Policy {
  std::string namespace_name = {};    // empty: any
  std::string field_owner = {};       // empty: not said
  std::string field_validation = {};  // empty: not said
  bool dry_run = false;
  std::string subresource = {};  // empty: the objects themselves
};

// The part of Client that does not depend on the types of objects. Copies of a client share it.
// Immutable once it is shared, and then thread-safe.
class ClientCore {
 public:
  // `mapper` may be null.
  ClientCore(rest::Client client, std::shared_ptr<const restmapper::RestMapper> mapper)
      : client_(std::move(client)), mapper_(std::move(mapper)) {}

  Policy& policy() { return policy_; }
  const Policy& policy() const { return policy_; }
  void AddInterceptor(Interceptor interceptor) { interceptors_.push_back(std::move(interceptor)); }
  // `reader` is a typed::Reader of the objects whose field table is `type`.
  void AddReader(const kube::table::Message& type, schema::GroupVersionKind kind,
                 std::shared_ptr<const void> reader);
  // Returns the reader that was added last for this type and kind, or null.
  std::shared_ptr<const void> FindReader(const kube::table::Message& type,
                                         const schema::GroupVersionKind& kind) const;

  KindClient ClientOf(const typed::Resource& resource, const kube::table::Message& type) const;
  // Asks the mapper. Returns INVALID_ARGUMENT if the kind is not complete, FAILED_PRECONDITION
  // without a mapper, and the mapper's errors.
  absl::StatusOr<KindClient> UnstructuredClientOf(const Context& ctx,
                                                  const schema::GroupVersionKind& kind) const;
  absl::StatusOr<KindClient> MetadataClientOf(const Context& ctx,
                                              const schema::GroupVersionKind& kind) const;

  // Gives a name the namespace of the client, or none if the kind is cluster-scoped. Returns
  // INVALID_ARGUMENT if the name has another namespace, or if there is none.
  absl::Status Complete(const KindClient& kind, Verb verb, meta::ObjectName& name) const;
  // Returns the namespace of a list or a collection that asks for `wanted`. Returns
  // INVALID_ARGUMENT if a collection is to be deleted in all namespaces, and if the client is for a
  // subresource, which collections do not have.
  absl::StatusOr<std::string> NamespaceOf(const KindClient& kind, Verb verb,
                                          absl::string_view wanted) const;

  // Return the options of a call with those of the client: field owner and validation where the
  // call says none, and a dry run in any case if the client makes dry runs.
  api::meta::v1::CreateOptions Complete(api::meta::v1::CreateOptions options) const;
  api::meta::v1::UpdateOptions Complete(api::meta::v1::UpdateOptions options) const;
  api::meta::v1::PatchOptions Complete(api::meta::v1::PatchOptions options) const;
  api::meta::v1::ApplyOptions Complete(api::meta::v1::ApplyOptions options) const;
  api::meta::v1::DeleteOptions Complete(api::meta::v1::DeleteOptions options) const;

  // Returns what sends calls about objects of this namespace, to the subresource of the client.
  typed::TypedCore At(const KindClient& kind, absl::string_view namespace_name) const;

  // Makes a call through the interceptors, of which the last added is asked first.
  absl::Status Do(const Context& ctx, const KindClient& kind, Verb verb,
                  const meta::ObjectName& name, absl::FunctionRef<absl::Status()> send) const;

  // Returns the error of a write of a whole object of which only the metadata is known.
  absl::Status MetadataOnlyError(Verb verb) const;

 private:
  struct Reader {
    const kube::table::Message* type;
    schema::GroupVersionKind kind;
    std::shared_ptr<const void> reader;
  };

  absl::StatusOr<restmapper::RestMapping> Map(const Context& ctx,
                                              const schema::GroupVersionKind& kind) const;
  absl::Status Intercept(const Context& ctx, const Call& call, size_t interceptors,
                         absl::FunctionRef<absl::Status()> send) const;

  rest::Client client_;
  std::shared_ptr<const restmapper::RestMapper> mapper_;
  Policy policy_;
  std::vector<Interceptor> interceptors_;
  std::vector<Reader> readers_;
};

}  // namespace kube::generic::internal

#endif  // CLIENTSET_GENERIC_INTERNAL_CLIENT_CORE_H_
