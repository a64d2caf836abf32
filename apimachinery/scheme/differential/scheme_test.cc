// Schemes, negotiation and bodies beside Go's.
#include "apimachinery/scheme/scheme.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/all_kinds.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/add_to_scheme.h"
#include "apimachinery/scheme/decoder.h"
#include "apimachinery/scheme/encoder.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/types/kind_info.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::scheme {
namespace {

namespace corev1 = ::kube::api::core::v1;
namespace metav1 = ::kube::api::meta::v1;

constexpr uint64_t kSeed = 20260713;

std::string ErrorText(const absl::Status& status) {
  return absl::StrCat("error: ", status.message());
}

class SchemeDifferentialTest : public testing::Test {
 protected:
  SchemeDifferentialTest() {
    EXPECT_TRUE(AddToScheme(small_, api::core::v1::Kinds()).ok());
    EXPECT_TRUE(AddToScheme(small_, api::apps::v1::Kinds()).ok());
  }

  void Check() {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed));
    cases_.Check();
  }

  Scheme small_{"test"};
  oracle::GoCases cases_{"scheme_oracle"};
};

// As in the Go program.
class Tables : public EndpointRestrictions {
 public:
  bool AllowsMediaTypeTransform(const SerializerInfo& info,
                                const schema::GroupVersionKind* target) const override {
    return target == nullptr || (target->kind == "Table" && info.subtype == "json");
  }
  bool AllowsServerVersion(absl::string_view version) const override { return version == "v1"; }
};

std::string Describe(const absl::StatusOr<NegotiatedOutput>& output) {
  if (!output.ok()) return ErrorText(output.status());
  std::vector<std::string> unrecognized;
  for (const std::string& name : output->unrecognized) unrecognized.push_back(oracle::Hex(name));
  return absl::StrCat(
      output->accepted.media_type, " pretty=", output->pretty ? "true" : "false",
      " stream=", oracle::Hex(output->stream),
      " convert=", oracle::Hex(output->convert.has_value() ? output->convert->ToString() : "none"),
      " sv=", oracle::Hex(output->use_server_version),
      " export=", output->export_form ? "true" : "false", " profile=", oracle::Hex(output->profile),
      " unrecognized=[", absl::StrJoin(unrecognized, " "), "]");
}

TEST_F(SchemeDifferentialTest, Negotiate_RandomAcceptHeaders_AgreesWithGo) {
  oracle::TextMaker maker(
      kSeed,
      {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
       "application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch",
       "text/html, application/*;q=0.8, */*;q=0.1", "application/yaml;q=0.5,application/json;q=0.4",
       "*",
       "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"},
      {",",
       ";",
       "=",
       "/",
       "*",
       " ",
       "*/*",
       "application/json",
       "application/*",
       "q=0.5",
       ";q=",
       "application/yaml",
       "as=Table",
       "stream=watch",
       "sv=v1",
       "sv=",
       "pretty=1",
       "export=1",
       "profile=x",
       "z=1",
       "application/vnd.kubernetes.protobuf",
       "q=1e-3",
       "1.0",
       "nan",
       "\xff"});
  for (const std::string& header : maker.Make(4000)) {
    // Beyond twelve clauses Go sorts otherwise.
    if (std::count(header.begin(), header.end(), ',') >= 12) continue;
    const OutputRequest request = {.accept = header};
    cases_.Add("accept", header,
               Describe(NegotiateOutputMediaType(request, SupportedMediaTypes(), Tables())));
    cases_.Add("accept_plain", header,
               Describe(NegotiateOutputMediaType(request, SupportedMediaTypes())));
    const absl::StatusOr<SerializerInfo> stream =
        NegotiateOutputMediaTypeStream(header, SupportedMediaTypes(), Tables());
    cases_.Add("accept_stream", header,
               stream.ok() ? std::string(stream->media_type) : ErrorText(stream.status()));
  }
  Check();
}

