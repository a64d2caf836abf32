#ifndef LISTERS_SELECTED_OBJECTS_H_
#define LISTERS_SELECTED_OBJECTS_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/accessor.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::listers {

// The objects of an ObjectList that match a selector, found during iteration: a range of `const
// T&`.
//
//   for (const corev1::Pod& pod : pods.List(selector)) ...
//
// Nothing is copied; it keeps alive what the ObjectList does. Each iteration tests all objects, so
// use an index for frequent queries. Immutable and thread-safe.
template <StoredObject T>
class SelectedObjects {
 public:
  class Iterator {
   public:
    using difference_type = ptrdiff_t;
    using value_type = T;

    const T& operator*() const { return *it_; }
    const T* operator->() const { return &*it_; }
    // Returns an owning pointer, to keep the object.
    std::shared_ptr<const T> shared() const { return it_.shared(); }
    Iterator& operator++() {
      ++it_;
      Skip();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t end) {
      return it.it_ == end;
    }

   private:
    friend class SelectedObjects;
    explicit Iterator(const SelectedObjects& objects)
        : it_(objects.list_.begin()), selector_(&objects.selector_) {
      Skip();
    }
    void Skip() {
      while (!(it_ == std::default_sentinel) && !Matches(*it_)) ++it_;
    }
    bool Matches(const T& object) const {
      if constexpr (meta::Object<T>) {
        return selector_->Matches(object.metadata.labels);
      } else {
        // Copies the labels, which an empty selector does not need.
        return selector_->empty() || selector_->Matches(object.labels());
      }
    }

    typename ObjectList<T>::Iterator it_;
    const labels::Selector* selector_;  // part of the SelectedObjects
  };

  SelectedObjects(ObjectList<T> list, labels::Selector selector)
      : list_(std::move(list)), selector_(std::move(selector)) {}

  // Iterators are valid while this exists.
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

  bool empty() const { return begin() == end(); }

  std::vector<std::shared_ptr<const T>> ToVector() const {
    std::vector<std::shared_ptr<const T>> objects;
    for (Iterator it = begin(); !(it == end()); ++it) objects.push_back(it.shared());
    return objects;
  }

 private:
  ObjectList<T> list_;
  labels::Selector selector_;
};

}  // namespace kube::listers

#endif  // LISTERS_SELECTED_OBJECTS_H_
