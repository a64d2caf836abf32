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
#include "clientset/typed/any_resource_client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_client.h"

namespace kube::pager {

struct PagerOptions {
  // The number of objects per page, unless the list's options have a limit. Default: client-go's.
  int64_t page_size = 500;
  // Whether List requests all objects in one response if its continue token expires, which happens
  // after about five minutes. Otherwise it fails then. Default: yes.
  bool full_list_if_expired = true;
  // How many pages EachPage and EachItem fetch ahead, on a thread of their own. client-go: 10.
  // Default: zero, which means that the calling thread fetches each page when it is needed, so that
  // only one page is in memory. Fetching ahead is worthwhile if handling a page takes about as long
  // as fetching one.
  size_t page_buffer_size = 0;
};

// Lists in pages, so that neither the server nor the network has to handle all objects at once.
// (client-go: `tools/pager`)
//
//   int count = 0;
//   KUBE_RETURN_IF_ERROR(pager::PagerOf(client.CoreV1().Pods("").typed_client())
//                            .EachItem(ctx, {}, [&count](const corev1::Pod&) {
//                              ++count;
//                              return absl::OkStatus();
//                            }));
//
// PageT is an API list, such as corev1::PodList or UnstructuredList, or a typed::Page, whose
// objects are shared and immutable.
//
// Thread-safe if its page function is. Each call of a method calls that function one page at a
// time.
template <typename PageT>
class ListPager {
 public:
  using Item = ItemOf<PageT>;
  // Fetches the page for the given options. (client-go: `pager.ListPageFunc`)
  using PageFunction =
      std::function<absl::StatusOr<PageT>(const Context&, const api::meta::v1::ListOptions&)>;

  // (client-go: `pager.New`)
  explicit ListPager(PageFunction page, const PagerOptions& options = {})
      : page_(std::move(page)), options_(options) {}

  struct Listed {
    PageT list = {};
    // Whether the list came in more than one page. (client-go: the second result of
    // `ListPager.List`)
    bool paginated = false;
  };

  // Returns all objects in one list; blocks until all pages are there. If there were several pages,
  // the list's metadata is only the resource version of the first page. Returns ctx.status() or the
  // error of a page, except an expired continue token: see PagerOptions::full_list_if_expired.
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

  // Calls `visit` on this thread with one page after the other; stops at its first error, and
  // returns it. Also returns the error of a page, including an expired continue token (then start
  // again), or ctx.status(). (client-go: `ListPager.eachListChunkBuffered`)
  absl::Status EachPage(const Context& ctx, const api::meta::v1::ListOptions& options,
                        absl::FunctionRef<absl::Status(PageT)> visit) const {
    return options_.page_buffer_size == 0 ? EachPageNow(ctx, options, visit)
                                          : EachPageAhead(ctx, options, visit);
  }

  // Like EachPage, but calls `visit` with each object. (client-go: `ListPager.EachListItem`,
  // `ListPager.EachListItemWithAlloc`)
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
      // The destructor stops and joins the thread.
      if (status = visit(*std::move(page)); !status.ok()) return status;
    }
    if (ctx.done()) return ctx.status();
    thread.Join();
    return fetched;
  }

  const PageFunction page_;
  const PagerOptions options_;
};

// Returns a pager that uses TypedClient::List.
template <ApiStruct T, ApiStruct ListT>
ListPager<ListT> PagerOf(typed::TypedClient<T, ListT> client, const PagerOptions& options = {}) {
  return ListPager<ListT>(
      [client = std::move(client)](const Context& ctx, const api::meta::v1::ListOptions& list) {
        return client.List(ctx, list);
      },
      options);
}

// Returns a pager that uses the List of a client of the dynamic or the metadata package.
template <ApiStruct T, ApiStruct ListT>
ListPager<ListT> PagerOf(const typed::AnyResourceClient<T, ListT>& client,
                         const PagerOptions& options = {}) {
  return ListPager<ListT>(
      [client](const Context& ctx, const api::meta::v1::ListOptions& list) {
        return client.List(ctx, list);
      },
      options);
}

// Returns a pager for caches that uses TypedClient::ListPage, which decodes objects while they
// arrive.
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
