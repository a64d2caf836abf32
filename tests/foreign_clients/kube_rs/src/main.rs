//! foreign_client_rust KUBECONFIG NAMESPACE: an ordinary program with the kube crate. It creates the
//! namespace, uses every kind of request in it, and prints what comes of them, so that the output for
//! the embedded server and for a kube-apiserver can be compared.
//!
//! tests/foreign_clients/client_go does the same and prints the same with client-go.

use std::collections::BTreeMap;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Pod};
use kube::api::{
    Api, DeleteParams, EvictParams, ListParams, ObjectMeta, Patch, PatchParams, PostParams,
    Preconditions, WatchEvent, WatchParams,
};
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use kube::Client;
use serde_json::json;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Program {
    client: Client,
    ns: String,
    /// What differs from run to run, and what is printed in its place.
    replaced: Vec<(String, String)>,
}

fn config_map(name: &str, value: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.to_string()),
            labels: Some(BTreeMap::from([("app".to_string(), "x".to_string())])),
            ..Default::default()
        },
        data: Some(BTreeMap::from([("k".to_string(), value.to_string())])),
        ..Default::default()
    }
}

fn name_of(map: &ConfigMap) -> String {
    map.metadata.name.clone().unwrap_or_default()
}

fn value_of(map: &ConfigMap) -> String {
    map.data.as_ref().and_then(|data| data.get("k")).cloned().unwrap_or_default()
}

impl Program {
    fn say(&self, text: String) {
        let line = self.replaced.iter().fold(text, |line, (old, new)| line.replace(old, new));
        println!("{line}");
    }

    /// Prints the status of an error that is expected.
    fn say_error<T>(&self, what: &str, result: kube::Result<T>) -> Result<()> {
        match result {
            Err(kube::Error::Api(status)) => {
                self.say(format!("{what}: {} {}: {}", status.code, status.reason, status.message));
                Ok(())
            }
            Err(other) => Err(format!("{what}: {other}, expected an error of the server").into()),
            Ok(_) => Err(format!("{what}: no error").into()),
        }
    }

    fn maps(&self) -> Api<ConfigMap> {
        Api::namespaced(self.client.clone(), &self.ns)
    }

    fn deployments(&self) -> Api<Deployment> {
        Api::namespaced(self.client.clone(), &self.ns)
    }

    async fn lists(&self) -> Result<()> {
        for i in 0..5 {
            let map = config_map(&format!("a{i}"), &i.to_string());
            let made = self.maps().create(&PostParams::default(), &map).await?;
            self.say(format!("create: {} {}", name_of(&made), value_of(&made)));
        }
        let mut params = ListParams::default().labels("app=x").limit(2);
        loop {
            let page = self.maps().list(&params).await?;
            let names: Vec<String> = page.items.iter().map(name_of).collect();
            let token = page.metadata.continue_.clone().unwrap_or_default();
            self.say(format!("page: {}, more: {}", names.join(" "), !token.is_empty()));
            if token.is_empty() {
                return self.watch(&page.metadata.resource_version.unwrap_or_default()).await;
            }
            params = params.continue_token(&token);
        }
    }

    async fn watch(&self, version: &str) -> Result<()> {
        let maps = self.maps();
        let patch = Patch::Merge(json!({"data": {"k": "9"}}));
        maps.patch("a0", &PatchParams::default(), &patch).await?;
        maps.delete("a4", &DeleteParams::default()).await?;
        maps.create(&PostParams::default(), &config_map("a5", "5")).await?;
        let params = WatchParams::default().labels("app=x").timeout(60);
        let mut events = maps.watch(&params, version).await?.boxed_local();
        let mut seen = 0;
        while seen < 3 {
            let (what, map) = match events.next().await.ok_or("the watch has ended")?? {
                WatchEvent::Added(map) => ("ADDED", map),
                WatchEvent::Modified(map) => ("MODIFIED", map),
                WatchEvent::Deleted(map) => ("DELETED", map),
                WatchEvent::Bookmark(_) => continue,
                WatchEvent::Error(status) => return Err(status.message.into()),
            };
            self.say(format!("event: {what} {} {}", name_of(&map), value_of(&map)));
            seen += 1;
        }
        Ok(())
    }

