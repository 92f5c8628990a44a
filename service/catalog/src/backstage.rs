//! The entities of Backstage's catalogue: a System, a Component for each project, an API for each dialect.
//!
//! Texts are written as JSON strings, which YAML reads as they are.

use std::fmt::Write as _;

use serde_json::Value;

use super::{catalog::Catalog, project::Project};

/// The settings of the entities.
#[derive(Clone, Debug, Default)]
pub struct BackstageOptions {
    /// The address of the server of the catalogue, without a slash at the end.
    pub server: String,
    /// The name of the system.
    pub system: String,
    /// The title of the system.
    pub title: String,
    /// The owner of the system and of projects without one: `group:default/compilers`.
    pub owner: String,
}

/// Writes `catalog-info.yaml`.
#[must_use]
pub fn entities(catalog: &Catalog, options: &BackstageOptions) -> String {
    let mut documents = vec![system(options)];
    for project in &catalog.projects {
        documents.push(component(catalog, project, options));
        documents.extend(
            project.newest().dialects.iter().map(|it| api(project, &it.name, it.operations, options)),
        );
    }
    documents.join("---\n")
}

/// Writes a text as YAML.
fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Returns a text as the name of an entity: letters, digits, `-`, `_` and `.`, at most 63.
fn entity_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = text.chars().map(plain).take(63).collect();
    let name = name.trim_matches(['-', '_', '.']).to_owned();
    // Two separators may not follow each other.
    name.chars().fold(String::new(), |mut name, c| {
        if !("-_.".contains(c) && name.ends_with(['-', '_', '.'])) {
            name.push(c);
        }
        name
    })
}

/// Returns the owner as Backstage refers to one: `@example/stablehlo` is the group `stablehlo`.
fn owner(project: &Project, options: &BackstageOptions) -> String {
    let first = project.owners().first();
    let name =
        first.map(|owner| entity_name(owner.rsplit('/').next().unwrap_or(owner).trim_start_matches('@')));
    let kind = if first.is_some_and(|owner| owner.contains('/')) { "group" } else { "user" };
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind}:default/{name}"),
        None => options.owner.clone(),
    }
}

fn system(options: &BackstageOptions) -> String {
    format!(
        "apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata:\n  name: {}\n  description: {}\nspec:\n  owner: {}\n",
        quoted(&options.system),
        quoted(&options.title),
        quoted(&options.owner)
    )
}

fn component(catalog: &Catalog, project: &Project, options: &BackstageOptions) -> String {
    let newest = project.newest();
    let name = entity_name(project.name());
    let mut out =
        format!("apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: {}\n", quoted(&name));
    // Writing into a string does not fail.
    if let Some(title) = &newest.title {
        let _ = writeln!(out, "  title: {}", quoted(title));
    }
    if let Some(summary) = &newest.summary {
        let _ = writeln!(out, "  description: {}", quoted(summary));
    }
    let artifact = format!("{}:{}", project.facts.repository, newest.tag);
    let _ = writeln!(out, "  annotations:\n    \"odsmith/artifact\": {}", quoted(&artifact));
    let _ = writeln!(out, "  labels:\n    \"odsmith/mlir\": {}", quoted(&newest.mlir));
    let page = match newest.has_site() {
        true => format!("{}/v1/catalog/{}/latest/site/", options.server, project.name()),
        false => format!("{}/catalog/project/{}.html", options.server, project.name()),
    };
    let _ = writeln!(
        out,
        "  links:\n    - url: {}\n      title: Reference\n      type: documentation",
        quoted(&page)
    );
    let _ = writeln!(out, "spec:\n  type: dialects\n  lifecycle: {}", lifecycle(project));
    let _ =
        writeln!(out, "  owner: {}\n  system: {}", quoted(&owner(project, options)), quoted(&options.system));
    let apis = newest.dialects.iter().map(|it| quoted(&api_name(project, &it.name)));
    let _ = writeln!(out, "  providesApis: [{}]", apis.collect::<Vec<_>>().join(", "));
    let dependencies = newest.dependencies.iter().map(|it| catalog.name_of(it));
    let known = dependencies.filter(|name| catalog.project(name).is_some());
    let known: Vec<String> =
        known.map(|name| quoted(&format!("component:default/{}", entity_name(&name)))).collect();
    if !known.is_empty() {
        let _ = writeln!(out, "  dependsOn: [{}]", known.join(", "));
    }
    out
}

fn lifecycle(project: &Project) -> &'static str {
    match &project.newest().withdrawal {
        Some(_) => "deprecated",
        None => "production",
    }
}

fn api_name(project: &Project, dialect: &str) -> String {
    entity_name(&format!("{}-{dialect}", project.name()))
}

fn api(project: &Project, dialect: &str, operations: usize, options: &BackstageOptions) -> String {
    let newest = project.newest();
    let definition = format!(
        "{} {}, MLIR {}: {operations} operations.\n{}/v1/catalog/{}/{}/model.json\n",
        project.name(),
        newest.version,
        newest.mlir,
        options.server,
        project.name(),
        newest.tag
    );
    format!(
        "apiVersion: backstage.io/v1alpha1\nkind: API\nmetadata:\n  name: {}\n  title: {}\nspec:\n  type: mlir-dialect\n  \
         lifecycle: {}\n  owner: {}\n  system: {}\n  definition: {}\n",
        quoted(&api_name(project, dialect)),
        quoted(&format!("Dialect {dialect}")),
        lifecycle(project),
        quoted(&owner(project, options)),
        quoted(&options.system),
        quoted(&definition)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_entities() {
        for (text, name) in [("torch-mlir", "torch-mlir"), ("a__b", "a_b"), ("a b/c", "a-b-c"), ("-x.", "x")]
        {
            assert_eq!(entity_name(text), name);
        }
    }
}
