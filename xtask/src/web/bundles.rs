//! The bundles that there are, from what cargo says about the packages of the workspace.

use anyhow::Result;
use serde_json::{Value, json};

use super::variant::{SIMPLE, Variant};
use crate::paths::{cargo, output};

/// A program in `crates/web/bundles`.
#[derive(Clone)]
pub struct Bundle {
    pub name: String,
    /// The feature of `crates/web` with which it is built.
    pub feature: String,
    /// The bundle's key in the cache, if there is one.
    pub key: Option<String>,
}

/// The features with which the page's bundles are built: the labs, the lab `control` with worlds of one's
/// own, the tools of labs, the actors of a fleet, and the editor for worlds.
pub const BUNDLE_FEATURES: [&str; 5] = ["bundles", OWN_WORLDS_FEATURE, "tools", "fleet", WORLD_FEATURE];
/// The feature of the second bundle of the lab `control`, which uses a GPU as the first one does.
const OWN_WORLDS_FEATURE: &str = "own-worlds";
/// The feature of the bundle of the editor for worlds. It steps one world for the eye, so it has one build.
const WORLD_FEATURE: &str = "world";
/// The feature of the bundle with the benchmarks.
pub const BENCH_FEATURE: &str = "bench";

/// What cargo says about each package of the workspace.
pub fn workspace_packages() -> Result<Vec<Value>> {
    let text = output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    Ok(array_elements(&metadata["packages"]))
}

/// The elements of a JSON array.
fn array_elements(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// Whether a bundle is built in this variant: the editor for worlds in the one with one thread, labs that use
/// a GPU in that for GPUs, and everything in the others.
pub fn has_variant(packages: &[Value], bundle: &Bundle, variant: &Variant) -> bool {
    if bundle.feature == WORLD_FEATURE {
        return variant.name == SIMPLE.name;
    }
    let lab = if bundle.feature == OWN_WORLDS_FEATURE { "control" } else { &bundle.name };
    !variant.is_for_gpu || uses_gpu(packages, lab)
}

/// Whether a lab can compute on a GPU in a tab: whether the feature `gpu` of the list of labs turns on that
/// of its crate.
fn uses_gpu(packages: &[Value], lab: &str) -> bool {
    let feature = Value::from(format!("learnery-{lab}/gpu"));
    let labs = packages.iter().find(|package| package["name"] == "learnery-labs");
    labs.is_some_and(|labs| array_elements(&labs["features"]["gpu"]).contains(&feature))
}

/// The binaries of `crates/web` that require one of these features, in the order of the features.
pub fn bundles_with(packages: &[Value], features: &[&str]) -> Vec<Bundle> {
    let web = packages.iter().filter(|package| package["name"] == "learnery-web");
    let targets: Vec<Value> = web.flat_map(|package| array_elements(&package["targets"])).collect();
    let with = |feature: &str| -> Vec<Bundle> {
        let is_wanted = |target: &&Value| {
            target["kind"] == json!(["bin"]) && target["required-features"] == json!([feature])
        };
        let names = targets.iter().filter(is_wanted).filter_map(|target| target["name"].as_str());
        names.map(|name| Bundle { name: name.into(), feature: feature.into(), key: None }).collect()
    };
    features.iter().copied().flat_map(with).collect()
}
