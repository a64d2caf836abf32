#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "api/autoscaling/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/foreign_clients/post.client.kube.h"
#include "tests/foreign_clients/post.kube.h"
#include "tests/foreign_clients/shop.client.kube.h"
#include "tests/foreign_clients/shop.kube.h"

namespace kube {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace postv1beta1 = tests::post::v1beta1;
namespace shopv1 = tests::shop::v1;

using base::IsOk;
using base::StatusIs;

struct Case {
  const char* name;
  std::function<absl::Status(const Context&, const rest::Client&)> call;
  const char* method;
  const char* path;
  const char* body;
  const char* reply;
};

const Case kCases[] = {
    {"Get",
     [](const Context& ctx, const rest::Client& client) {
       return shopv1::ShopV1Client(client).Bakeries("north").Get(ctx, "bread").status();
     },
     "GET", "/apis/shop.example.com/v1/namespaces/north/bakeries/bread", "",
     R"({"kind":"Bakery","apiVersion":"shop.example.com/v1"})"},
    {"Create",
     [](const Context& ctx, const rest::Client& client) {
       return shopv1::ShopV1Client(client)
           .Bakeries("north")
           .Create(ctx, {.metadata = {.name = "bread"}, .spec = {.ovens = 2}})
           .status();
     },
     "POST", "/apis/shop.example.com/v1/namespaces/north/bakeries",
     R"({"kind":"Bakery","apiVersion":"shop.example.com/v1","metadata":{"name":"bread"},)"
     R"("spec":{"ovens":2}})"
     "\n",
     R"({"kind":"Bakery","apiVersion":"shop.example.com/v1"})"},
    {"UpdateScale",
     [](const Context& ctx, const rest::Client& client) {
       return shopv1::ShopV1Client(client)
           .Bakeries("north")
           .UpdateScale(ctx, "bread", {.spec = {.replicas = 3}})
           .status();
     },
     "PUT", "/apis/shop.example.com/v1/namespaces/north/bakeries/bread/scale",
     R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{},"spec":{"replicas":3},)"
     R"("status":{"replicas":0}})"
     "\n",
     R"({"kind":"Scale","apiVersion":"autoscaling/v1"})"},
    {"ApplyScale",
     [](const Context& ctx, const rest::Client& client) {
       return shopv1::ShopV1Client(client)
           .Bakeries("north")
           .ApplyScale(ctx, "bread", autoscalingv1::Scale{.spec = {.replicas = 3}},
                       {.field_manager = "m"})
           .status();
     },
     "PATCH", "/apis/shop.example.com/v1/namespaces/north/bakeries/bread/scale",
     R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{},"spec":{"replicas":3},)"
     R"("status":{"replicas":0}})",
     R"({"kind":"Scale","apiVersion":"autoscaling/v1"})"},
    {"List of the cluster's",
     [](const Context& ctx, const rest::Client& client) {
       return shopv1::ShopV1Client(client).Boxes().List(ctx).status();
     },
     "GET", "/apis/shop.example.com/v1/boxes", "",
     R"({"kind":"BoxList","apiVersion":"shop.example.com/v1","items":[]})"},
    {"UpdateApproval",
     [](const Context& ctx, const rest::Client& client) {
       return shopv1::ShopV1Client(client)
           .PriceReviews()
           .UpdateApproval(ctx, "p", {.price = 3})
           .status();
     },
     "PUT", "/apis/shop.example.com/v1/pricereviews/p/approval",
     R"({"kind":"PriceReview","apiVersion":"shop.example.com/v1","metadata":{},"price":3})"
     "\n",
     R"({"kind":"PriceReview","apiVersion":"shop.example.com/v1"})"},
    {"CreateStamp: sent is another's, and comes back its own",
     [](const Context& ctx, const rest::Client& client) {
       return postv1beta1::SnailMailV1beta1Client(client)
           .Sheep("north")
           .CreateStamp(ctx, "dolly", {.price = 3})
           .status();
     },
     "POST", "/apis/snail-mail.example.com/v1beta1/namespaces/north/sheep/dolly/stamp",
     R"({"kind":"PriceReview","apiVersion":"shop.example.com/v1","metadata":{},"price":3})"
     "\n",
     R"({"kind":"Sheep","apiVersion":"snail-mail.example.com/v1beta1"})"},
};

// Groups that are not Kubernetes' own use JSON only.
TEST(ForeignClients, RequestsAreThose) {
  const Context ctx;
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const auto transport = std::make_shared<rest::ScriptedTransport>();
    transport->Always({}, rest::JsonReply(each.reply));
    EXPECT_THAT(each.call(ctx, rest::MakeScriptedClient(transport)), IsOk());
    ASSERT_EQ(transport->requests().size(), 1u);
    const rest::RecordedRequest request = transport->requests()[0];
    EXPECT_EQ(request.method, each.method);
    EXPECT_EQ(request.path, each.path);
    EXPECT_EQ(request.body, each.body);
    EXPECT_EQ(request.Header("accept"), "application/json, */*");
  }
}

TEST(ForeignClients, PagersTakeThem) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply(R"({"kind":"BoxList","items":[{},{}]})"));
  const shopv1::ShopV1Client shop(rest::MakeScriptedClient(transport));
  int count = 0;
  EXPECT_THAT(pager::PagerOf(shop.Boxes().typed_client())
                  .EachItem(Context(), {},
                            [&count](const shopv1::Box&) {
                              ++count;
                              return absl::OkStatus();
                            }),
              IsOk());
  EXPECT_EQ(count, 2);
}

// A failed precondition of the server's, not an empty object.
TEST(ForeignClients, AStatusIsNotTheResult) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({},
                    rest::JsonReply(R"({"kind":"Status","apiVersion":"v1","status":"Success"})"));
  EXPECT_THAT(postv1beta1::SnailMailV1beta1Client(rest::MakeScriptedClient(transport))
                  .Sheep("north")
                  .CreateStamp(Context(), "dolly", {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// What is no verb of a kind does not compile.
template <typename ClientT>
constexpr bool kReadOnly = requires {
  &ClientT::Get;
}
&&requires { &ClientT::Watch; }
&&!requires { &ClientT::Create; }
&&!requires { &ClientT::Update; }
&&!requires { &ClientT::Delete; }
&&!requires { &ClientT::Patch; }
&&!requires { &ClientT::UpdateStatus; };
static_assert(kReadOnly<shopv1::BoxClient>);
static_assert(!kReadOnly<shopv1::BakeryClient>);

template <typename ClientT>
constexpr bool kCreateOnly = requires {
  &ClientT::Create;
}
&&!requires { &ClientT::Get; }
&&!requires { &ClientT::List; }
&&!requires(const ClientT& c) { c.typed_client(); };
static_assert(kCreateOnly<shopv1::PriceReviewClient>);

}  // namespace
}  // namespace kube
