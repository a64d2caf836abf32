#include "clientset/pager/pager.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/pager/page_plan.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::pager {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using rest::JsonReply;
using rest::ScriptedTransport;
using rest::StatusReply;
using testing::ElementsAre;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

constexpr typed::Resource kPods = {
    .group = "", .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;
using PodPager = ListPager<corev1::PodList>;

rest::ScriptedReply PageReply(absl::string_view name, absl::string_view continue_) {
  return JsonReply(absl::StrCat(R"({"metadata":{"resourceVersion":"7","remainingItemCount":9,)",
                                R"("continue":")", continue_, R"("},"items":[{"metadata":{)",
                                R"("name":")", name, R"("}}]})"));
}

class PagerTest : public testing::Test {
 protected:
  Pods MakePods() { return Pods(rest::MakeScriptedClient(transport_), kPods); }
  std::vector<std::string> Queries() const {
    std::vector<std::string> queries;
    for (const rest::RecordedRequest& request : transport_->requests()) {
      queries.push_back(request.url.substr(request.url.find('?') + 1));
    }
    return queries;
  }

  const std::shared_ptr<ScriptedTransport> transport_ = std::make_shared<ScriptedTransport>();
  const Context ctx_ = {};
};

// behaviour.md: PG-1
TEST_F(PagerTest, List_SeveralPages_JoinsTheirItems) {
  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, PageReply("b", "c2"));
  transport_->Expect({}, PageReply("c", ""));
  const auto listed =
      PagerOf(MakePods())
          .List(ctx_, {.resource_version = "5", .resource_version_match = "NotOlderThan"});
  ASSERT_THAT(listed, base::IsOk());
  EXPECT_TRUE(listed->paginated);
  EXPECT_EQ(listed->list.items.size(), 3);
  EXPECT_EQ(listed->list.metadata, (metav1::ListMeta{.resource_version = "7"}));
  EXPECT_THAT(Queries(),
              ElementsAre("limit=500&resourceVersion=5&resourceVersionMatch=NotOlderThan",
                          "continue=c1&limit=500", "continue=c2&limit=500"));
}

// behaviour.md: PG-1
TEST_F(PagerTest, List_OnePage_IsReturnedUnchanged) {
  transport_->Expect({}, PageReply("a", ""));
  const auto listed = PagerOf(MakePods()).List(ctx_, {.limit = 7});
  ASSERT_THAT(listed, base::IsOk());
  EXPECT_FALSE(listed->paginated);
  EXPECT_EQ(listed->list.metadata.remaining_item_count, 9);
  EXPECT_THAT(Queries(), ElementsAre("limit=7"));
}

// behaviour.md: PG-1
TEST_F(PagerTest, List_ExpiredToken_ListsAllAtOnce) {
  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, StatusReply(410, "Expired", "too old"));
  transport_->Expect({}, PageReply("b", ""));
  const auto listed = PagerOf(MakePods()).List(ctx_, {.resource_version = "5"});
  ASSERT_THAT(listed, base::IsOk());
  EXPECT_EQ(listed->list.items.size(), 1);
  EXPECT_TRUE(listed->paginated);
  EXPECT_THAT(Queries(), ElementsAre("limit=500&resourceVersion=5", "continue=c1&limit=500",
                                     "resourceVersion=5"));

  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, StatusReply(410, "Expired", "too old"));
  EXPECT_TRUE(errors::IsResourceExpired(
      PagerOf(MakePods(), {.full_list_if_expired = false}).List(ctx_).status()));

  // If the first page fails, the caller has to start again.
  transport_->Expect({}, StatusReply(410, "Expired", "too old"));
  EXPECT_TRUE(errors::IsResourceExpired(PagerOf(MakePods()).List(ctx_).status()));
}

TEST_F(PagerTest, List_SharedOrUnstructured_JoinsTheirItems) {
  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, PageReply("b", ""));
  const auto shared = SharedPagerOf(MakePods()).List(ctx_);
  ASSERT_THAT(shared, base::IsOk());
  ASSERT_EQ(shared->list.items.size(), 2);
  EXPECT_EQ(shared->list.items[1]->metadata.name, "b");
  EXPECT_EQ(shared->list.list.metadata.resource_version, "7");

  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, PageReply("b", ""));
  const auto any = PagerOf(typed::TypedClient<Unstructured, UnstructuredList>(
                               rest::MakeScriptedClient(transport_), kPods))
                       .List(ctx_);
  ASSERT_THAT(any, base::IsOk());
  ASSERT_EQ(any->list.items.size(), 2);
  EXPECT_EQ(any->list.items[1].name(), "b");
  EXPECT_EQ(any->list.resource_version(), "7");
  EXPECT_EQ(any->list.continue_(), "");
}