TEST_F(SchemeDifferentialTest, ParseMediaType_RandomTexts_AgreesWithGo) {
  oracle::TextMaker maker(
      kSeed,
      {"application/json", "Application/JSON; charset=utf-8", "application/yaml;a=\"b\\\"c\";",
       "application/vnd.kubernetes.protobuf;stream=watch", "application/json; a=1; a=1", "a/b"},
      {"/", ";", "=", "\"", "\\", " ", "\t", "a", "a*0=x", "; b*=utf-8''%41", "charset", "\"x y\"",
       "\xff", "\n", ",", "application/json"});
  for (const std::string& header : maker.Make(4000)) {
    const absl::StatusOr<SerializerInfo> input =
        NegotiateInputSerializer(header, false, SupportedMediaTypes());
    cases_.Add("content_type", header,
               input.ok() ? std::string(input->media_type) : ErrorText(input.status()));
    const absl::StatusOr<MediaType> parsed = ParseMediaType(header);
    cases_.Add("media_type", header, parsed.ok() ? parsed->media_type : ErrorText(parsed.status()));
  }
  Check();
}

TEST_F(SchemeDifferentialTest, KindsOfMetaTypes) {
  const Scheme& scheme = small_;
  const auto add = [&](absl::string_view name, const kube::table::Message& message,
                       bool unversioned) {
    std::vector<std::string> kinds;
    const auto found = scheme.ObjectKinds(message);
    ASSERT_TRUE(found.ok()) << found.status();
    for (const schema::GroupVersionKind& kind : *found) kinds.push_back(kind.ToString());
    std::sort(kinds.begin(), kinds.end());
    cases_.Add("object_kinds", name,
               absl::StrCat(unversioned ? "true" : "false", " ", absl::StrJoin(kinds, " | ")));
  };
  add("APIGroup", metav1::APIGroup::kMessage, scheme.IsUnversioned<metav1::APIGroup>());
  add("APIVersions", metav1::APIVersions::kMessage, scheme.IsUnversioned<metav1::APIVersions>());
  add("CreateOptions", metav1::CreateOptions::kMessage,
      scheme.IsUnversioned<metav1::CreateOptions>());
  add("DeleteOptions", metav1::DeleteOptions::kMessage,
      scheme.IsUnversioned<metav1::DeleteOptions>());
  add("ListOptions", metav1::ListOptions::kMessage, scheme.IsUnversioned<metav1::ListOptions>());
  add("Status", metav1::Status::kMessage, scheme.IsUnversioned<metav1::Status>());
  add("WatchEvent", metav1::WatchEvent::kMessage, scheme.IsUnversioned<metav1::WatchEvent>());
  Check();
}

// Of all of Kubernetes, what client-go's kubernetes/scheme has.
TEST_F(SchemeDifferentialTest, KindsOfClientGo) {
  // client-go has them in other modules, or in no scheme.
  const std::set<std::string> elsewhere = {"admission.k8s.io",     "apidiscovery.k8s.io",
                                           "apiextensions.k8s.io", "meta.k8s.io",
                                           "metrics.k8s.io",       "apiregistration.k8s.io",
                                           "imagepolicy.k8s.io",   "client.authentication.k8s.io"};
  Scheme scheme("client-go");
  std::set<std::string> versions;
  for (const KindInfo* kind : api::AllKinds()) {
    const schema::GroupVersion version = {std::string(kind->group), std::string(kind->version)};
    if (elsewhere.count(version.group) > 0) continue;
    if (version.group.empty() && kind->kind == "Config") continue;  // a kubeconfig
    ASSERT_TRUE(AddToScheme(scheme, absl::MakeConstSpan(kind, 1)).ok()) << version << kind->kind;
    versions.insert(version.ToString());
  }
  cases_.Add("all_kinds", "", absl::StrJoin(versions, " "));
  for (const std::string& version : versions) {
    std::vector<std::string> words;
    for (const auto& [kind, info] : scheme.KnownTypes(*schema::ParseGroupVersion(version))) {
      const auto found = scheme.ObjectKinds(*info->message);
      ASSERT_TRUE(found.ok()) << found.status();
      std::vector<std::string> kinds;
      for (const schema::GroupVersionKind& each : *found) kinds.push_back(each.ToString());
      std::sort(kinds.begin(), kinds.end());
      if (kinds.size() >= 10) kinds.clear();  // they are in every group-version
      words.push_back(absl::StrCat(kind, ":", absl::StrJoin(kinds, " | ")));
    }
    std::sort(words.begin(), words.end());
    cases_.Add("kinds_in", version, absl::StrJoin(words, "; "));
  }
  Check();
}

