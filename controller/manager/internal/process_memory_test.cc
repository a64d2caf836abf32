#include "controller/manager/internal/process_memory.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/manager/manager_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<MemoryStatus>& memory) {
  std::vector<std::string> texts;
  for (const MemoryStatus& part : memory)
    texts.push_back(absl::StrCat(part.what, ": ", part.bytes));
  return texts;
}

TEST(ProcessMemoryTest, Parse_TheTextOfTheSystem) {
  EXPECT_THAT(Texts(ParseProcessMemory("Name:\toperator\n"
                                       "VmHWM:\t   40000 kB\n"
                                       "VmRSS:\t   32768 kB\n"
                                       "RssAnon:\t   20480 kB\n"
                                       "RssFile:\t   12288 kB\n"
                                       "VmSwap:\t       0 kB\n"
                                       "Threads:\t7\n")),
              ElementsAre("process, resident: 33554432", "process, anonymous: 20971520",
                          "process, files: 12582912", "process, swapped: 0",
                          "process, peak resident: 40960000"));
}

TEST(ProcessMemoryTest, Parse_OtherTexts_SaysNothing) {
  EXPECT_THAT(ParseProcessMemory(""), IsEmpty());
  EXPECT_THAT(ParseProcessMemory("VmRSS:\t much kB\nRssAnon:"), IsEmpty());
}

TEST(ProcessMemoryTest, Read_OfThisProcess) {
  const std::vector<MemoryStatus> memory = ReadProcessMemory();
  ASSERT_GE(memory.size(), 2u);
  EXPECT_EQ(memory[0].what, "process, resident");
  EXPECT_EQ(memory[1].what, "process, anonymous");
  EXPECT_GT(memory[0].bytes, memory[1].bytes);
  EXPECT_GT(memory[1].bytes, 0);
}

}  // namespace
}  // namespace kube::controller::internal
