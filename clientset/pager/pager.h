#ifndef CLIENTSET_PAGER_PAGER_H_
#define CLIENTSET_PAGER_PAGER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/types/message_type.h"
#include "clientset/pager/page_plan.h"
#include "clientset/pager/page_traits.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_client.h"

namespace kube::pager {

struct PagerOptions {
  // How many objects to ask for at once, where the list's own options have no limit. Default:
  // upstream's.
  int64_t page_size = 500;
  // Whether List asks for all at once when what it began with has expired, which happens after some
  // five minutes. Default: yes, so that it does not fail.
  bool full_list_if_expired = true;
  // How many pages EachPage and EachItem fetch ahead, on a thread of their own. Upstream: 10.
  // Default: none, so that pages are fetched by the thread that calls, as it needs them, and memory
  // holds one. Worth it where handling a page takes as long as fetching one.
  size_t page_buffer_size = 0;
};

// Lists in pages, so that neither the server nor the network has to take all objects at once.
// (client-go's tools/pager)
//
//   const auto pager = pager::PagerOf(deployments.Namespace("prod"));
//   absl::Status status = pager.EachItem(ctx, {.label_selector = "app=web"},
//                                        [](const appsv1::Deployment& web) {
//                                          std::cout << web.metadata.name << "\n";
//                                          return absl::OkStatus();
//                                        });
//
// PageT is an API list, as corev1::PodList or UnstructuredList, or a typed::Page, whose objects are
// shared and constant.
//
// Thread-safe if its function is, which it always calls once at a time for each call of its own.
template <typename PageT>
class ListPager {
 public:
  using Item = ItemOf<PageT>;
  // One page for these options. (ListPageFunc)
  using PageFunction =
      std::function<absl::StatusOr<PageT>(const Context&, const api::meta::v1::ListOptions&)>;

  // (pager.New)
  explicit ListPager(PageFunction page, const PagerOptions& options = {})
      : page_(std::move(page)), options_(options) {}

  struct Listed {
    PageT list = {};
    // Whether it came in more than one page. (The second result of ListPager.List)
    bool paginated = false;
  };

  // All objects, in one list; of its metadata only the resource version is there, the first page's,
  // unless there was but one page. Blocks until all are there. Errors of the pages, as they are; of
  // later ones not that they have expired, see PagerOptions; ctx.status().
  absl::StatusOr<Listed> List(const Context& ctx,
                              const api::meta::v1::ListOptions& options = {}) const {
    PagePlan plan(options, options_.page_size);
    std::optional<PageT> all;
    while (true) {
      if (ctx.done()) return ctx.status();
      absl::StatusOr<PageT> page = page_(ctx, plan.options());
      if (!page.ok()) {
        if (!options_.full_list_if_expired || !plan.FallBack(page.status())) return page.status();
        page = page_(ctx, plan.options());
        if (!page.ok()) return page.status();
        return Listed{.list = *std::move(page), .paginated = all.has_value()};
      }
      const bool more = plan.Advance(ContinueOf(*page));
      if (!more && !all.has_value()) return Listed{.list = *std::move(page)};
      if (!all.has_value()) all = EmptyLike(*page);
      MoveItems(*page, *all);
      if (!more) return Listed{.list = *std::move(all), .paginated = true};
    }
  }

  // Calls `visit` with one page after the other, on this thread, and stops with its first error,
  // which is returned. Otherwise a page's error, also that it has expired (begin again); or
  // ctx.status(). (eachListChunkBuffered)
  absl::Status EachPage(const Context& ctx, const api::meta::v1::ListOptions& options,
                        absl::FunctionRef<absl::Status(PageT)> visit) const {
    return options_.page_buffer_size == 0 ? EachPageNow(ctx, options, visit)
                                          : EachPageAhead(ctx, options, visit);
  }

  // The same with every object. (EachListItem, EachListItemWithAlloc)
  absl::Status EachItem(const Context& ctx, const api::meta::v1::ListOptions& options,
                        absl::FunctionRef<absl::Status(const Item&)> visit) const {
    return EachPage(ctx, options, [&visit](const PageT& page) -> absl::Status {
      for (const auto& item : ItemsOf(page)) {
        if (absl::Status status = visit(item); !status.ok()) return status;
      }
      return absl::OkStatus();
    });
  }

 private:
  absl::Status EachPageNow(const Context& ctx, const api::meta::v1::ListOptions& options,
                           absl::FunctionRef<absl::Status(PageT)> visit) const {
    PagePlan plan(options, options_.page_size);
    while (true) {
      if (ctx.done()) return ctx.status();
      absl::StatusOr<PageT> page = page_(ctx, plan.options());
      if (!page.ok()) return page.status();
      const bool more = plan.Advance(ContinueOf(*page));
      if (absl::Status status = visit(*std::move(page)); !status.ok() || !more) return status;
    }
  }

  absl::Status EachPageAhead(const Context& ctx, const api::meta::v1::ListOptions& options,
                             absl::FunctionRef<absl::Status(PageT)> visit) const {
    base::BoundedQueue<PageT> pages(options_.page_buffer_size, base::WhenFull::kBlock);
    absl::Status fetched;
    base::Thread thread;
    absl::Status status = thread.Start(ctx, "list-pager", [&](const Context& thread_ctx) {
      fetched = EachPageNow(thread_ctx, options,
                            [&](PageT page) { return pages.Push(thread_ctx, std::move(page)); });
      pages.Close();
    });
    if (!status.ok()) return status;
    while (true) {
      absl::StatusOr<PageT> page = pages.Pop(ctx);
      if (!page.ok()) break;
      // The destructor ends the thread.
      if (status = visit(*std::move(page)); !status.ok()) return status;
    }
    if (ctx.done()) return ctx.status();
    thread.Join();
    return fetched;
  }

  const PageFunction page_;
  const PagerOptions options_;
};

// Over a client's whole lists.
template <ApiStruct T, ApiStruct ListT>
ListPager<ListT> PagerOf(typed::TypedClient<T, ListT> client, const PagerOptions& options = {}) {
  return ListPager<ListT>(
      [client = std::move(client)](const Context& ctx, const api::meta::v1::ListOptions& list) {
        return client.List(ctx, list);
      },
      options);
}

// Over objects for caches, decoded while they arrive: see TypedClient::ListPage.
template <ApiStruct T, ApiStruct ListT>
ListPager<typed::Page<T, ListT>> SharedPagerOf(typed::TypedClient<T, ListT> client,
                                               const PagerOptions& options = {},
                                               const typed::PageOptions& page_options = {}) {
  return ListPager<typed::Page<T, ListT>>(
      [client = std::move(client), page_options](const Context& ctx,
                                                 const api::meta::v1::ListOptions& list) {
        return client.ListPage(ctx, list, page_options);
      },
      options);
}

}  // namespace kube::pager

#endif  // CLIENTSET_PAGER_PAGER_H_
