#include "informers/lister_watcher.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/any_stream_watcher.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers::internal {
namespace {

namespace metav1 = api::meta::v1;
using kube::table::Message;
using typed::TypedCore;
using unstructured::Unstructured;
using unstructured::UnstructuredList;
using AnyWatcher = watch::Watcher<void>;

// Changes `selector` so that it selects only what `own` selects, too.
void Restrict(const std::string& own, String& selector) {
  if (own.empty()) return;
  selector = selector.empty() ? own : absl::StrCat(selector.view(), ",", own);
}

bool IsIdle(const absl::Status& status) {
  const std::optional<httpclient::TransportError> error = httpclient::TransportErrorOf(status);
  return error.has_value() && error->kind == httpclient::TransportErrorKind::kLost;
}

// Passes on the events of a server. Unstructured objects of another kind than requested, such as
// Tables, are dropped. Typed objects always have the requested type.
class ObjectWatcher final : public AnyWatcher {
 public:
  ObjectWatcher(typed::WatchBody body, const watch::StreamWatcherOptions& options,
                const Message& object, const TypedCore& core, const SourceMetrics& metrics)
      : stream_(body.content_type, std::move(body.stream), object, options),
        is_unstructured_(&object == &Unstructured::kMessage),
        core_(core),
        metrics_(metrics) {}

  absl::StatusOr<std::optional<watch::Event<void>>> Next(const Context& ctx) override {
    while (true) {
      absl::StatusOr<std::optional<watch::Event<void>>> event = stream_.Next(ctx);
      if (event.ok() && event->has_value()) {
        if (IsIdle((*event)->error)) metrics_.watchdog_closes.Increment();
        if ((*event)->object != nullptr) metrics_.decoded.Increment();
        if (!IsExpected(**event)) {
          LogUnexpected(**event);
          continue;
        }
      }
      return event;
    }
  }
  bool HasNext() const override {
    const watch::Event<void>* const next = stream_.Peek();
    return next != nullptr && IsExpected(*next);
  }
  void Stop() override { stream_.Stop(); }

 private:
  bool IsExpected(const watch::Event<void>& event) const {
    if (!is_unstructured_ || event.object == nullptr) return true;
    const Unstructured& object = *static_cast<const Unstructured*>(event.object.get());
    // If the kind of the resource is unknown, accepts every kind but Table.
    if (core_.kind().empty() && object.kind() != "Table") return true;
    return object.kind() == core_.kind() && object.api_version() == core_.api_version();
  }

  void LogUnexpected(const watch::Event<void>& event) const {
    const Unstructured& object = *static_cast<const Unstructured*>(event.object.get());
    log::Error(absl::OkStatus(), "unexpected watch event object gvk",
               {{"resource", core_.resource().resource},
                {"expected", core_.kind()},
                {"kind", object.kind()},
                {"apiVersion", object.api_version()}});
  }

  watch::AnyStreamWatcher stream_;
  const bool is_unstructured_;
  const TypedCore core_;
  const SourceMetrics metrics_;
};

class ClientListerWatcher final : public ListerWatcher {
 public:
  ClientListerWatcher(TypedCore core, const Message& object, const Message& list,
                      std::unique_ptr<const codec::Projection> projection,
                      const ListerWatcherOptions& options)
      : core_(std::move(core)),
        object_(object),
        list_({.message = &list}),
        projection_(std::move(projection)),
        label_selector_(options.label_selector),
        field_selector_(options.field_selector) {
    page_.decode.projection = projection_.get();
    page_.idle_timeout = options.idle_timeout;
    if (options.share_structure) page_.store = &store_.emplace();
  }

  absl::StatusOr<ListHeader> List(const Context& ctx, const metav1::ListOptions& options,
                                  OnObject on_object) override {
    codec::AnyObject list(list_);
    const absl::Status status = core_.ListPage(ctx, Selecting(options), page_, object_,
                                               {.data = list.data(), .message = list_.message},
                                               [&](std::shared_ptr<const void> object) {
                                                 metrics_.decoded.Increment();
                                                 return on_object(std::move(object));
                                               });
    if (IsIdle(status)) metrics_.watchdog_closes.Increment();
    KUBE_RETURN_IF_ERROR(status);
    if (const metav1::ListMeta* metadata = meta::ListMetadataOf(list)) {
      return ListHeader{.resource_version = metadata->resource_version,
                        .continue_token = metadata->continue_};
    }
    const UnstructuredList& any = *list.As<UnstructuredList>();
    if (any.kind == "Table") {
      return absl::InvalidArgumentError(
          absl::StrCat("list ", description(), ": unexpected kind Table"));
    }
    return ListHeader{.resource_version = std::string(any.resource_version()),
                      .continue_token = std::string(any.continue_())};
  }

