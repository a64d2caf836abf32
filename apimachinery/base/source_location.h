#ifndef APIMACHINERY_BASE_SOURCE_LOCATION_H_
#define APIMACHINERY_BASE_SOURCE_LOCATION_H_

#include <string>

namespace kube::base {

// A place in the source, for messages: who waits, who failed a check, who logs.
//
// Thread-compatible value; `file` points at a literal and lives for ever.
// std::source_location is not usable with clang 14, hence this.
//
//   void Wait(absl::Duration d, SourceLocation where = SourceLocation::Current());
struct SourceLocation {
  const char* file = "";
  int line = 0;

  // As a default argument: the place of the call.
  static constexpr SourceLocation Current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return {file, line};
  }

  // The file's name without its folders.
  constexpr const char* Basename() const {
    const char* name = file;
    for (const char* c = file; *c != '\0'; ++c) {
      if (*c == '/') name = c + 1;
    }
    return name;
  }

  // "runtime.cc:42"
  std::string ToString() const;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SOURCE_LOCATION_H_
