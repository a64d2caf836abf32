#include "benchmarks/codec/records.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// For records shorter than 256 bytes.
std::string Record(const std::string& data) {
  return std::string({static_cast<char>(data.size()), '\0', '\0', '\0'}) + data;
}

std::string End() { return std::string(4 + 64, '\0'); }

std::string Write(const std::string& data) {
  const std::string path = testing::TempDir() + "/records";
  std::ofstream(path, std::ios::binary) << data;
  return path;
}

TEST(RecordsTest, TheLastOneIsTheList) {
  const absl::StatusOr<Records> records =
      OpenRecords(Write(Record("one") + Record("two") + Record("list") + End()));
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_THAT(records->pods, ElementsAre("one", "two"));
  EXPECT_EQ(records->list, "list");
}

TEST(RecordsTest, Errors) {
  const struct {
    const char* name;
    std::string data;
    const char* cause;
  } kCases[] = {
      {"nothing but the end", End(), "it has no pods"},
      {"no pods", Record("list") + End(), "it has no pods"},
      {"cut off", Record("one") + Record("two").substr(0, 5), "it has no pods"},
      {"longer than the file", std::string("\x7f\0\0\0", 4) + std::string(100, 'x'),
       "it ends within a record"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    const absl::Status status = OpenRecords(Write(c.data)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.cause));
  }
}

TEST(RecordsTest, MissingFile) {
  EXPECT_EQ(OpenRecords(testing::TempDir() + "/missing").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace kube::benchmarks
