#include "controller/manager/internal/process_memory.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

std::vector<MemoryStatus> ReadProcessMemory() {
  std::ifstream file("/proc/self/status");
  std::ostringstream text;
  text << file.rdbuf();
  return ParseProcessMemory(text.str());
}

std::vector<MemoryStatus> ParseProcessMemory(absl::string_view status) {
  constexpr struct {
    absl::string_view field;
    const char* what;
  } kFields[] = {{"VmRSS:", "process, resident"},
                 {"RssAnon:", "process, anonymous"},
                 {"RssFile:", "process, files"},
                 {"VmSwap:", "process, swapped"},
                 {"VmHWM:", "process, peak resident"}};
  std::vector<MemoryStatus> memory;
  for (const auto& field : kFields) {
    for (absl::string_view line : absl::StrSplit(status, '\n')) {
      if (!absl::ConsumePrefix(&line, field.field)) continue;
      int64_t kibibytes = 0;
      absl::ConsumeSuffix(&line, " kB");
      if (!absl::SimpleAtoi(line, &kibibytes)) continue;  // skips white space
      memory.push_back({.what = field.what, .bytes = kibibytes * 1024});
    }
  }
  return memory;
}

}  // namespace kube::controller::internal
