#include "envtest/crds.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "envtest/testing/review_handler.h"
#include "envtest/webhook_host.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using unstructured::Unstructured;

constexpr char kFolder[] = "envtest/testdata/crds";
constexpr typed::Resource kCronTabs = {
    .group = "stable.example.com", .version = "v1", .plural = "crontabs", .kind = "CronTab"};
constexpr typed::Resource kDefinitions = {.group = "apiextensions.k8s.io",
                                          .version = "v1",
                                          .plural = "customresourcedefinitions",
                                          .kind = "CustomResourceDefinition",
                                          .namespaced = false,
                                          .built_in = true};
using Objects = typed::TypedClient<Unstructured, unstructured::UnstructuredList>;
using Definitions = typed::TypedClient<CustomResourceDefinition,
                                       api::apiextensions::v1::CustomResourceDefinitionList>;

std::vector<std::string> NamesOf(const CustomResourceDefinitions& definitions) {
  std::vector<std::string> names;
  for (const CustomResourceDefinition& each : definitions) {
    names.push_back(std::string(each.metadata.name));
  }
  return names;
}

class CrdsTest : public ::testing::Test {
 protected:
  // A file of the test's own.
  std::string Write(const std::string& name, absl::string_view text) {
    const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
    std::ofstream(path) << std::string(text);
    return path;
  }

  apiserver::ApiHandler server_;
  const rest::Client client_ = *rest::MakeClient(InProcessConfig(server_));
};

// behaviour.md: ENVTEST-9
TEST_F(CrdsTest, FilesOfADirectoryAreReadByName) {
  const absl::StatusOr<CustomResourceDefinitions> read = ReadCrds({kFolder});
  ASSERT_THAT(read, IsOk());
  EXPECT_THAT(NamesOf(*read), ElementsAre("crontabs.stable.example.com",
                                          "clocks.stable.example.com", "bells.stable.example.com"));
  EXPECT_EQ((*read)[0].spec.names.short_names[0], "ct");
}

// behaviour.md: ENVTEST-9
TEST_F(CrdsTest, ATextReplacesFilesAndObjectsReplaceTexts) {
  const absl::StatusOr<CustomResourceDefinitions> installed =
      InstallCrds(Context(), client_, {.paths = {kFolder}, .manifest = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {plural: crontabs, kind: CronTab, shortNames: [text]}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
)"});
  ASSERT_THAT(installed, IsOk());
  EXPECT_EQ(installed->size(), 3);
  const Definitions definitions(client_, kDefinitions);
  const auto short_name = [&definitions] {
    const auto there = definitions.Get(Context(), "crontabs.stable.example.com");
    return there.ok() ? std::string(there->spec.names.short_names[0]) : "";
  };
  EXPECT_EQ(short_name(), "text");

  CustomResourceDefinitions objects = *ReadCrds({absl::StrCat(kFolder, "/a_crontabs.yaml")});
  objects[0].spec.names.short_names = {"object"};
  ASSERT_THAT(InstallCrds(Context(), client_, {.paths = {kFolder}, .definitions = objects}),
              IsOk());
  EXPECT_EQ(short_name(), "object");
}

// behaviour.md: ENVTEST-9
TEST_F(CrdsTest, ErrorsNameTheFileAndTheDocument) {
  EXPECT_THAT(ReadCrds({"envtest/testdata/none"}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"envtest/testdata/none\"")));

  const std::string broken = Write("broken.yaml",
                                   "kind: ConfigMap\n---\napiVersion: apiextensions.k8s.io/v1\n"
                                   "kind: CustomResourceDefinition\nspec: {scope: 7}\n");
  EXPECT_THAT(ReadCrds({broken}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ::testing::AllOf(HasSubstr(broken), HasSubstr("document at line 3"),
                                        HasSubstr("spec.scope"), HasSubstr("line 5"))));

  const std::string old = Write("old.json", R"({"apiVersion":"apiextensions.k8s.io/v1beta1",)"
                                            R"("kind":"CustomResourceDefinition"})");
  EXPECT_THAT(ReadCrds({old}), StatusIs(absl::StatusCode::kInvalidArgument,
                                        ::testing::AllOf(HasSubstr(old), HasSubstr("v1beta1"))));
}

