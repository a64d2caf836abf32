#ifndef APIMACHINERY_BASE_SOURCE_LOCATION_H_
#define APIMACHINERY_BASE_SOURCE_LOCATION_H_

#include <string>

namespace kube::base {

// A place in the source code, for messages that say who waits, logs or failed a check. It replaces
// std::source_location, which clang 14 does not support.
//
// A thread-compatible value. `file` points to a string literal, so it is always valid.
//
//   SourceLocation Caller(SourceLocation where = SourceLocation::Current()) { return where; }
struct SourceLocation {
  const char* file = "";
  int line = 0;

  // Returns the place of the call if it is used as a default argument.
  static constexpr SourceLocation Current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return {file, line};
  }

  // Returns the name of the file without its directories.
  constexpr const char* Basename() const {
    const char* name = file;
    for (const char* c = file; *c != '\0'; ++c) {
      if (*c == '/') name = c + 1;
    }
    return name;
  }

  // Returns the place as "runtime.cc:42".
  std::string ToString() const;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SOURCE_LOCATION_H_
