#include "apimachinery/codec/deep_size.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>

#include "apimachinery/codec/testing/sample_structs.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using internal::TestLeaves;
using internal::TestPart;
using internal::TestShapes;
using kube::table::BoxRep;
using kube::table::ListBlock;
using kube::table::StringRep;

const std::string k20(20, 'x');

TEST(DeepSize, WhatIsInsideCostsNothing) {
  TestLeaves leaves;
  leaves.text = "fifteen chars..";
  leaves.strings = List<String>::Empty();
  EXPECT_EQ(DeepSize(leaves), (ObjectSize{.object = sizeof(TestLeaves)}));
}

TEST(DeepSize, EachShapeThatOwns) {
  TestShapes shapes;
  size_t owned = 0;
  size_t pieces = 0;
  const auto expect = [&](size_t more, size_t more_pieces) {
    owned += more;
    pieces += more_pieces;
    EXPECT_EQ(DeepSize(shapes),
              (ObjectSize{.object = sizeof(TestShapes), .owned = owned, .owned_pieces = pieces}));
  };
  expect(0, 0);
  shapes.source = k20;
  expect(20, 1);
  shapes.text = k20;
  expect(20, 1);
  shapes.part = TestPart{.name = k20};
  expect(sizeof(TestPart) + 20, 2);
  shapes.ints.reserve(6);
  expect(ListBlock::Bytes(6, 4), 1);
  shapes.ints.push_back(1);
  expect(0, 0);
  shapes.lists.reserve(1);
  shapes.lists.push_back({});
  expect(ListBlock::Bytes(1, 8), 1);
  shapes.lists[0].reserve(2);
  shapes.lists[0].push_back(k20);
  expect(ListBlock::Bytes(2, 16) + 20, 2);
  const std::map<std::string, int> entries = {{k20, 1}};
  shapes.int_map = entries;
  // The capacity of a map that has grown varies; in a copy it equals the size.
  shapes = TestShapes(shapes);
  EXPECT_GT(DeepSize(shapes).owned, owned);
}

TEST(DeepSize, CopiesHaveExactlyTheirSize) {
  TestShapes shapes;
  shapes.int_map[k20] = 1;
  const TestShapes copy = shapes;
  EXPECT_EQ(DeepSize(copy).owned, ListBlock::Bytes(1, 24) + 20);
}

template <typename Rep>
void PutBits(void* member, const Rep& rep) {
  std::memcpy(member, &rep, sizeof(rep));
}

TEST(DeepSize, BlocksAndNodes) {
  TestShapes shapes;
  // Values that belong to no object, as the decoder creates them.
  PutBits(&shapes.source, StringRep::InBlock(k20.data(), k20.size()));
  alignas(8) char part[sizeof(TestPart)] = {};
  PutBits(&shapes.part, BoxRep::InNode(part));
  PutBits(part, StringRep::InNode(k20.data(), 17));
  EXPECT_EQ(
      DeepSize(shapes),
      (ObjectSize{.object = sizeof(TestShapes), .block = 24, .shared = sizeof(TestPart) + 24}));
  EXPECT_EQ(DeepSize(shapes).total(), sizeof(TestShapes) + 24 + sizeof(TestPart) + 24);
}

}  // namespace
}  // namespace kube::codec