// client-go sends the resource version together with the token, which servers refuse.
TEST_F(PagerTest, EachItem_LaterPages_AskForNoVersion) {
  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, PageReply("b", ""));
  std::vector<std::string> names;
  EXPECT_THAT(PagerOf(MakePods())
                  .EachItem(ctx_, {.resource_version = "5"},
                            [&names](const corev1::Pod& pod) {
                              names.push_back(pod.metadata.name);
                              return absl::OkStatus();
                            }),
              base::IsOk());
  EXPECT_THAT(names, ElementsAre("a", "b"));
  EXPECT_THAT(Queries(), ElementsAre("limit=500&resourceVersion=5", "continue=c1&limit=500"));
}

// The example of PagePlan.
absl::StatusOr<std::set<std::string>> NamesOf(const Context& ctx, const Pods& pods,
                                              const metav1::ListOptions& options) {
  std::set<std::string> names;
  PagePlan plan(options, /*page_size=*/500);
  absl::StatusOr<corev1::PodList> page;
  do {
    page = pods.List(ctx, plan.options());
    if (!page.ok() && plan.FallBack(page.status())) page = pods.List(ctx, plan.options());
    if (!page.ok()) return page.status();
    for (const corev1::Pod& pod : page->items) names.emplace(pod.metadata.name);
  } while (plan.Advance(page->metadata.continue_));
  return names;
}

TEST_F(PagerTest, APlanListsAllAtOnceWhenItHasExpired_AsInTheHeader) {
  transport_->Expect({}, PageReply("a", "c1"));
  transport_->Expect({}, StatusReply(410, "Expired", "too old"));
  transport_->Expect({}, PageReply("b", ""));
  EXPECT_THAT(NamesOf(ctx_, MakePods(), {}), base::IsOkAndHolds(ElementsAre("a", "b")));
}

// Returns a pager over `last` pages with one pod each, which is named by the page's number. Fetched
// pages are recorded in `asked`.
PodPager Numbers(std::vector<int>& asked, int last, const PagerOptions& options) {
  return PodPager(
      [&asked, last](const Context& ctx,
                     const metav1::ListOptions& list) -> absl::StatusOr<corev1::PodList> {
        if (ctx.done()) return ctx.status();
        const int number = list.continue_.empty() ? 0 : std::stoi(list.continue_);
        asked.push_back(number);
        corev1::PodList page;
        page.items.push_back({.metadata = {.name = absl::StrCat(number)}});
        if (number + 1 < last) page.metadata.continue_ = absl::StrCat(number + 1);
        return page;
      },
      options);
}

TEST(PagerThreads, EachItem_PageBuffer_FetchesAheadNoFartherThanThat) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) -> absl::Status {
                    std::vector<int> asked;
                    int seen = 0;
                    size_t farthest = 0;
                    absl::Status status;
                    const absl::Status end = sim.Run([&] {
                      const PodPager pager = Numbers(asked, 20, {.page_buffer_size = 3});
                      status = pager.EachItem(Context(), {},
                                              [&](const corev1::Pod& pod) -> absl::Status {
                                                if (pod.metadata.name != absl::StrCat(seen++))
                                                  return absl::InternalError("order");
                                                farthest = std::max(farthest, asked.size() - seen);
                                                return absl::OkStatus();
                                              });
                    });
                    if (!end.ok() || !status.ok()) return end.ok() ? status : end;
                    if (seen != 20) return absl::InternalError(absl::StrCat("saw ", seen));
                    // Three pages are buffered, and one more is being pushed.
                    if (farthest > 4)
                      return absl::InternalError(absl::StrCat("ahead by ", farthest));
                    return absl::OkStatus();
                  },
                  {.seeds = base::SimulationSeeds(200)}),
              base::IsOk());
}

TEST(PagerThreads, EachItem_VisitorFailsOrContextEnds_ReturnsThatError) {
  for (const size_t ahead : {0, 3}) {
    SCOPED_TRACE(ahead);
    EXPECT_THAT(
        base::SearchSeeds(
            [ahead](base::SimRuntime& sim) -> absl::Status {
              std::vector<int> asked;
              absl::Status stopped;
              absl::Status cancelled;
              const absl::Status end = sim.Run([&] {
                const PodPager pager = Numbers(asked, 1'000'000, {.page_buffer_size = ahead});
                int seen = 0;
                stopped = pager.EachItem(Context(), {}, [&seen](const corev1::Pod&) {
                  return ++seen == 5 ? absl::AbortedError("enough") : absl::OkStatus();
                });
                CancelScope scope = WithCancel(Context());
                cancelled = pager.EachItem(scope.context(), {}, [&scope](const corev1::Pod&) {
                  scope.Cancel();
                  return absl::OkStatus();
                });
              });
              if (!end.ok()) return end;
              if (!absl::IsAborted(stopped)) return absl::InternalError("not stopped");
              if (!absl::IsCancelled(cancelled)) return absl::InternalError("not cancelled");
              return absl::OkStatus();
            },
            {.seeds = base::SimulationSeeds(100)}),
        base::IsOk());
  }
}

}  // namespace
}  // namespace kube::pager
