// Compares with Go on names of kinds and resources in random texts.
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::schema {
namespace {

std::string Show(const GroupVersion& name) {
  return absl::StrCat(name.ToString(), "(", name.group, "|", name.version, ")");
}
std::string Show(const GroupKind& name) {
  return absl::StrCat(name.ToString(), "(", name.group, "|", name.kind, ")");
}
std::string Show(const GroupResource& name) {
  return absl::StrCat(name.ToString(), "(", name.group, "|", name.resource, ")");
}
std::string Show(const GroupVersionKind& name) {
  return absl::StrCat(name.ToString(), "(", name.group, "|", name.version, "|", name.kind, ")");
}
std::string Show(const GroupVersionResource& name) {
  return absl::StrCat(name.ToString(), "(", name.group, "|", name.version, "|", name.resource, ")");
}

absl::string_view Word(bool value) { return value ? "true" : "false"; }

std::string ShowVersion(absl::string_view text) {
  const absl::StatusOr<GroupVersion> gv = ParseGroupVersion(text);
  if (!gv.ok()) return oracle::ErrorAnswer(gv.status());
  return absl::StrCat(Show(*gv), " ", Word(gv->empty()), " ", Show(gv->WithKind("K")), " ",
                      Show(gv->WithResource("r")));
}

std::string ShowResourceArg(const ResourceArg& arg) {
  if (!arg.with_version) return absl::StrCat("none ", Show(arg.group_resource));
  const GroupVersionResource& gvr = *arg.with_version;
  return absl::StrCat(Show(gvr), " ", Show(gvr.group_resource()), " ", Show(gvr.group_version()),
                      " ", Show(arg.group_resource));
}

std::string ShowKindArg(const KindArg& arg) {
  if (!arg.with_version) return absl::StrCat("none ", Show(arg.group_kind));
  const GroupVersionKind& gvk = *arg.with_version;
  return absl::StrCat(Show(gvk), " ", Show(gvk.group_kind()), " ", Show(gvk.group_version()), " ",
                      Show(arg.group_kind));
}

void AddParsing(oracle::GoCases& cases, const std::string& text) {
  const auto add = [&](absl::string_view function, absl::string_view question,
                       const std::string& ours) { cases.Add(function, question, ours); };
  add("group_version", text, ShowVersion(text));
  const GroupKind gk = ParseGroupKind(text);
  add("group_kind", text,
      absl::StrCat(Show(gk), " ", Word(gk.empty()), " ", Show(gk.WithVersion("v"))));
  const GroupResource gr = ParseGroupResource(text);
  add("group_resource", text,
      absl::StrCat(Show(gr), " ", Word(gr.empty()), " ", Show(gr.WithVersion("v"))));
  add("resource_arg", text, ShowResourceArg(ParseResourceArg(text)));
  add("kind_arg", text, ShowKindArg(ParseKindArg(text)));
  for (absl::string_view kind : {"", "Pod"}) {
    const GroupVersionKind gvk = FromApiVersionAndKind(text, kind);
    add("from_api", absl::StrCat(text, "|", kind),
        absl::StrCat(Show(gvk), " ", Word(gvk.empty()), " ", ApiVersionOf(gvk), " ", gvk.kind));
  }
}

TEST(SchemaDifferentialTest, Parsing) {
  oracle::TextMaker maker(12,
                          {"", "/", "v1", "apps/v1", "deployments.v1.apps", "Deployment.apps",
                           "pods", "a/b/c", ".", "..", "...", "a.b.c.d"},
                          {"/", ".", "v1", "apps", "pods", "example.com", " ", "\n", "\xff"});
  oracle::GoCases cases("schema_oracle");
  for (std::string& text : maker.Make(4'000)) {
    if (text.find('|') == std::string::npos) AddParsing(cases, text);
  }
  cases.Check();
}

TEST(SchemaDifferentialTest, KindFor) {
  oracle::Dice dice(13);
  const auto pick = [&](std::vector<std::string> words) { return words[dice.Below(words.size())]; };
  oracle::GoCases cases("schema_oracle");
  for (int i = 0; i < 5'000; ++i) {
    std::vector<GroupVersion> wanted;
    std::vector<GroupVersionKind> kinds;
    std::string question;
    for (size_t n = 1 + dice.Below(3); n > 0; --n) {
      wanted.push_back({.group = pick({"", "a", "b", "c"}), .version = pick({"v1", "v2", "v3"})});
      absl::StrAppend(&question, question.empty() ? "" : ",", wanted.back().group, "/",
                      wanted.back().version);
    }
    for (size_t n = 1 + dice.Below(4); n > 0; --n) {
      kinds.push_back({.group = pick({"", "a", "b"}),
                       .version = pick({"v1", "v2", "v3"}),
                       .kind = pick({"X", "Y"})});
      absl::StrAppend(&question, question.find('|') == std::string::npos ? "|" : ",",
                      kinds.back().group, "/", kinds.back().version, "/", kinds.back().kind);
    }
    const std::optional<GroupVersionKind> one = KindFor(wanted[0], kinds);
    const std::optional<GroupVersionKind> best = KindForAny(wanted, kinds);
    cases.Add("kind_for", question,
              absl::StrCat(Show(one.value_or(GroupVersionKind())), " ", Word(one.has_value()), " ",
                           Show(best.value_or(GroupVersionKind())), " ", Word(best.has_value())));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::schema