// behaviour.md: CR-10
TEST_F(CrdsTest, InstalledResourcesAreThereAtOnce) {
  const auto installed = InstallCrds(Context(), client_, {.paths = {kFolder}});
  ASSERT_THAT(installed, IsOk());
  EXPECT_EQ(installed->size(), 3);

  const Objects tabs = Objects(client_, kCronTabs).Namespace("default");
  Unstructured tab;
  tab.set_name("tab");
  At(tab.object, {"spec", "cronSpec"}) = "5";
  const absl::StatusOr<Unstructured> created = tabs.Create(Context(), tab);
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->object.find("spec")->Find("replicas")->integer(), 1);

  tab.set_name("bad");
  At(tab.object, {"spec", "cronSpec"}) = "often";
  EXPECT_TRUE(errors::IsInvalid(tabs.Create(Context(), tab).status()));
}

// behaviour.md: ENVTEST-10
TEST_F(CrdsTest, InstallingAgainUpdates) {
  ASSERT_THAT(InstallCrds(Context(), client_, {.paths = {kFolder}}), IsOk());
  CustomResourceDefinitions changed = *ReadCrds({absl::StrCat(kFolder, "/a_crontabs.yaml")});
  changed[0].spec.names.short_names = {"ct", "tab"};
  changed[0].metadata.labels["team"] = "web";
  ASSERT_THAT(InstallCrds(Context(), client_, {.definitions = changed}), IsOk());

  const absl::StatusOr<CustomResourceDefinition> there =
      Definitions(client_, kDefinitions).Get(Context(), "crontabs.stable.example.com");
  ASSERT_THAT(there, IsOk());
  EXPECT_EQ(there->spec.names.short_names.size(), 2);
  EXPECT_EQ(there->status.accepted_names.short_names.size(), 2);
  EXPECT_EQ(*there->metadata.labels.find("team"), "web");
  EXPECT_EQ(there->metadata.generation, 2);
}

TEST_F(CrdsTest, AnErrorOfTheServerNamesTheDefinition) {
  CustomResourceDefinitions bad = *ReadCrds({absl::StrCat(kFolder, "/b_bells.json")});
  bad[0].spec.scope = "Nowhere";
  const absl::Status installed = InstallCrds(Context(), client_, {.definitions = bad}).status();
  EXPECT_TRUE(errors::IsInvalid(installed)) << installed;
  EXPECT_THAT(std::string(installed.message()),
              HasSubstr("install definition \"bells.stable.example.com\""));
}

TEST_F(CrdsTest, NamesThatAreTakenEndTheWait) {
  CustomResourceDefinitions two = *ReadCrds({absl::StrCat(kFolder, "/a_crontabs.yaml")});
  two[0].spec.names.short_names = {"clocks"};
  two.resize(2);
  EXPECT_THAT(InstallCrds(Context(), client_, {.definitions = two}).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       ::testing::AllOf(HasSubstr("\"crontabs.stable.example.com\""),
                                        HasSubstr("\"clocks\" is already in use"))));
}

// behaviour.md: ENVTEST-10
TEST_F(CrdsTest, WhatIsNotThereIsWaitedFor) {
  const CustomResourceDefinitions some = *ReadCrds({kFolder});
  EXPECT_THAT(WaitForCrds(Context(), client_, some, absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("wait for definition \"crontabs.stable.example.com\"")));
}

TEST_F(CrdsTest, UninstalledOnesAreGone) {
  const auto installed = InstallCrds(Context(), client_, {.paths = {kFolder}});
  ASSERT_THAT(installed, IsOk());
  ASSERT_THAT(UninstallCrds(Context(), client_, *installed), IsOk());
  ASSERT_THAT(UninstallCrds(Context(), client_, *installed), IsOk());
  const Objects tabs = Objects(client_, kCronTabs).Namespace("default");
  EXPECT_TRUE(errors::IsNotFound(tabs.List(Context()).status()));
}

