#ifndef TESTS_DIFFERENTIAL_ONE_LINE_H_
#define TESTS_DIFFERENTIAL_ONE_LINE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace kube::oracle {

// An answer as the oracles of this folder write it: line feeds and backslashes escaped.
// Thread-safe.
inline std::string OneLine(absl::string_view answer) {
  return absl::StrReplaceAll(answer, {{"\\", "\\\\"}, {"\n", "\\n"}});
}
inline std::string OneLine(const absl::Status& error) {
  return OneLine(absl::StrCat("error: ", error.message()));
}

}  // namespace kube::oracle

#endif  // TESTS_DIFFERENTIAL_ONE_LINE_H_
