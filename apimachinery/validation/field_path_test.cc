#include "apimachinery/validation/field_path.h"

#include <sstream>

#include "gtest/gtest.h"

namespace kube::validation::field {
namespace {

TEST(Path, Text) {
  const Path containers = Path("spec").Child("containers");
  const Path image = containers.Index(0).Child("image");  // spec.containers[0].image
  EXPECT_EQ(image.ToString(), "spec.containers[0].image");
  EXPECT_EQ(Path("metadata").Child("labels").Key("a.b/c").ToString(), "metadata.labels[a.b/c]");
  EXPECT_EQ(containers.ToString(), "spec.containers") << "changed by its children";
  std::ostringstream out;
  out << containers;
  EXPECT_EQ(out.str(), "spec.containers");
}

TEST(Path, Empty) {
  EXPECT_TRUE(Path().empty());
  EXPECT_EQ(Path().ToString(), "<nil>");
  EXPECT_EQ(Path().Child("key").ToString(), "key");
  EXPECT_EQ(Path().Index(3).ToString(), "[3]");
  EXPECT_EQ(Path("a").Child("").ToString(), "a[]") << "a name of nothing is a subscript upstream";
}

TEST(Path, Equality) {
  EXPECT_EQ(Path("a").Index(1), Path("a").Key("1"));
  EXPECT_FALSE(Path("a") == Path("b"));
}

}  // namespace
}  // namespace kube::validation::field
