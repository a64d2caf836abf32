#ifndef LISTERS_INTERNAL_OBJECT_CURSOR_H_
#define LISTERS_INTERNAL_OBJECT_CURSOR_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "listers/internal/posting.h"
#include "listers/internal/ref.h"
#include "listers/internal/store_core.h"

namespace kube::listers::internal {

// The objects of a state: those of one posting, or of all namespaces. Keeps the state alive.
class AnyList {
 public:
  // All objects.
  explicit AnyList(Ref<const State> state) : size_(state->size), state_(std::move(state)) {}
  // The objects of `posting`, which must be part of the state; null for no objects.
  AnyList(Ref<const State> state, const Posting* posting)
      : posting_(posting),
        size_(posting == nullptr ? 0 : posting->members.size()),
        state_(std::move(state)) {}

  size_t size() const { return size_; }

  class Cursor {
   public:
    explicit Cursor(const AnyList& list) {
      if (list.posting_ != nullptr) {
        members_ = ObjectTree::Cursor(list.posting_->members);
      } else if (list.size_ > 0) {
        postings_ = PostingTree::Cursor(list.state_->objects.postings());
        members_ = ObjectTree::Cursor(postings_.value()->members);
      }
    }

    bool done() const { return members_.done(); }
    const std::shared_ptr<const void>& value() const { return members_.value(); }
    void Next() {
      members_.Next();
      if (members_.done() && !postings_.done()) NextPosting();
    }

   private:
    // Postings are never empty.
    void NextPosting() {
      postings_.Next();
      if (!postings_.done()) members_ = ObjectTree::Cursor(postings_.value()->members);
    }

    ObjectTree::Cursor members_;
    PostingTree::Cursor postings_;
  };

 private:
  const Posting* posting_ = nullptr;
  size_t size_;
  Ref<const State> state_;
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_OBJECT_CURSOR_H_