TEST_F(SchemeDifferentialTest, New) {
  for (const char* group : {"", "apps", "e.com"}) {
    for (const char* version : {"", "v1", "v2", "__internal"}) {
      for (const char* kind : {"", "Pod", "Deployment", "DeploymentList", "Status", "APIGroup",
                               "ListOptions", "WatchEvent", "Table", "Odd \"kind\"", "Scale"}) {
        const schema::GroupVersionKind name = {group, version, kind};
        // Go has a type of its own for it.
        if (name.version == "__internal" && name.kind == "WatchEvent") continue;
        const absl::StatusOr<codec::AnyObject> object = small_.New(name);
        const std::string recognized = small_.Recognizes(name) ? "true" : "false";
        cases_.Add("recognizes", absl::StrCat(group, "/", version, "/", kind),
                   object.ok() ? recognized
                               : absl::StrCat("error: ", recognized, " ",
                                              IsNotRegistered(object.status()) ? "true" : "false",
                                              " ", object.status().message()));
      }
    }
  }
  Check();
}

std::string VersionList(const std::vector<schema::GroupVersion>& versions) {
  return absl::StrJoin(versions, " ", [](std::string* out, const schema::GroupVersion& version) {
    absl::StrAppend(out, version.ToString());
  });
}

// Answers a script as the Go program does.
std::string RunScript(const std::vector<std::vector<std::string>>& script) {
  Scheme scheme("test");
  const KindInfo pod = {.version = "v1", .kind = "Pod", .message = &corev1::Pod::kMessage};
  std::vector<std::string> answers;
  for (const std::vector<std::string>& w : script) {
    if (w[0] == "add") {
      EXPECT_TRUE(scheme.AddKnownTypeWithName({w[1], w[2], w[3]}, pod).ok());
    } else if (w[0] == "set") {
      std::vector<schema::GroupVersion> versions;
      for (size_t i = 1; i < w.size(); ++i) {
        const std::vector<std::string> parts = absl::StrSplit(w[i], '/');
        versions.push_back({parts[0], parts[1]});
      }
      const absl::Status status = scheme.SetVersionPriority(versions);
      if (!status.ok()) answers.emplace_back(status.message());
    } else if (w[0] == "group") {
      answers.push_back(VersionList(scheme.PrioritizedVersionsForGroup(w[1])));
      answers.push_back(scheme.IsGroupRegistered(w[1]) ? "true" : "false");
    } else if (w[0] == "kind") {
      answers.push_back(VersionList(scheme.VersionsForGroupKind({w[1], w[2]})));
    } else {
      answers.push_back(VersionList(scheme.PrioritizedVersionsAllGroups()));
      answers.push_back(VersionList(scheme.PreferredVersionAllGroups()));
    }
  }
  const auto kinds = scheme.ObjectKinds<corev1::Pod>();
  const auto print = [](std::string* out, const schema::GroupVersionKind& kind) {
    absl::StrAppend(out, kind.ToString());
  };
  answers.push_back(absl::StrCat(
      "[", absl::StrJoin(kinds.ok() ? *kinds : std::vector<schema::GroupVersionKind>(), " ", print),
      "]"));
  answers.push_back(kinds.ok() ? "true" : "false");
  return absl::StrJoin(answers, ";");
}

