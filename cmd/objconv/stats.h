#ifndef CMD_OBJCONV_STATS_H_
#define CMD_OBJCONV_STATS_H_

#include <cstddef>
#include <map>
#include <string>

#include "apimachinery/codec/any_object.h"

namespace kube::objconv {

// Counts objects and their sizes by kind. Thread-compatible.
class Stats {
 public:
  // Adds an object that took `bytes` in the input.
  void Add(const codec::AnyObject& object, size_t bytes);

  // Returns a table with a line per kind, sorted by name, and one for the total.
  std::string Table() const;

 private:
  struct Row {
    size_t objects = 0;
    size_t input_bytes = 0;
    size_t heap_bytes = 0;
    size_t pieces = 0;
  };
  std::map<std::string, Row> rows_;
};

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_STATS_H_
