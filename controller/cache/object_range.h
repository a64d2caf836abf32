#ifndef CONTROLLER_CACHE_OBJECT_RANGE_H_
#define CONTROLLER_CACHE_OBJECT_RANGE_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/accessor.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::controller {

// Objects of a watch, of one or several namespaces, as they were at one moment: a range of
// `const K&`.
//
//   for (const corev1::ConfigMap& config : configs.List(view)) ...
//
// Nothing is copied. A label selector is tested during iteration. It keeps all objects of its
// moment alive, so use ToVector() to keep a few of them. The order is that of hashes. Immutable and
// thread-safe; it may outlive the watch.
template <listers::StoredObject K>
class ObjectRange {
 public:
  class Iterator {
   public:
    using difference_type = ptrdiff_t;
    using value_type = K;

    const K& operator*() const { return in_list() ? **it_ : *range_->objects_[object_]; }
    const K* operator->() const { return &**this; }
    // Returns an owning pointer, to keep the object.
    std::shared_ptr<const K> shared() const {
      return in_list() ? it_->shared() : range_->objects_[object_];
    }
    Iterator& operator++() {
      Next();
      Settle();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.done(); }

   private:
    friend class ObjectRange;
    explicit Iterator(const ObjectRange& range) : range_(&range) {
      OpenList();
      Settle();
    }

    bool in_list() const { return it_.has_value(); }
    bool done() const { return !in_list() && object_ == range_->objects_.size(); }
    void Next() {
      if (!in_list()) {
        ++object_;
        return;
      }
      ++*it_;
      if (*it_ == std::default_sentinel) {
        ++list_;
        OpenList();
      }
    }
    // Goes to the first object of this list or of the next one that has objects.
    void OpenList() {
      it_.reset();
      while (list_ < range_->lists_.size() && range_->lists_[list_].empty()) ++list_;
      if (list_ < range_->lists_.size()) it_.emplace(range_->lists_[list_].begin());
    }
    void Settle() {
      while (!done() && !range_->Matches(**this)) Next();
    }

    const ObjectRange* range_;
    size_t list_ = 0;
    std::optional<typename listers::ObjectList<K>::Iterator> it_;
    size_t object_ = 0;
  };

  // Made by Watched and Index. Has the objects of all lists.
  explicit ObjectRange(std::vector<listers::ObjectList<K>> lists, labels::Selector selector = {})
      : lists_(std::move(lists)), selector_(std::move(selector)) {}
  // Has these objects, of which none is null.
  explicit ObjectRange(std::vector<std::shared_ptr<const K>> objects,
                       labels::Selector selector = {})
      : objects_(std::move(objects)), selector_(std::move(selector)) {}

  // Iterators are valid while the range exists.
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

  bool empty() const { return begin() == end(); }

  // Returns owning pointers.
  std::vector<std::shared_ptr<const K>> ToVector() const {
    std::vector<std::shared_ptr<const K>> objects;
    for (Iterator it = begin(); !(it == end()); ++it) objects.push_back(it.shared());
    return objects;
  }

 private:
  bool Matches(const K& object) const {
    if constexpr (meta::Object<K>) {
      return selector_.Matches(object.metadata.labels);
    } else {
      // Copies the labels, which an empty selector does not need.
      return selector_.empty() || selector_.Matches(object.labels());
    }
  }

  std::vector<listers::ObjectList<K>> lists_ = {};
  std::vector<std::shared_ptr<const K>> objects_ = {};
  labels::Selector selector_ = {};
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_OBJECT_RANGE_H_
