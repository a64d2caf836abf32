#include "apimachinery/restmapper/rest_mapper.h"

#include <memory>
#include <vector>

#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/multi_rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

class CountsResets : public MultiRestMapper {
 public:
  CountsResets() : MultiRestMapper(std::vector<std::shared_ptr<RestMapper>>{}) {}
  void Reset() override { ++resets; }

  int resets = 0;
};

TEST(MaybeResetRestMapperTest, ResetsOnlyResettableMappers) {
  auto counts = std::make_shared<CountsResets>();
  MaybeResetRestMapper(*counts);
  EXPECT_EQ(counts->resets, 1);
  // By way of another.
  MultiRestMapper outer(std::vector<std::shared_ptr<RestMapper>>{counts, counts});
  MaybeResetRestMapper(outer);
  EXPECT_EQ(counts->resets, 3);
  DefaultRestMapper fixed(std::vector<schema::GroupVersion>{});
  MaybeResetRestMapper(fixed);
}

}  // namespace
}  // namespace kube::restmapper
