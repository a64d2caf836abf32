#ifndef ENVTEST_TESTING_EVENTUALLY_H_
#define ENVTEST_TESTING_EVENTUALLY_H_

#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/create_or_edit.h"
#include "gmock/gmock.h"

// Waits of tests for what a controller does: until an object matches, until a list matches, until
// an object is gone; and checks that something stays so. (controller-runtime: `envtest/komega`)
//
//   const auto blog = EventuallyGet(websites, "blog",
//                                   Field(&Website::status, Field(&WebsiteStatus::ready, 2)));
//   ASSERT_THAT(blog, IsOk());
//   EXPECT_THAT(EventuallyList(pods, SizeIs(2)), IsOk());
//   ASSERT_THAT(websites.Delete(Context(), "blog"), IsOk());
//   EXPECT_THAT(EventuallyGone(websites, "blog"), IsOk());
//
// A client is a TypedClient, a generated client such as corev1::ConfigMapClient, or a dynamic one,
// in the namespace of the objects; a matcher is one of gmock, or a value. The message of an error
// has the last state of the object, what was expected of it, and why the two do not match.
//
// Functions ask the server again and again, and wait by the clock of the current Runtime: under
// SimRuntime ten seconds take no time. They block, and are thread-safe. komega's Update is
// TypedClient::Edit.
namespace kube::envtest {

// Options of EventuallyGet, EventuallyList, EventuallyGone and EventuallyOk.
struct EventuallyOptions {
  // How long to wait. Default: 10 s, enough for a controller on a busy machine.
  absl::Duration timeout = absl::Seconds(10);
  // Time between two questions to the server.
  absl::Duration interval = absl::Milliseconds(50);
  // Which objects EventuallyList lists. Default: all of the client's namespace.
  api::meta::v1::ListOptions list = {};
  // Ends the wait, too. Default: never done.
  Context context = {};
};

// Options of ConsistentlyGet, ConsistentlyList, ConsistentlyGone and ConsistentlyOk.
struct ConsistentlyOptions {
  // How long it must stay so.
  absl::Duration duration = absl::Seconds(2);
  // Time between two questions to the server.
  absl::Duration interval = absl::Milliseconds(50);
  // Which objects ConsistentlyList lists. Default: all of the client's namespace.
  api::meta::v1::ListOptions list = {};
  // Ends the check with its status. Default: never done.
  Context context = {};
};

// Calls `check` until it returns OK. Returns DEADLINE_EXCEEDED with its last error if it does not
// within the timeout, or the status of the context.
absl::Status EventuallyOk(absl::FunctionRef<absl::Status()> check,
                          const EventuallyOptions& options = {});

// Calls `check` for as long as `duration`. Returns FAILED_PRECONDITION with its error, and when it
// came, as soon as it returns one.
absl::Status ConsistentlyOk(absl::FunctionRef<absl::Status()> check,
                            const ConsistentlyOptions& options = {});

// The type of the lists that a client reads: ConfigMapList for a ConfigMapClient.
template <typename ClientT>
using ListOfClient =
    std::decay_t<decltype(*std::declval<const ClientT&>().List(std::declval<const Context&>()))>;

// Waits until the object of this name exists and matches, and returns it. Returns DEADLINE_EXCEEDED
// if it does not within the timeout.
template <typename ClientT, typename MatcherT>
absl::StatusOr<typed::ObjectOf<ClientT>> EventuallyGet(const ClientT& client,
                                                       absl::string_view name,
                                                       const MatcherT& matcher,
                                                       const EventuallyOptions& options = {});

// Waits until the items of the client's list match, and returns the list; the items are a container
// for matchers such as SizeIs, Contains and Each. Returns DEADLINE_EXCEEDED if they do not within
// the timeout.
template <typename ClientT, typename MatcherT>
absl::StatusOr<ListOfClient<ClientT>> EventuallyList(const ClientT& client, const MatcherT& matcher,
                                                     const EventuallyOptions& options = {});

// Waits until there is no object of this name. Returns DEADLINE_EXCEEDED if there still is one
// after the timeout, with its state: the finalizers may say why.
template <typename ClientT>
absl::Status EventuallyGone(const ClientT& client, absl::string_view name,
                            const EventuallyOptions& options = {});

// Checks that the object of this name exists and matches for as long as `duration`, and returns its
// last state. Returns FAILED_PRECONDITION as soon as it does not.
template <typename ClientT, typename MatcherT>
absl::StatusOr<typed::ObjectOf<ClientT>> ConsistentlyGet(const ClientT& client,
                                                         absl::string_view name,
                                                         const MatcherT& matcher,
                                                         const ConsistentlyOptions& options = {});

// Checks that the items of the client's list match for as long as `duration`, and returns the last
// list. Returns FAILED_PRECONDITION as soon as they do not.
template <typename ClientT, typename MatcherT>
absl::StatusOr<ListOfClient<ClientT>> ConsistentlyList(const ClientT& client,
                                                       const MatcherT& matcher,
                                                       const ConsistentlyOptions& options = {});

// Checks that there is no object of this name for as long as `duration`. Returns
// FAILED_PRECONDITION with its state as soon as there is one.
template <typename ClientT>
absl::Status ConsistentlyGone(const ClientT& client, absl::string_view name,
                              const ConsistentlyOptions& options = {});

// ---- implementation

namespace internal {

using CheckFunction = absl::FunctionRef<absl::Status(const Context&)>;

// `what` is what the messages call it: `configmaps "a" in "default"`.
absl::Status Await(absl::string_view what, const EventuallyOptions& options, CheckFunction check);
absl::Status Hold(absl::string_view what, const ConsistentlyOptions& options, CheckFunction check);

absl::Status Mismatch(absl::string_view expected, absl::string_view actual, absl::string_view why);

std::string Describe(const schema::GroupVersionResource& resource, absl::string_view namespace_name,
                     absl::string_view name);

template <typename ClientT>
std::string Describe(const ClientT& client, absl::string_view name) {
  if constexpr (requires { client.typed_client(); }) {
    const auto& typed_client = client.typed_client();
    return Describe(typed_client.core().resource(), typed_client.core().namespace_name(), name);
  } else {
    return Describe(client.core().resource(), client.core().namespace_name(), name);
  }
}

// Returns the object as text, without what the server notes about the owners of fields.
template <typename T>
std::string Show(T object) {
  if constexpr (requires { object.metadata.managed_fields = {}; }) {
    object.metadata.managed_fields = {};
  } else if constexpr (requires { object.set_managed_fields({}); }) {
    object.set_managed_fields({});
  }
  return ::testing::PrintToString(object);
}

template <typename ItemsT>
std::string ShowAll(const ItemsT& items) {
  std::string text = "[";
  for (const auto& each : items) {
    if (text.size() > 1) text += ", ";
    text += Show(each);
  }
  return text + "]";
}

// Returns OK if the value matches; else an error that says what is expected, and why it does not.
template <typename V>
absl::Status Judge(const V& value, const ::testing::Matcher<const V&>& matcher,
                   absl::FunctionRef<std::string()> show) {
  ::testing::StringMatchResultListener why;
  if (matcher.MatchAndExplain(value, &why)) return absl::OkStatus();
  std::ostringstream expected;
  matcher.DescribeTo(&expected);
  return Mismatch(expected.str(), show(), why.str());
}

// Reads an object into `last` and compares it.
template <typename ClientT, typename T>
absl::Status GetAndJudge(const Context& ctx, const ClientT& client, absl::string_view name,
                         const ::testing::Matcher<const T&>& matcher, T& last) {
  absl::StatusOr<T> got = client.Get(ctx, name);
  if (!got.ok()) return got.status();
  last = *std::move(got);
  return Judge(last, matcher, [&last] { return Show(last); });
}

// Reads a list into `last` and compares its items.
template <typename ClientT, typename ListT, typename ItemsT>
absl::Status ListAndJudge(const Context& ctx, const ClientT& client,
                          const api::meta::v1::ListOptions& options,
                          const ::testing::Matcher<const ItemsT&>& matcher, ListT& last) {
  absl::StatusOr<ListT> got = client.List(ctx, options);
  if (!got.ok()) return got.status();
  last = *std::move(got);
  return Judge<ItemsT>(last.items, matcher, [&last] { return ShowAll(last.items); });
}

// Returns the resource of the client's objects: "configmaps".
template <typename ClientT>
std::string PluralOf(const ClientT& client) {
  if constexpr (requires { client.typed_client(); }) {
    const auto& typed_client = client.typed_client();
    return typed_client.core().resource().resource;
  } else {
    return client.core().resource().resource;
  }
}

// Returns OK if the server has said that there is no object of this name. Other errors with the
// code 404, such as that of a server that does not know the resource, are returned.
absl::Status GoneOf(const absl::Status& got, absl::string_view plural, absl::string_view name,
                    absl::FunctionRef<std::string()> show);

template <typename ClientT>
absl::Status CheckGone(const Context& ctx, const ClientT& client, absl::string_view name) {
  const absl::StatusOr<typed::ObjectOf<ClientT>> got = client.Get(ctx, name);
  return GoneOf(got.status(), PluralOf(client), name, [&got] { return Show(*got); });
}

}  // namespace internal

template <typename ClientT, typename MatcherT>
absl::StatusOr<typed::ObjectOf<ClientT>> EventuallyGet(const ClientT& client,
                                                       absl::string_view name,
                                                       const MatcherT& matcher,
                                                       const EventuallyOptions& options) {
  using T = typed::ObjectOf<ClientT>;
  const auto wanted = ::testing::SafeMatcherCast<const T&>(matcher);
  T last = {};
  const absl::Status reached = internal::Await(
      internal::Describe(client, name), options, [&](const Context& ctx) -> absl::Status {
        return internal::GetAndJudge<ClientT, T>(ctx, client, name, wanted, last);
      });
  if (!reached.ok()) return reached;
  return last;
}

template <typename ClientT, typename MatcherT>
absl::StatusOr<ListOfClient<ClientT>> EventuallyList(const ClientT& client, const MatcherT& matcher,
                                                     const EventuallyOptions& options) {
  using ListT = ListOfClient<ClientT>;
  using ItemsT = std::decay_t<decltype(std::declval<ListT>().items)>;
  const auto wanted = ::testing::SafeMatcherCast<const ItemsT&>(matcher);
  ListT last = {};
  const absl::Status reached = internal::Await(
      internal::Describe(client, ""), options, [&](const Context& ctx) -> absl::Status {
        return internal::ListAndJudge<ClientT, ListT, ItemsT>(ctx, client, options.list, wanted,
                                                              last);
      });
  if (!reached.ok()) return reached;
  return last;
}

template <typename ClientT>
absl::Status EventuallyGone(const ClientT& client, absl::string_view name,
                            const EventuallyOptions& options) {
  return internal::Await(internal::Describe(client, name), options, [&](const Context& ctx) {
    return internal::CheckGone(ctx, client, name);
  });
}

template <typename ClientT, typename MatcherT>
absl::StatusOr<typed::ObjectOf<ClientT>> ConsistentlyGet(const ClientT& client,
                                                         absl::string_view name,
                                                         const MatcherT& matcher,
                                                         const ConsistentlyOptions& options) {
  using T = typed::ObjectOf<ClientT>;
  const auto wanted = ::testing::SafeMatcherCast<const T&>(matcher);
  T last = {};
  const absl::Status held = internal::Hold(
      internal::Describe(client, name), options, [&](const Context& ctx) -> absl::Status {
        return internal::GetAndJudge<ClientT, T>(ctx, client, name, wanted, last);
      });
  if (!held.ok()) return held;
  return last;
}

template <typename ClientT, typename MatcherT>
absl::StatusOr<ListOfClient<ClientT>> ConsistentlyList(const ClientT& client,
                                                       const MatcherT& matcher,
                                                       const ConsistentlyOptions& options) {
  using ListT = ListOfClient<ClientT>;
  using ItemsT = std::decay_t<decltype(std::declval<ListT>().items)>;
  const auto wanted = ::testing::SafeMatcherCast<const ItemsT&>(matcher);
  ListT last = {};
  const absl::Status held = internal::Hold(internal::Describe(client, ""), options,
                                           [&](const Context& ctx) -> absl::Status {
                                             return internal::ListAndJudge<ClientT, ListT, ItemsT>(
                                                 ctx, client, options.list, wanted, last);
                                           });
  if (!held.ok()) return held;
  return last;
}

template <typename ClientT>
absl::Status ConsistentlyGone(const ClientT& client, absl::string_view name,
                              const ConsistentlyOptions& options) {
  return internal::Hold(internal::Describe(client, name), options,
                        [&](const Context& ctx) { return internal::CheckGone(ctx, client, name); });
}

}  // namespace kube::envtest

#endif  // ENVTEST_TESTING_EVENTUALLY_H_