  absl::StatusOr<std::unique_ptr<AnyWatcher>> Watch(const Context& ctx,
                                                    const metav1::ListOptions& options) override {
    const typed::WatchStreamOptions watch_options = {
        .stream = {.decode = page_.decode, .store = page_.store},
        .idle_timeout = page_.idle_timeout,
        .bytes = page_.bytes};
    KUBE_ASSIGN_OR_RETURN(typed::WatchBody body,
                          core_.Watch(ctx, Selecting(options), watch_options));
    if (body.stream == nullptr) return std::make_unique<watch::EmptyWatcher<void>>();
    return std::make_unique<ObjectWatcher>(std::move(body),
                                           typed::MakeStreamWatcherOptions(watch_options, object_),
                                           object_, core_, metrics_);
  }

  void SetMetrics(const SourceMetrics& metrics) override {
    metrics_ = metrics;
    page_.bytes = metrics.bytes;
  }

  std::string description() const override {
    const std::string& namespace_name = core_.namespace_name();
    return namespace_name.empty() ? core_.resource().resource
                                  : absl::StrCat(core_.resource().resource, " in ", namespace_name);
  }

 private:
  metav1::ListOptions Selecting(metav1::ListOptions options) const {
    Restrict(label_selector_, options.label_selector);
    Restrict(field_selector_, options.field_selector);
    return options;
  }

  const TypedCore core_;
  const Message& object_;
  const KindInfo list_;
  const std::unique_ptr<const codec::Projection> projection_;
  const std::string label_selector_;
  const std::string field_selector_;
  // Declared after the projection, to which it refers.
  std::optional<codec::SharingStore> store_;
  typed::PageOptions page_;
  SourceMetrics metrics_;
};

// Returns null if all fields are wanted.
absl::StatusOr<std::unique_ptr<const codec::Projection>> MakeProjection(
    const Message& object, const ListerWatcherOptions& options) {
  codec::ProjectionOptions projection = options.projection;
  if (options.drop_managed_fields) projection.drop.push_back("metadata.managedFields");
  if (projection.drop.empty() && projection.keep.empty()) return nullptr;
  if (&object == &Unstructured::kMessage) {
    return absl::InvalidArgumentError("make projection: unstructured objects are not supported");
  }
  // These two follow from the type.
  projection.drop.push_back("kind");
  projection.drop.push_back("apiVersion");
  KUBE_ASSIGN_OR_RETURN(codec::Projection made, codec::Projection::Make(object, projection));
  return std::make_unique<const codec::Projection>(std::move(made));
}

}  // namespace

absl::StatusOr<std::shared_ptr<ListerWatcher>> MakeListerWatcher(
    TypedCore core, const Message& object, const Message& list,
    const ListerWatcherOptions& options) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<const codec::Projection> projection,
                        MakeProjection(object, options));
  return std::make_shared<ClientListerWatcher>(std::move(core), object, list, std::move(projection),
                                               options);
}

}  // namespace kube::informers::internal

namespace kube::informers {
namespace {

namespace metav1 = api::meta::v1;

class FailedListerWatcher final : public ListerWatcher {
 public:
  FailedListerWatcher(absl::Status error, std::string description)
      : error_(std::move(error)), description_(std::move(description)) {}

  absl::StatusOr<ListHeader> List(const Context&, const metav1::ListOptions&, OnObject) override {
    return error_;
  }
  absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> Watch(const Context&,
                                                              const metav1::ListOptions&) override {
    return error_;
  }
  std::string description() const override { return description_; }

 private:
  const absl::Status error_;
  const std::string description_;
};

}  // namespace

std::shared_ptr<ListerWatcher> MakeFailedListerWatcher(absl::Status error,
                                                       std::string description) {
  return std::make_shared<FailedListerWatcher>(std::move(error), std::move(description));
}

}  // namespace kube::informers
