#include "apiserver/containers/container_table.h"

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "apiserver/container.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

Container Exits(int code) {
  return {.exec = [code](ContainerProcess&) -> absl::StatusOr<int> { return code; }};
}

TEST(ContainerTable, FindsWhatWasSet) {
  ContainerTable table;
  const ContainerName app = {.namespace_name = "default", .pod = "web", .container = "app"};
  EXPECT_EQ(table.Find(app), nullptr);
  table.Set(app, Exits(1));
  const std::shared_ptr<const Container> first = table.Find(app);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(table.Find({.namespace_name = "default", .pod = "web", .container = "log"}), nullptr);
  EXPECT_EQ(table.Find({.namespace_name = "other", .pod = "web", .container = "app"}), nullptr);
  table.Set(app, {});
  EXPECT_FALSE(table.Find(app)->exec);
  EXPECT_TRUE(first->exec) << "a session keeps what it has found";
}

TEST(ContainerTable, AsksTheFunctionForAllOthers) {
  ContainerTable table;
  table.SetFinder([&table](const ContainerName& name) -> std::optional<Container> {
    if (name.container != "app") return std::nullopt;
    // No lock is held.
    table.Set({.namespace_name = "default", .pod = "made", .container = "later"}, {});
    return Exits(2);
  });
  EXPECT_NE(table.Find({.namespace_name = "default", .pod = "web", .container = "app"}), nullptr);
  EXPECT_EQ(table.Find({.namespace_name = "default", .pod = "web", .container = "log"}), nullptr);
  table.Set({.namespace_name = "default", .pod = "web", .container = "app"}, {});
  EXPECT_FALSE(table.Find({.namespace_name = "default", .pod = "web", .container = "app"})->exec);
  table.SetFinder(nullptr);
  EXPECT_EQ(table.Find({.namespace_name = "default", .pod = "db", .container = "app"}), nullptr);
}

}  // namespace
}  // namespace kube::apiserver::internal