    async fn patches(&self) -> Result<()> {
        let deployments = self.deployments();
        let object: Deployment = serde_json::from_value(json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "web", "labels": {"a": "1", "b": "2"}},
            "spec": {
                "replicas": 2,
                "selector": {"matchLabels": {"app": "web"}},
                "template": {
                    "metadata": {"labels": {"app": "web"}},
                    "spec": {"containers": [{"name": "web", "image": "web:1"}]}
                }
            }
        }))?;
        deployments.create(&PostParams::default(), &object).await?;
        let side = json!({"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "side:1"}]}}}});
        let operations = serde_json::from_value(json!([
            {"op": "test", "path": "/spec/replicas", "value": 2},
            {"op": "replace", "path": "/spec/replicas", "value": 3}
        ]))?;
        let patches = [
            Patch::Strategic(side),
            Patch::Merge(json!({"metadata": {"labels": {"a": null, "c": "3"}}})),
            Patch::Json(operations),
        ];
        for patch in &patches {
            let got = deployments.patch("web", &PatchParams::default(), patch).await?;
            let labels: Vec<String> = got.metadata.labels.unwrap_or_default().into_keys().collect();
            let spec = got.spec.ok_or("the deployment has no spec")?;
            let pod = spec.template.spec.ok_or("the template has no spec")?;
            let containers: Vec<String> = pod.containers.into_iter().map(|each| each.name).collect();
            self.say(format!(
                "patch: containers {}, labels {}, replicas {}, generation {}",
                containers.join(" "),
                labels.join(" "),
                spec.replicas.unwrap_or_default(),
                got.metadata.generation.unwrap_or_default()
            ));
        }
        let wrong = serde_json::from_value(json!([{"op": "test", "path": "/spec/replicas", "value": 7}]))?;
        let patched = deployments.patch("web", &PatchParams::default(), &Patch::Json::<()>(wrong)).await;
        self.say_error("patch with a wrong test", patched)
    }

    async fn apply_as(&self, manager: &str, value: &str, force: bool) -> kube::Result<ConfigMap> {
        let params = PatchParams {
            force,
            ..PatchParams::apply(manager)
        };
        let applied = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "applied"},
            "data": {"k": value}
        });
        let maps = self.maps();
        let patch = Patch::Apply(applied);
        maps.patch("applied", &params, &patch).await
    }

    async fn apply(&self) -> Result<()> {
        self.say(format!("apply: {}", value_of(&self.apply_as("one", "1", false).await?)));
        self.say_error("apply of another manager", self.apply_as("two", "2", false).await)?;
        self.say(format!("apply with force: {}", value_of(&self.apply_as("two", "2", true).await?)));
        Ok(())
    }

    async fn subresources(&self) -> Result<()> {
        let deployments = self.deployments();
        let patch = Patch::Merge(json!({"spec": {"replicas": 9}, "status": {"replicas": 3, "readyReplicas": 1}}));
        let got = deployments.patch_status("web", &PatchParams::default(), &patch).await?;
        let status = got.status.unwrap_or_default();
        self.say(format!(
            "status: replicas {}, ready {} of {}",
            got.spec.and_then(|spec| spec.replicas).unwrap_or_default(),
            status.ready_replicas.unwrap_or_default(),
            status.replicas.unwrap_or_default()
        ));
        let mut scale = deployments.get_scale("web").await?;
        let mut spec = scale.spec.clone().unwrap_or_default();
        let scaled = scale.status.clone().ok_or("the scale has no status")?;
        self.say(format!(
            "scale: {}, status {}, selector {}",
            spec.replicas.unwrap_or_default(),
            scaled.replicas,
            scaled.selector.unwrap_or_default()
        ));
        spec.replicas = Some(5);
        scale.spec = Some(spec);
        let body = serde_json::to_vec(&scale)?;
        let scale = deployments.replace_scale("web", &PostParams::default(), body).await?;
        self.say(format!("scaled: {}", scale.spec.and_then(|spec| spec.replicas).unwrap_or_default()));
        self.evictions().await
    }

    async fn evictions(&self) -> Result<()> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.ns);
        let pod: Pod = serde_json::from_value(json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p"},
            "spec": {"containers": [{"name": "c", "image": "c:1"}]}
        }))?;
        pods.create(&PostParams::default(), &pod).await?;
        pods.evict("p", &EvictParams::default()).await?;
        self.say_error("get of an evicted pod", pods.get("p").await)?;
        self.say_error("eviction of no pod", pods.evict("none", &EvictParams::default()).await)
    }

    async fn failures(&self) -> Result<()> {
        let maps = self.maps();
        let params = PostParams::default();
        self.say_error("get", maps.get("none").await)?;
        self.say_error("create of what exists", maps.create(&params, &config_map("a1", "1")).await)?;
        let mut old = maps.get("a1").await?;
        old.data = Some(BTreeMap::from([("k".to_string(), "new".to_string())]));
        maps.replace("a1", &params, &old).await?;
        self.say_error("update of an old version", maps.replace("a1", &params, &old).await)?;
        self.say_error("create with a wrong name", maps.create(&params, &config_map("A_1", "1")).await)?;
        let patch = Patch::Merge(json!({"spec": {"replicas": -1}}));
        let patched = self.deployments().patch("web", &PatchParams::default(), &patch).await;
        self.say_error("patch with a wrong number", patched)
    }

    async fn deletions(&mut self) -> Result<()> {
        let maps = self.maps();
        let object = maps.get("a1").await?;
        let uid = object.metadata.uid.ok_or("the object has no UID")?;
        self.replaced.push((uid.clone(), "UID".to_string()));
        let with = |uid: &str, version: Option<String>| DeleteParams {
            preconditions: Some(Preconditions {
                uid: Some(uid.to_string()),
                resource_version: version,
            }),
            ..Default::default()
        };
        let wrong = maps.delete("a1", &with("wrong", None)).await;
        self.say_error("delete with a wrong precondition", wrong)?;
        maps.delete("a1", &with(&uid, object.metadata.resource_version)).await?;
        let all = ListParams::default().labels("app=x");
        maps.delete_collection(&DeleteParams::default(), &all).await?;
        self.say(format!("left: {}", maps.list(&all).await?.items.len()));
        // Another program may use the server next.
        maps.delete("applied", &DeleteParams::default()).await?;
        self.deployments().delete("web", &DeleteParams::default()).await?;
        let namespaces: Api<Namespace> = Api::all(self.client.clone());
        namespaces.delete(&self.ns, &DeleteParams::default()).await?;
        Ok(())
    }

    async fn discovery(&self) -> Result<()> {
        for group in self.client.list_api_groups().await?.groups {
            if group.name == "apps" {
                let preferred = group.preferred_version.ok_or("no version is preferred")?;
                self.say(format!("group: {}, preferred {}", group.name, preferred.group_version));
            }
        }
        for resource in self.client.list_api_group_resources("apps/v1").await?.resources {
            let mut verbs = resource.verbs;
            verbs.sort();
            self.say(format!(
                "resource: {} {}, namespaced: {}, verbs: {}",
                resource.name,
                resource.kind,
                resource.namespaced,
                verbs.join(" ")
            ));
        }
        Ok(())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, ns] = arguments.as_slice() else {
        return Err("usage: foreign_client_rust KUBECONFIG NAMESPACE".into());
    };
    let kubeconfig = Kubeconfig::read_from(path)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let mut program = Program {
        client: Client::try_from(config)?,
        ns: ns.clone(),
        replaced: vec![(ns.clone(), "NAMESPACE".to_string())],
    };
    let namespaces: Api<Namespace> = Api::all(program.client.clone());
    let namespace = Namespace {
        metadata: ObjectMeta {
            name: Some(ns.clone()),
            ..Default::default()
        },
        ..Default::default()
    };
    namespaces.create(&PostParams::default(), &namespace).await?;
    program.lists().await?;
    program.patches().await?;
    program.apply().await?;
    program.subresources().await?;
    program.failures().await?;
    program.deletions().await?;
    program.discovery().await
}