// A definition with two versions, of which the stored one is v1.
constexpr char kDogs[] = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dogs.example.com}
spec:
  group: example.com
  names: {plural: dogs, kind: Dog}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
)";
constexpr char kConversion[] = R"(
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {namespace: system, name: webhook-service, path: /convert}}
)";

Objects DogsOf(const rest::Client& client, absl::string_view version) {
  const typed::Resource dogs = {
      .group = "example.com", .version = version, .plural = "dogs", .kind = "Dog"};
  return Objects(client, dogs).Namespace("default");
}

// Writes a dog in one version and reads it in the other one.
void ExpectConverted(const rest::Client& client, const ReviewHandler& webhooks) {
  Unstructured rex;
  rex.set_name("rex");
  ASSERT_THAT(DogsOf(client, "v1").Create(Context(), rex), IsOk());
  EXPECT_FALSE(webhooks.WasAsked("/convert"));
  const absl::StatusOr<Unstructured> read = DogsOf(client, "v2").Get(Context(), "rex");
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->api_version(), "example.com/v2");
  EXPECT_TRUE(webhooks.WasAsked("/convert"));
}

// behaviour.md: ENVTEST-11
TEST(CrdConversion, TheStanzaOfTheDefinition_LeadsToTheHost) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    ReviewHandler webhooks;
    apiserver::ApiHandler server;
    const auto host = WebhookHost::InProcess(webhooks, server);
    const rest::Client client = *rest::MakeClient(InProcessConfig(server));
    ASSERT_THAT(InstallCrds(Context(), client,
                            {.manifest = absl::StrCat(kDogs, kConversion), .webhooks = host.get()}),
                IsOk());
    ExpectConverted(client, webhooks);
  }),
              IsOk());
}

// behaviour.md: ENVTEST-11
TEST(CrdConversion, OverSockets_TheServiceBecomesAUrl) {
  ReviewHandler webhooks;
  const auto environment = EmbeddedEnvironment::Start();
  ASSERT_THAT(environment, IsOk());
  const auto host = WebhookHost::Listen(webhooks);
  ASSERT_THAT(host, IsOk());
  const rest::Client client = *rest::MakeClient((*environment)->Config());
  const auto installed = InstallCrds(
      Context(), client, {.manifest = absl::StrCat(kDogs, kConversion), .webhooks = host->get()});
  ASSERT_THAT(installed, IsOk());
  EXPECT_EQ((*installed)[0].spec.conversion->webhook->client_config->url,
            absl::StrCat((*host)->url(), "/convert"));
  ExpectConverted(client, webhooks);
}

// behaviour.md: ENVTEST-11
TEST(CrdConversion, ADefinitionWithoutStanza_IsConvertedIfNamed) {
  ReviewHandler webhooks;
  apiserver::ApiHandler server;
  const auto host = WebhookHost::InProcess(webhooks, server);
  const rest::Client client = *rest::MakeClient(InProcessConfig(server));
  ASSERT_THAT(
      InstallCrds(Context(), client,
                  {.manifest = kDogs, .webhooks = host.get(), .converted = {"dogs.example.com"}}),
      IsOk());
  ExpectConverted(client, webhooks);
}

TEST(CrdConversion, WhatCannotBe_IsAnError) {
  ReviewHandler webhooks;
  apiserver::ApiHandler server;
  const auto host = WebhookHost::InProcess(webhooks, server);
  const rest::Client client = *rest::MakeClient(InProcessConfig(server));
  EXPECT_THAT(
      InstallCrds(Context(), client,
                  {.manifest = kDogs, .webhooks = host.get(), .converted = {"cats.example.com"}})
          .status(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"cats.example.com\"")));
  EXPECT_THAT(InstallCrds(Context(), client, {.manifest = kDogs, .converted = {"dogs.example.com"}})
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there is no webhook host")));
}

}  // namespace
}  // namespace kube::envtest
