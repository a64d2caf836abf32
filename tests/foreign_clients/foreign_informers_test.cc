// Informers of groups that are not Kubernetes' own, as users have them.
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_factory_core.h"
#include "tests/foreign_clients/post.informers.kube.h"
#include "tests/foreign_clients/shop.informers.kube.h"
#include "tests/foreign_clients/shop.kube.h"

namespace kube {
namespace {

namespace postv1beta1 = tests::post::v1beta1;
namespace shopv1 = tests::shop::v1;

using base::IsOk;
using testing::ElementsAre;

// Lists of one object each; watches stay open until they are given up.
std::shared_ptr<rest::ScriptedTransport> MakeServer() {
  auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({.query = {{"watch", {"true"}}}}, {.hang = true});
  for (const auto& [path, item] : {
           std::pair("/apis/shop.example.com/v1/bakeries",
                     R"({"metadata":{"name":"bread","namespace":"north"},"spec":{"ovens":2}})"),
           std::pair("/apis/shop.example.com/v1/boxes", R"({"metadata":{"name":"red"}})"),
           std::pair("/apis/snail-mail.example.com/v1beta1/sheep",
                     R"({"metadata":{"name":"dolly","namespace":"north"}})"),
       }) {
    transport->Always({.path = path},
                      rest::JsonReply(absl::StrCat(
                          R"({"metadata":{"resourceVersion":"7"},"items":[)", item, "]}")));
  }
  return transport;
}

const informers::SharedInformerFactoryOptions kOptions = {.reflector = {.watch_list = false}};

TEST(ForeignInformers, AFactoryOfAFilesKinds) {
  shopv1::SharedInformerFactory factory(rest::MakeScriptedClient(MakeServer()), kOptions);
  const shopv1::BakeryInformer bakeries = factory.Shop().V1().Bakeries();
  const shopv1::BoxInformer boxes = factory.Shop().V1().Boxes();
  const auto bakery_lister = bakeries.Lister();
  const auto box_lister = boxes.Lister();
  ASSERT_THAT(factory.Start(Context()), IsOk());
  ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
  const auto bread = bakery_lister.Namespace("north").Get("bread");
  ASSERT_THAT(bread, IsOk());
  EXPECT_EQ((*bread)->spec.ovens, 2);
  EXPECT_THAT(box_lister.Get("red"), IsOk());
  const absl::Status none = box_lister.Get("blue").status();
  EXPECT_TRUE(errors::IsNotFound(none));
  EXPECT_EQ(std::string(none.message()), "boxes.shop.example.com \"blue\" not found");
}

// Its resource is called as its kind.
TEST(ForeignInformers, AnAccessorMayHaveTheNameOfItsKind) {
  postv1beta1::SharedInformerFactory factory(rest::MakeScriptedClient(MakeServer()), kOptions);
  const postv1beta1::SheepInformer sheep = factory.SnailMail().V1beta1().Sheep();
  const auto lister = sheep.Lister();
  ASSERT_THAT(factory.Start(Context()), IsOk());
  ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
  EXPECT_THAT(lister.Namespace("north").Get("dolly"), IsOk());
}

// One start, one wait and one stop for all.
TEST(ForeignInformers, OtherFactoriesHaveThemToo) {
  kubernetes::SharedInformerFactory factory(rest::MakeScriptedClient(MakeServer()), kOptions);
  const shopv1::BakeryInformer bakeries = shopv1::ShopV1Informers(factory).Bakeries();
  const auto sheep = postv1beta1::SnailMailV1beta1Informers(factory).Sheep().Lister();
  EXPECT_EQ(&bakeries.Informer(), &shopv1::ShopV1Informers(factory).Bakeries().Informer());
  EXPECT_EQ(factory.Informers().size(), 2u);
  ASSERT_THAT(factory.Start(Context()), IsOk());
  ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
  EXPECT_THAT(bakeries.Lister().Namespace("north").Get("bread"), IsOk());
  EXPECT_THAT(sheep.Namespace("north").Get("dolly"), IsOk());
}

// What cannot be both listed and watched has none.
template <typename InformersT>
constexpr bool kHasReviews = requires(const InformersT& shop) {
  shop.PriceReviews();
};
static_assert(!kHasReviews<shopv1::ShopV1Informers>);

template <typename InformersT>
constexpr bool kHasBoxes = requires(const InformersT& shop) {
  shop.Boxes();
};
static_assert(kHasBoxes<shopv1::ShopV1Informers>);

static_assert(std::is_same_v<decltype(std::declval<shopv1::BakeryInformer>().Informer()),
                             informers::SharedInformer<shopv1::Bakery>&>);

}  // namespace
}  // namespace kube