TEST_F(SchemeDifferentialTest, Versions) {
  oracle::Dice dice(kSeed);
  const std::vector<std::string> groups = {"a", "b", ""};
  const std::vector<std::string> versions = {"v1", "v1beta1", "v2", "__internal"};
  const std::vector<std::string> kinds = {"Pod", "Web"};
  const auto pick = [&dice](const std::vector<std::string>& words) {
    return words[dice.Below(words.size())];
  };
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::vector<std::string>> script;
    // Go's order of groups that have a priority is any: one group at most has one.
    const std::string priority_group = pick(groups);
    for (size_t n = dice.Below(9); n > 0; --n) {
      script.push_back({"add", pick(groups), pick(versions), pick(kinds)});
    }
    for (size_t n = dice.Below(3); n > 0; --n) {
      std::vector<std::string> set = {"set"};
      for (size_t m = 1 + dice.Below(3); m > 0; --m) {
        const std::string version = dice.Below(9) == 0 ? "" : pick(versions);
        set.push_back(absl::StrCat(priority_group, "/", version));
      }
      if (dice.Below(9) == 0) set.push_back("other/v1"), set.push_back("another/");
      script.push_back(set);
    }
    script.push_back({"group", pick(groups)});
    script.push_back({"kind", pick(groups), pick(kinds)});
    script.push_back({"all"});
    const auto print = [](std::string* out, const std::vector<std::string>& words) {
      absl::StrAppend(out, absl::StrJoin(words, " "));
    };
    cases_.Add("script", absl::StrJoin(script, "\n", print), RunScript(script));
  }
  Check();
}

TEST_F(SchemeDifferentialTest, Decode) {
  const UniversalDecoder decoder(small_, {.unstructured = false});
  oracle::TextMaker maker(
      kSeed,
      {R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web"}})",
       R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":3}})",
       R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":404})",
       R"({"kind":"DeleteOptions","apiVersion":"apps/v1","gracePeriodSeconds":0})",
       "kind: Pod\napiVersion: v1\nmetadata:\n  name: web\n",
       "apiVersion: apps/v1\nkind: Deployment\n",
       std::string("k8s\0\n\x09\n\x02v1\x12\x03Pod\x12\x07\n\x05\n\x03web\x1a\0\"\0", 28)},
      {"{", "}", "\"", ":", ",", "v1", "/", "kind", "\n", "Pod", "apps/v1", " ", "k8s", "null", "1",
       "{}", "[]", "Status"});
  for (const std::string& body : maker.Make(3000)) {
    // Of YAML whose first line is deeper than the next, go-yaml reads that and drops the rest
    // without a word; ours is an error.
    if (!RecognizeFormat(body).has_value() && absl::StartsWith(body, " ")) continue;
    absl::StatusOr<DecodedObject> decoded = decoder.Decode(body);
    std::string ours;
    if (decoded.ok()) {
      ours = absl::StrCat(decoded->kind.ToString(), " ",
                          std::get<codec::AnyObject>(decoded->object).EncodeJson().value());
    } else {
      const auto yes = [](bool is_so) { return is_so ? "true" : "false"; };
      const absl::Status& status = decoded.status();
      ours = absl::StrCat("error: not-registered=", yes(IsNotRegistered(status)),
                          " no-kind=", yes(IsMissingKind(status)),
                          " no-version=", yes(IsMissingVersion(status)));
    }
    cases_.Add("decode", body, ours);
  }
  Check();
}

TEST_F(SchemeDifferentialTest, Encode) {
  const std::vector<std::string> pods = {
      "{}", R"({"kind":"Other","apiVersion":"x/v2","metadata":{"name":"<web>"}})",
      R"({"metadata":{"labels":{"b":"2","a":"1"}},"spec":{"containers":[{"name":"c"}]}})"};
  for (const std::string& text : pods) {
    const corev1::Pod pod = codec::DecodeJson<corev1::Pod>(text).value();
    const auto add = [&](absl::string_view function, Format format, bool pretty) {
      const absl::StatusOr<std::string> body =
          Encode(small_, schema::GroupVersion{"", "v1"}, pod, format, {.pretty = pretty});
      ASSERT_TRUE(body.ok()) << body.status();
      cases_.Add(function, text, oracle::Hex(*body));
    };
    add("encode_json", Format::kJson, false);
    add("encode_pretty", Format::kJson, true);
    add("encode_yaml", Format::kYaml, false);
    add("encode_protobuf", Format::kProtobuf, false);
  }
  Check();
}

}  // namespace
}  // namespace kube::scheme
