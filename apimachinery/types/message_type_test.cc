#include "apimachinery/types/message_type.h"

#include <cstdint>

#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

static_assert(ApiStruct<Part>);
static_assert(ApiStruct<Size>);
static_assert(!ApiStruct<const Part>);
static_assert(!ApiStruct<Part&>);
static_assert(!ApiStruct<String>);
static_assert(!ApiStruct<Bytes>);
static_assert(!ApiStruct<List<Part>>);
static_assert(!ApiStruct<int32_t>);

template <ApiStruct T>
const table::Message& TableOf() {
  return T::kMessage;
}

TEST(MessageTypeTest, LeadsToTheTable) { EXPECT_EQ(TableOf<Part>().type_name(), "Part"); }

}  // namespace
}  // namespace kube
