#ifndef CLIENTSET_KUBERNETES_TESTING_ANY_CLIENT_H_
#define CLIENTSET_KUBERNETES_TESTING_ANY_CLIENT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/patch/patch_type.h"

namespace kube::kubernetes {

inline constexpr absl::string_view kName = "web";
// The selector of lists, watches and collective deletions.
inline constexpr absl::string_view kSelector = "every-kind=yes";
inline constexpr absl::string_view kPatch = R"({"metadata":{"annotations":{"patched":"yes"}}})";

// The client of a resource and one object of it, independent of their types.
class AnyClient {
 public:
  virtual ~AnyClient() = default;

  // Returns the client's verbs, as discovery names them, and for subresources "update status",
  // "patch status", "get scale" and "update scale"; in the order of an object's life.
  virtual std::vector<absl::string_view> verbs() const = 0;

  // Calls the verb with the object, which is then replaced by the returned one. Returns NOT_FOUND
  // if a list has no object of that name or the first event of a watch is another one, and
  // UNIMPLEMENTED if there is no such verb.
  virtual absl::Status Call(const Context& ctx, absl::string_view verb) = 0;

  virtual absl::Status SetObject(absl::string_view json) = 0;
  virtual api::meta::v1::ObjectMeta& metadata() = 0;
};

// The result type of GetScale, or an empty struct if the client has no GetScale.
template <typename ClientT>
struct ScaleOf {
  struct Type {};
};
template <typename ClientT>
requires requires { &ClientT::GetScale; }
struct ScaleOf<ClientT> {
  using Type =
      typename decltype(std::declval<const ClientT&>().GetScale(Context(), ""))::value_type;
};

// One function for all verbs: a function for each would double the compile time.
template <typename ObjectT, typename ClientT>
class ClientOf final : public AnyClient {
 public:
  explicit ClientOf(ClientT client) : client_(std::move(client)) { object_.metadata.name = kName; }

  std::vector<absl::string_view> verbs() const override {
    std::vector<absl::string_view> verbs;
    const auto add = [&verbs](bool has, absl::string_view verb) {
      if (has) verbs.push_back(verb);
    };
    add(kCreates, "create");
    add(kGets, "get");
    add(kLists, "list");
    add(kWatches, "watch");
    add(kUpdates, "update");
    add(kPatches, "patch");
    add(kHasStatus, "update status");
    add(kHasStatus && kPatches, "patch status");
    add(kHasScale, "get scale");
    add(kHasScale, "update scale");
    add(kDeletes, "delete");
    add(kDeletesAll, "deletecollection");
    return verbs;
  }

  absl::Status Call(const Context& ctx, absl::string_view verb) override {
    const std::string name(object_.metadata.name);
    const api::meta::v1::ListOptions selected = {.label_selector = kSelector};
    if constexpr (kCreates) {
      if (verb == "create") return Keep(client_.Create(ctx, object_), object_);
    }
    if constexpr (kGets) {
      if (verb == "get") return Keep(client_.Get(ctx, name), object_);
    }
    if constexpr (kLists) {
      if (verb == "list") return Find(client_.List(ctx, selected), name);
    }
    if constexpr (kWatches) {
      if (verb == "watch") return FirstIs(ctx, client_.Watch(ctx, selected), name);
    }
    if constexpr (kUpdates) {
      if (verb == "update") return Keep(client_.Update(ctx, object_), object_);
    }
    if constexpr (kPatches) {
      constexpr auto kMerge = patch::PatchType::kMerge;
      if (verb == "patch") return Keep(client_.Patch(ctx, name, kMerge, kPatch), object_);
      if (kHasStatus && verb == "patch status") {
        return Keep(client_.Patch(ctx, name, kMerge, kPatch, {}, {"status"}), object_);
      }
    }
    if constexpr (kHasStatus) {
      if (verb == "update status") return Keep(client_.UpdateStatus(ctx, object_), object_);
    }
    if constexpr (kHasScale) {
      if (verb == "get scale") return Keep(client_.GetScale(ctx, name), scale_);
      if (verb == "update scale") return Keep(client_.UpdateScale(ctx, name, scale_), scale_);
    }
    if constexpr (kDeletes) {
      if (verb == "delete") return client_.Delete(ctx, name);
    }
    if constexpr (kDeletesAll) {
      if (verb == "deletecollection") return client_.DeleteCollection(ctx, {}, selected);
    }
    return absl::UnimplementedError(verb);
  }

  absl::Status SetObject(absl::string_view json) override {
    return Keep(codec::DecodeJson<ObjectT>(json), object_);
  }
  api::meta::v1::ObjectMeta& metadata() override { return object_.metadata; }

 private:
  static constexpr bool kCreates = requires { &ClientT::Create; };
  static constexpr bool kGets = requires { &ClientT::Get; };
  static constexpr bool kLists = requires { &ClientT::List; };
  static constexpr bool kWatches = requires { &ClientT::Watch; };
  static constexpr bool kUpdates = requires { &ClientT::Update; };
  static constexpr bool kPatches = requires { &ClientT::Patch; };
  static constexpr bool kHasStatus = requires { &ClientT::UpdateStatus; };
  static constexpr bool kHasScale = requires { &ClientT::GetScale; };
  static constexpr bool kDeletes = requires { &ClientT::Delete; };
  static constexpr bool kDeletesAll = requires { &ClientT::DeleteCollection; };

  template <typename T>
  static absl::Status Keep(absl::StatusOr<T> result, T& kept) {
    if (result.ok()) kept = *std::move(result);
    return result.status();
  }

  template <typename ListT>
  static absl::Status Find(const absl::StatusOr<ListT>& list, const std::string& name) {
    if (!list.ok()) return list.status();
    for (const auto& item : list->items) {
      if (item.metadata.name == name) return absl::OkStatus();
    }
    return absl::NotFoundError("the list does not have it");
  }

  template <typename WatcherT>
  static absl::Status FirstIs(const Context& ctx, const absl::StatusOr<WatcherT>& watcher,
                              const std::string& name) {
    if (!watcher.ok()) return watcher.status();
    const auto event = (*watcher)->Next(ctx);
    if (!event.ok()) return event.status();
    if (!event->has_value()) return absl::NotFoundError("the watch has ended");
    if (!(*event)->error.ok()) return (*event)->error;
    if ((*event)->object->metadata.name == name) return absl::OkStatus();
    return absl::NotFoundError("the first event is of another object");
  }

  const ClientT client_;
  ObjectT object_;
  typename ScaleOf<ClientT>::Type scale_;
};

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_TESTING_ANY_CLIENT_H_
