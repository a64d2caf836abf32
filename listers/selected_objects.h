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

// Those of an ObjectList that a selector selects, found while one walks over it: a range of
// `const T&`.
//
//   for (const corev1::Pod& pod : pods.List(selector)) ...
//
// It is no copy, and keeps what ObjectList keeps. Each walk looks at all objects: for what is asked
// for often, an index. Immutable, and thread-safe.
template <StoredObject T>
class SelectedObjects {
 public:
  class Iterator {
   public:
    using difference_type = ptrdiff_t;
    using value_type = T;

    const T& operator*() const { return *it_; }
    const T* operator->() const { return &*it_; }
    // To keep the object.
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
        // Copies the labels: not for nothing.
        return selector_->empty() || selector_->Matches(object.labels());
      }
    }

    typename ObjectList<T>::Iterator it_;
    const labels::Selector* selector_;  // of the list
  };

  SelectedObjects(ObjectList<T> list, labels::Selector selector)
      : list_(std::move(list)), selector_(std::move(selector)) {}

  // Good while this lives.
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
